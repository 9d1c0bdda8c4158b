# wrong: the best `width` continuations of each hypothesis are kept, so the beam grows at each step
# loses: q10-beam-test
# says: width best of all together

# %% q10-beam
def beam_search(step, state, width, max_length, power):
    beam, complete = [([], 0.0, state)], []
    for _ in range(max_length):
        new_beam = []
        for ids, total, own in beam:
            scores, new = step(ids[-1] if ids else BOS_ID, own)
            logs = log_probabilities(scores)
            for symbol in np.argsort(-logs)[:width]:
                longer = (ids + [int(symbol)], total + logs[symbol], new)
                (complete if symbol == EOS_ID else new_beam).append(longer)
        beam = new_beam
    ids, total, _ = max(complete + beam, key=lambda each: each[1] / len(each[0]) ** power)
    return ids, total / len(ids) ** power
