# wrong: complete and open hypotheses stay together, and each step keeps the best by the score, not by the sum
# loses: q10-beam-test
# says: each step keeps the best by their scores

# %% q10-beam
def beam_search(step, state, width, max_length, power):
    def score(hypothesis):
        return hypothesis[1] / len(hypothesis[0]) ** power

    beam = [([], 0.0, state)]
    for _ in range(max_length):
        longer = []
        for ids, total, own in beam:
            if ids and ids[-1] == EOS_ID:
                longer.append((ids, total, own))
                continue
            scores, new = step(ids[-1] if ids else BOS_ID, own)
            for symbol, log in enumerate(log_probabilities(scores)):
                longer.append((ids + [symbol], total + log, new))
        beam = sorted(longer, key=score, reverse=True)[:width]
    return beam[0][0], score(beam[0])
