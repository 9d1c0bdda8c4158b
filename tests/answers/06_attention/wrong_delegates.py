# wrong: the ready-made layers and functions do the work
# loses: q2-dot-test q3-multiplicative-test q4-additive-test q5-softmax-test q8-greedy-test q10-aer-test q12-length-test q15-gradient-test
# says: ready-made
# says: write it yourself
# %% q2-dot
def dot_product_score(query, keys):
    return layers.DotProductAttention().score(query, keys)


# %% q3-multiplicative
def multiplicative_score(query, keys, W):
    attention = layers.MultiplicativeAttention()
    attention.build(query.shape, keys.shape)
    attention.set_weights([W])
    return attention.score(query, attention.project_keys(keys))


# %% q4-additive
def additive_score(query, keys, W, U, v):
    attention = layers.AdditiveAttention(len(v))
    attention.build(query.shape, keys.shape)
    attention.set_weights([W, U, v])
    return attention.score(query, attention.project_keys(keys))


# %% q5-softmax
masked_softmax = layers.masked_softmax


# %% q8-greedy
from rnnkit import decoding


def greedy_decode(step, state, batch, max_length):
    return decoding.greedy(step, state, batch, BOS_ID, EOS_ID, max_length)


# %% q10-aer
alignment_error_rate = metrics.alignment_error_rate


# %% q12-length
def accuracy_by_length(predictions, targets, edges):
    lengths = [len(target) for target in targets]
    return [row[3] for row in metrics.accuracy_by_length(predictions, targets, lengths, edges)]


# %% q15-gradient
def gradient_norms(name, position):
    gradient = models.source_gradients(
        probes[name], probe_source, probe_previous, probe_following, position
    )[0]
    return np.sqrt((gradient**2).sum(axis=-1))
