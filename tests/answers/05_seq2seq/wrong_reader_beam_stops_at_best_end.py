# wrong: the search ends as soon as the best hypothesis of a step ends; a longer one could still win by its score
# loses: q10-beam-test
# says: stops when the best hypothesis of a step is complete

# %% q10-beam
def beam_search(step, state, width, max_length, power):
    beam, complete = [([], 0.0, state)], []
    for _ in range(max_length):
        longer = []
        for ids, total, own in beam:
            scores, new = step(ids[-1] if ids else BOS_ID, own)
            for symbol, log in enumerate(log_probabilities(scores)):
                longer.append((ids + [symbol], total + log, new))
        longer = sorted(longer, key=lambda each: each[1], reverse=True)[:width]
        complete += [each for each in longer if each[0][-1] == EOS_ID]
        beam = [each for each in longer if each[0][-1] != EOS_ID]
        if longer[0][0][-1] == EOS_ID or not beam:
            break
    ids, total, _ = max(complete + beam, key=lambda each: each[1] / len(each[0]) ** power)
    return ids, total / len(ids) ** power
