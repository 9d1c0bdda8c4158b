# wrong: W h_j and U h_j are the same at each step, so they are computed once and kept for all keys of this shape; other keys or another matrix of the same shape get the old product; it breaks e_j = q^T W h_j and e_j = v^T tanh(W q + U h_j) from the second call on
# loses: q3-multiplicative-test q4-additive-test
# says: of the call before: nothing may be kept

# %% q3-multiplicative
projected_keys = {}


def multiplicative_score(query, keys, W):
    place = (tuple(np.shape(keys)), tuple(np.shape(W)))
    if place not in projected_keys:
        projected_keys[place] = np.einsum("bsk,qk->bsq", np.asarray(keys), np.asarray(W))
    return np.einsum("bq,bsq->bs", np.asarray(query), projected_keys[place])

# %% q4-additive
class KeyMemory:
    shape, product = None, None


def additive_score(query, keys, W, U, v):
    shape = tuple(np.shape(keys)) + tuple(np.shape(U))
    if KeyMemory.shape != shape:
        KeyMemory.shape, KeyMemory.product = shape, ops.matmul(keys, U)
    hidden = ops.tanh(ops.expand_dims(ops.matmul(query, W), 1) + KeyMemory.product)
    return ops.einsum("bsu,u->bs", hidden, v)
