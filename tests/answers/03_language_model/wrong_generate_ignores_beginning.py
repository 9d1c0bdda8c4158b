# wrong: only the last symbol of the beginning goes into the model
# loses: q11-generate-test
# says: only its last symbol counts
# %% q11-generate
def generate(step, state, prompt, length, choose):
    previous, written = prompt[:, -1], []
    for _ in range(length):
        logits, state = step(previous, state)
        previous = choose(logits)
        written.append(previous)
    return np.stack(written, axis=1)
