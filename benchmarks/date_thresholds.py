"""How often the date model of unit 06 passes its check, over seeds.

The check of question 9 asks for a share of new dates that are read exactly
right. This prints the share for each seed, for the reference and for other
right answers, in the full and in the short setting.

    python benchmarks/date_thresholds.py --seeds 12 > docs/reports/date_thresholds.md
"""

import argparse
import sys
from collections.abc import Callable

import keras
import numpy as np
from threshold_rows import head, row

from rnnkit import data, layers, metrics, models, text

# name: units, embedding, attention
ANSWERS: dict[str, tuple[int, int, Callable[[], layers.Attention]]] = {
    "reference: additive, 64 units, embedding 32": (64, 32, lambda: layers.AdditiveAttention(64)),
    "multiplicative, 96 units, embedding 48": (96, 48, layers.MultiplicativeAttention),
    "dot product, 64 units, embedding 32": (64, 32, layers.DotProductAttention),
}
# name: dates to learn from, epochs, threshold of the check
SETTINGS = {"short": (3200, 4, 0.15), "full": (6400, 5, 0.6)}


def share_right(answer: str, setting: str, seed: int) -> float:
    """Train one model as the exercise does, and let it read 200 new dates."""
    units, embedding, attention = ANSWERS[answer]
    count, epochs, _ = SETTINGS[setting]
    known = data.dates(count, seed=1)
    new = data.dates(200, seed=2, exclude=known.sources)
    reads = text.Vocabulary.from_texts(known.sources)
    writes = text.Vocabulary.from_texts(known.targets)
    source, _ = reads.encode(known.sources, length=36)
    targets, _ = writes.encode(known.targets)
    keras.utils.set_random_seed(seed)
    model = models.EncoderDecoder(
        len(reads), len(writes), units=units, embedding=embedding, attention=attention()
    )
    model.compile(
        optimizer=keras.optimizers.Adam(0.005, global_clipnorm=1.0),
        loss=models.masked_cross_entropy,
    )
    edge = np.ones((count, 1), dtype="int32")
    previous = np.hstack([edge * writes.bos_id, targets])
    following = np.hstack([targets, edge * writes.eos_id])
    model.fit(
        {"source": source, "previous": previous},
        following,
        batch_size=64,
        epochs=epochs,
        verbose=0,
    )
    ids, _ = reads.encode(new.sources, length=36)
    written = writes.decode(model.decode(ids, writes.bos_id, writes.eos_id, 11))
    return metrics.exact_match(written, new.targets)


def main() -> None:
    """Print the table; progress goes to stderr."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=12)
    seeds = parser.parse_args().seeds
    print("# Chance in the check of question 9, unit 06\n")
    print(f"`python benchmarks/date_thresholds.py --seeds {seeds}`\n")
    print("Share of 200 new dates that are read exactly right.\n")
    print(head())
    for setting, (*_, threshold) in SETTINGS.items():
        for answer in ANSWERS:
            shares = []
            for seed in range(seeds):
                shares.append(share_right(answer, setting, seed))
                print(f"{setting}, {answer}, seed {seed}: {shares[-1]:.3f}", file=sys.stderr)
            print(row((setting, answer), threshold, shares), flush=True)


if __name__ == "__main__":
    main()
