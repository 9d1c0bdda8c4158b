# wrong: the best symbol is taken; choose is never called
# loses: q11-generate-test
# says: call choose
# %% q11-generate
def generate(step, state, prompt, length, choose):
    for symbols in prompt.T[:-1]:
        _, state = step(symbols, state)
    previous, written = prompt[:, -1], []
    for _ in range(length):
        logits, state = step(previous, state)
        previous = np.argmax(np.asarray(logits), axis=-1)
        written.append(previous)
    return np.stack(written, axis=1)
