# wrong: length is taken as the length with the beginning, so too few symbols are written
# loses: q11-generate-test
# says: The beginning is counted in the length

# %% q11-generate
def generate(step, state, prompt, length, choose):
    prompt = np.asarray(prompt)
    for t in range(prompt.shape[1]):
        logits, state = step(prompt[:, t], state)
    written = []
    while prompt.shape[1] + len(written) < length:
        symbol = choose(logits)
        written.append(symbol)
        logits, state = step(symbol, state)
    if not written:
        return np.zeros((len(prompt), 0), dtype=int)
    return np.stack(written, axis=1)
