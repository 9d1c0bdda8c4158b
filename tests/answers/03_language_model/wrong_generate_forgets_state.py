# wrong: the new state is thrown away while symbols are written
# loses: q11-generate-test
# says: new state is not used while symbols are written
# %% q11-generate
def generate(step, state, prompt, length, choose):
    for symbols in prompt.T[:-1]:
        _, state = step(symbols, state)
    previous, written = prompt[:, -1], []
    for _ in range(length):
        logits, _ = step(previous, state)
        previous = choose(logits)
        written.append(previous)
    return np.stack(written, axis=1)
