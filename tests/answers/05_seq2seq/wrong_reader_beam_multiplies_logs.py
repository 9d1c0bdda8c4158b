# wrong: as in a tutorial that many copy: logarithms are multiplied, from 1 on, and the smallest product wins
# loses: q10-beam-test
# says: The logarithms are multiplied

# %% q10-beam
def beam_search(step, state, width, max_length, power):
    beam, complete = [([], 1.0, state)], []
    for _ in range(max_length):
        if not beam:
            break
        longer = []
        for ids, product, own in beam:
            scores, new = step(ids[-1] if ids else BOS_ID, own)
            for symbol, log in enumerate(log_probabilities(scores)):
                longer.append((ids + [symbol], product * -log, new))
        longer = sorted(longer, key=lambda each: each[1])[:width]
        complete += [each for each in longer if each[0][-1] == EOS_ID]
        beam = [each for each in longer if each[0][-1] != EOS_ID]
    ids, product, _ = min(complete + beam, key=lambda each: each[1] / len(each[0]) ** power)
    return ids, -product / len(ids) ** power
