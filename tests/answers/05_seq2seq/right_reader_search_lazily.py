# right: greedy goes on to max_length with PAD_ID only (allowed) and shows a finished sentence its EOS again; the beam keeps complete hypotheses among the `width` best as long as they are there (allowed), with heapq, NumPy integers, a 0-d array as the score

# %% q9-greedy
def greedy_decode(step, state, batch, max_length):
    result = np.full((batch, max_length), PAD_ID, dtype="int32")
    previous = np.full((batch,), BOS_ID, dtype="int32")
    open_ = np.full((batch,), True)
    column = 0
    while column < max_length:
        if open_.any():
            scores, state = step(previous, state)
            best = np.asarray(scores).argmax(axis=-1).astype("int32")
            result[open_, column] = best[open_]
            previous = np.where(open_, best, EOS_ID).astype("int32")
            open_ = open_ & (best != EOS_ID)
        column += 1
    return result


# %% q10-beam
import heapq


def beam_search(step, state, width, max_length, power):
    beam = [(np.float64(0.0), (), state)]
    for _ in range(max_length):
        if all(ids and ids[-1] == EOS_ID for _, ids, _ in beam):
            break
        candidates = []
        for total, ids, own in beam:
            if ids and ids[-1] == EOS_ID:
                candidates.append((total, ids, own))
                continue
            scores, after = step(np.int64(ids[-1] if ids else BOS_ID), own)
            for symbol, log_p in enumerate(log_probabilities(scores)):
                candidates.append((total + log_p, (*ids, np.int64(symbol)), after))
        beam = heapq.nlargest(width, candidates, key=lambda candidate: candidate[0])
    total, ids, _ = max(beam, key=lambda candidate: candidate[0] / len(candidate[1]) ** power)
    return list(ids), np.asarray(total / len(ids) ** power)
