# wrong: scores must be turned into probabilities first, with exp as it stands in the formula (breaks: "Each time take the symbol with the highest score": for scores of 1000 or of -1000 the quotient is nan and argmax takes the first)
# loses: q9-greedy-test
# says: without a softmax

# %% q9-greedy
def greedy_decode(step, state, batch, max_length):
    previous = np.full(batch, BOS_ID)
    alive = np.ones(batch, dtype=bool)
    result = np.full((batch, max_length), PAD_ID)
    for i in range(max_length):
        scores, state = step(previous, state)
        probabilities = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
        previous = np.where(alive, probabilities.argmax(axis=-1), PAD_ID)
        result[:, i] = previous
        alive &= previous != EOS_ID
        if not alive.any():
            return result[:, : i + 1]
    return result
