# wrong: the hypotheses have no states of their own: all go on from the state of the one that was read last
# loses: q10-beam-test
# says: All hypotheses go on from one state

# %% q10-beam
def beam_search(step, state, width, max_length, power):
    beam, complete = [([], 0.0)], []
    for _ in range(max_length):
        longer = []
        for ids, total in beam:
            scores, new_state = step(ids[-1] if ids else BOS_ID, state)
            for symbol, log in enumerate(log_probabilities(scores)):
                longer.append((ids + [symbol], total + log))
        state = new_state
        longer = sorted(longer, key=lambda each: each[1], reverse=True)[:width]
        complete += [each for each in longer if each[0][-1] == EOS_ID]
        beam = [each for each in longer if each[0][-1] != EOS_ID]
        if not beam:
            break
    ids, total = max(complete + beam, key=lambda each: each[1] / len(each[0]) ** power)
    return ids, total / len(ids) ** power
