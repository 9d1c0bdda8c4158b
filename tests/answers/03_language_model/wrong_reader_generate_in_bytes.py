# wrong: ids of characters fit into a byte
# loses: q11-generate-test
# says: An id above 255 becomes another number

# %% q11-generate
def generate(step, state, prompt, length, choose):
    prompt = np.asarray(prompt)
    for place in range(prompt.shape[1]):
        logits, state = step(prompt[:, place], state)
    written = np.zeros((len(prompt), length), dtype="uint8")
    for number in range(length):
        written[:, number] = np.asarray(choose(logits)).astype("uint8")
        if number < length - 1:
            logits, state = step(written[:, number].astype("int64"), state)
    return written.astype("int64")
