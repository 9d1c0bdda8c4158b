# wrong: where the sum is exactly mass, one more symbol is taken
# loses: q10-top-p-test
# says: where the sum is exactly the mass

# %% q10-top-p
def top_p(probabilities, mass):
    result = np.zeros_like(probabilities)
    for row in range(len(probabilities)):
        total = 0.0
        for symbol in np.argsort(-probabilities[row]):
            result[row, symbol] = probabilities[row, symbol]
            total += probabilities[row, symbol]
            if total > mass:
                break
    return result / result.sum(axis=-1, keepdims=True)
