# wrong: what is left is divided by mass, not by its sum
# loses: q10-top-p-test
# says: What is left is divided by the mass

# %% q10-top-p
def top_p(probabilities, mass):
    order = np.argsort(-probabilities, axis=-1)
    ranked = np.take_along_axis(probabilities, order, axis=-1)
    before = np.cumsum(ranked, axis=-1) - ranked
    result = np.zeros_like(probabilities)
    np.put_along_axis(result, order, np.where(before < mass, ranked, 0.0), axis=-1)
    return result / mass
