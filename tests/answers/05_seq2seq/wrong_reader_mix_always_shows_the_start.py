# wrong: the start token is never replaced, as nothing is predicted before it (breaks: "Where it is *below* the probability of teacher forcing, the decoder sees the true symbol, otherwise its own"; a true symbol BOS_ID is an exception of the student)
# loses: q7-mix-test
# says: is an exception; the number alone decides

# %% q7-mix
def scheduled_mix(true, predicted, probability, draws):
    true, predicted, draws = np.asarray(true), np.asarray(predicted), np.asarray(draws)
    return np.where((draws < probability) | (true == BOS_ID), true, predicted)
