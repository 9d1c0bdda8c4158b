# wrong: axes of size one are not needed
# loses: q11-generate-test
# says: with a batch of one should have the shape

# %% q11-generate
def generate(step, state, prompt, length, choose):
    prompt = np.asarray(prompt)
    for place in range(prompt.shape[1]):
        logits, state = step(prompt[:, place], state)
    written = []
    for number in range(length):
        written.append(np.asarray(choose(logits)))
        if number < length - 1:
            logits, state = step(written[-1], state)
    return np.squeeze(np.stack(written, axis=1))
