# wrong: complete hypotheses do not take a place: the beam is filled up with the best that go on
# loses: q10-beam-test
# says: in place of hypotheses that are complete

# %% q10-beam
def beam_search(step, state, width, max_length, power):
    beam, complete = [([], 0.0, state)], []
    for _ in range(max_length):
        longer = []
        for ids, total, own in beam:
            scores, new = step(ids[-1] if ids else BOS_ID, own)
            for symbol, log in enumerate(log_probabilities(scores)):
                longer.append((ids + [symbol], total + log, new))
        longer.sort(key=lambda each: each[1], reverse=True)
        complete += [each for each in longer if each[0][-1] == EOS_ID][:width]
        beam = [each for each in longer if each[0][-1] != EOS_ID][:width]
    ids, total, _ = max(complete + beam, key=lambda each: each[1] / len(each[0]) ** power)
    return ids, total / len(ids) ** power
