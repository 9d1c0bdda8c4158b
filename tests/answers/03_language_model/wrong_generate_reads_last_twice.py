# wrong: the last symbol of the beginning is read twice
# loses: q11-generate-test
# says: is read twice
# %% q11-generate
def generate(step, state, prompt, length, choose):
    for symbols in prompt.T:
        logits, state = step(symbols, state)
    previous, written = prompt[:, -1], []
    for _ in range(length):
        logits, state = step(previous, state)
        previous = choose(logits)
        written.append(previous)
    return np.stack(written, axis=1)
