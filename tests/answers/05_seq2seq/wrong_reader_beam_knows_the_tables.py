# wrong: the state is the number of the step and the symbol before, as in the given cell, so it is made from the hypothesis (breaks: "a hypothesis is a list of symbols, the sum …, and a state of its own. Begin with … the first state": what step returns is thrown away; a real model fails)
# loses: q10-beam-test
# says: the state is: pass on what you got

# %% q10-beam
def beam_search(step, state, width, max_length, power):
    beam, complete = [([], 0.0)], []
    for i in range(max_length):
        longer = []
        for ids, total in beam:
            sequence = [PAD_ID, BOS_ID] + ids
            scores, _ = step(sequence[-1], (i, sequence[-2]))
            for symbol, log_p in enumerate(log_probabilities(scores)):
                longer.append((ids + [symbol], total + log_p))
        longer.sort(key=lambda h: -h[1])
        beam = []
        for h in longer[:width]:
            (complete if h[0][-1] == EOS_ID else beam).append(h)
        if not beam:
            break
    ids, total = max(complete + beam, key=lambda h: h[1] / len(h[0]) ** power)
    return ids, float(total / len(ids) ** power)
