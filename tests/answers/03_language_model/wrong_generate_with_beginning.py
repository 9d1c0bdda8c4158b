# wrong: the beginning stands in the result
# loses: q11-generate-test
# says: The beginning stands in the result
# %% q11-generate
def generate(step, state, prompt, length, choose):
    written = list(prompt.T)
    for symbols in prompt.T:
        logits, state = step(symbols, state)
    for _ in range(length):
        written.append(choose(logits))
        logits, state = step(written[-1], state)
    return np.stack(written, axis=1)
