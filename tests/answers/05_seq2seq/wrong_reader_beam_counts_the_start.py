# wrong: each hypothesis begins with BOS, which is cut off at the end but counts in the length
# loses: q10-beam-test
# says: The start token counts in the length

# %% q10-beam
def beam_search(step, state, width, max_length, power):
    def score(hypothesis):
        return hypothesis[1] / len(hypothesis[0]) ** power

    beam, complete = [([BOS_ID], 0.0, state)], []
    for _ in range(max_length):
        longer = []
        for ids, total, own in beam:
            scores, new = step(ids[-1], own)
            for symbol, log in enumerate(log_probabilities(scores)):
                longer.append((ids + [symbol], total + log, new))
        longer = sorted(longer, key=lambda each: each[1], reverse=True)[:width]
        complete += [each for each in longer if each[0][-1] == EOS_ID]
        beam = [each for each in longer if each[0][-1] != EOS_ID]
        if not beam:
            break
    best = max(complete + beam, key=score)
    return best[0][1:], score(best)
