# right: a hypothesis keeps its symbols and sum, and its state is made anew from the first state, by reading its symbols again (so step is called more often, never after max_length steps); the choice by sorting; scheduled mix in a list comprehension that is returned as an array; groups by itertools.groupby

# %% q7-mix
def scheduled_mix(true, predicted, probability, draws):
    rows = zip(true, predicted, draws)
    return np.array([int(t) if d < probability else int(p) for t, p, d in rows], dtype="int32")


# %% q10-beam
def beam_search(step, state, width, max_length, power):
    def longer_ones(ids, total):
        own = state
        for previous in [BOS_ID, *ids]:
            scores, own = step(previous, own)
        logs = log_probabilities(scores).tolist()
        return [(ids + [symbol], total + log_p) for symbol, log_p in enumerate(logs)]

    beam, ended = [([], 0.0)], []
    while beam and len(beam[0][0]) < max_length:
        candidates = [new for ids, total in beam for new in longer_ones(ids, total)]
        best = sorted(candidates, key=lambda each: each[1])[-width:]
        ended += [each for each in best if each[0][-1] == EOS_ID]
        beam = [each for each in best if each[0][-1] != EOS_ID]
    scored = [(total / len(ids) ** power, ids) for ids, total in ended + beam]
    score, ids = sorted(scored)[-1]
    return ids, score


# %% q12-groups
import itertools


def accuracy_by_group(predictions, targets, groups):
    triples = sorted(zip(groups, predictions, targets))
    result = {}
    for group, members in itertools.groupby(triples, key=lambda triple: triple[0]):
        hits = [prediction == target for _, prediction, target in members]
        result[group] = sum(hits) / len(hits)
    return result
