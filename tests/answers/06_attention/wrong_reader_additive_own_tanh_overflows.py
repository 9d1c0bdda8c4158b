# wrong: tanh written out as (e^x - e^-x) / (e^x + e^-x), which is inf / inf = nan as soon as x is large; it breaks e_j = v^T tanh(W q + U h_j), where tanh of a large number is 1
# loses: q4-additive-test
# says: The tanh is written out with exp

# %% q4-additive
def additive_score(query, keys, W, U, v):
    inside = ops.expand_dims(ops.matmul(query, W), 1) + ops.matmul(keys, U)
    up, down = ops.exp(inside), ops.exp(-inside)
    return ops.einsum("bsu,u->bs", (up - down) / (up + down), v)
