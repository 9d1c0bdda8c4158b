# wrong: a stream has len(ids) // batch symbols
# loses: q1-windows-test

# %% q1-windows
def windows(ids, batch, length):
    ids = np.asarray(ids)
    per_stream = len(ids) // batch
    result = []
    for start in range(0, per_stream, length):
        inputs, targets = [], []
        for row in range(batch):
            place = row * per_stream + start
            inputs.append(ids[place : place + length])
            targets.append(ids[place + 1 : place + length + 1])
        result.append((np.array(inputs), np.array(targets)))
    return result
