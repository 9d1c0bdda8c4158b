import itertools
from collections import Counter, defaultdict

import numpy as np
import pytest

from rnnkit.decoding import sample
from rnnkit.models import KneserNey


class Reference:
    """The formulas once more, with tuples and dictionaries."""

    def __init__(self, order, sequences, size):
        self.size = size
        self.order = order
        grams = Counter(
            tuple(row[max(0, i - order + 1) : i + 1])
            for row in sequences
            for i in range(1, len(row))
        )
        # Those of full length, and those that began a sequence.
        self.counts = defaultdict(Counter)
        for gram, count in grams.items():
            self.counts[len(gram)][gram] += count
        for length in range(order, 1, -1):
            for gram in self.counts[length]:
                self.counts[length - 1][gram[1:]] += 1

    def discount(self, length):
        values = list(self.counts[length].values())
        once, twice = values.count(1), values.count(2)
        return once / (once + 2 * twice) if once and twice else 0.5

    def probability(self, history, symbol):
        history = tuple(history)[max(0, len(history) - self.order + 1) :]
        result = 1 / self.size
        for length in range(1, len(history) + 2):
            context = history[len(history) - length + 1 :]
            followers = {
                gram[-1]: count
                for gram, count in self.counts[length].items()
                if gram[:-1] == context
            }
            if not followers:
                break
            total, d = sum(followers.values()), self.discount(length)
            kept = max(followers.get(symbol, 0) - d, 0)
            result = (kept + d * len(followers) * result) / total
        return result


def random_sequences(seed, size=7, rows=12):
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet(np.full(size - 1, 0.5))
    return [
        rng.choice(np.arange(1, size), rng.integers(1, 15), p=weights).tolist() for _ in range(rows)
    ]


@pytest.mark.parametrize(
    ("order", "seed"), [(order, seed) for order in (1, 2, 3, 5) for seed in (0, 1)]
)
def test_each_probability_is_that_of_the_formulas(order, seed):
    train, test = random_sequences(seed), random_sequences(seed + 10)
    model = KneserNey(order).fit(train, vocabulary_size=8)
    reference = Reference(order, train, 8)
    found = np.exp(model.log_probabilities(test))
    for row, sequence in enumerate(test):
        expected = [
            reference.probability(sequence[:i], sequence[i]) for i in range(1, len(sequence))
        ]
        np.testing.assert_allclose(found[row, : len(expected)], expected, rtol=1e-12)


@pytest.mark.parametrize("order", [1, 2, 4])
def test_the_probabilities_of_all_next_symbols_sum_to_one(order):
    train = random_sequences(3)
    model = KneserNey(order).fit(train, vocabulary_size=9)
    contexts = [*itertools.product(range(1, 9), repeat=2), *((a,) for a in range(1, 9))]
    for context in contexts:  # seen and unseen ones
        state = model.first_state(1)
        for symbol in context:
            scores, state = model.step(np.array([symbol]), state)
        np.testing.assert_allclose(np.exp(scores).sum(axis=1), 1.0, atol=1e-12)


def test_a_number_counted_by_hand():
    # Characters of "abababab" and "aaab", with a = 1, b = 2 and one more symbol, 3.
    model = KneserNey(order=2).fit([[1, 2] * 4, [1, 1, 1, 2]], vocabulary_size=4)
    # Order 1 counts what stands before: a has 2, b has 1, so D = 1 / (1 + 2).
    # Order 2: ab 5, ba 3, aa 2, and no count of 1, so D = 1/2.
    assert model.discounts == pytest.approx([1 / 3, 1 / 2])
    b = (1 - 1 / 3) / 3 + (1 / 3 * 2 / 3) / 4
    expected = 4.5 / 7 + (0.5 * 2 / 7) * b
    assert np.exp(model.log_probabilities([[1, 2]])).item() == pytest.approx(expected)
    unseen = (1 / 3 * 2 / 3) / 4
    assert np.exp(model.log_probabilities([[1, 3]])).item() == pytest.approx(0.5 * 2 / 7 * unseen)


def test_a_word_that_follows_one_word_alone_is_unlikely_elsewhere():
    # 2 comes six times, always after 1; 3 comes three times, after three symbols.
    sequences = [[4, 1, 2], [5, 1, 2]] * 3 + [[4, 3], [5, 3], [6, 3]]
    model = KneserNey(order=2).fit(sequences, vocabulary_size=8)
    after_new = np.exp(model.log_probabilities([[7, 2], [7, 3]]))[:, 0]
    assert after_new[1] > 2 * after_new[0]


def test_the_beginnings_of_sentences_are_counted_as_often_as_they_come():
    # With 1 as the beginning, 2 comes first nine times of ten.
    sequences = [[1, 2, 4]] * 9 + [[1, 3, 4]]
    model = KneserNey(order=4).fit(sequences, vocabulary_size=5)
    assert np.exp(model.log_probabilities([[1, 2]])).item() > 0.8


def test_steps_give_what_whole_sequences_give():
    train = random_sequences(5)
    model = KneserNey(3).fit(train, vocabulary_size=8)
    sequence = [3, 1, 4, 1, 5, 7, 2, 6]
    state, stepped = model.first_state(1), []
    for now, following in itertools.pairwise(sequence):
        scores, state = model.step(np.array([now]), state)
        stepped.append(scores[0, following])
    np.testing.assert_allclose(stepped, model.log_probabilities([sequence])[0], rtol=1e-12)


def test_rows_of_a_batch_do_not_mix():
    model = KneserNey(3).fit(random_sequences(6), vocabulary_size=8)
    both, _ = model.step(np.array([2, 3]), model.first_state(2))
    one, _ = model.step(np.array([3]), model.first_state(1))
    np.testing.assert_array_equal(both[1:], one)


def test_it_can_be_sampled_from():
    model = KneserNey(2).fit([[1, 2, 3] * 30], vocabulary_size=4)
    written = sample(model.step, model.first_state(2), 2, bos_id=1, eos_id=None, max_length=30)
    follows = {(int(a), int(b)) for row in written for a, b in itertools.pairwise(row)}
    assert {(1, 2), (2, 3), (3, 1)} <= follows


def test_padding_counts_for_nothing():
    lists = [[1, 2, 3, 2], [3, 1]]
    array = np.array([[1, 2, 3, 2, 0], [3, 1, 0, 0, 0]])
    from_lists, from_array = (KneserNey(3).fit(each, 4) for each in (lists, array))
    values = from_lists.log_probabilities(lists)
    np.testing.assert_array_equal(from_array.log_probabilities(array)[:, :3], values)
    assert values.shape == (2, 3)
    assert values[1].tolist()[1:] == [0.0, 0.0]
    assert from_lists.perplexity(lists) == from_array.perplexity(array)


def test_the_perplexity_is_over_all_real_symbols():
    model = KneserNey(2).fit([[1, 2, 3, 2], [3, 1]], 4)
    values = model.log_probabilities([[1, 2, 3], [3, 1]])
    expected = np.exp(-(values[0, 0] + values[0, 1] + values[1, 0]) / 3)
    assert model.perplexity([[1, 2, 3], [3, 1]]) == pytest.approx(expected)


def test_sequences_shorter_than_the_order_are_enough():
    model = KneserNey(5).fit([[1, 2], [1, 3]], 4)
    assert np.exp(model.log_probabilities([[1, 2]])).item() > 0.3


def test_a_longer_memory_knows_a_longer_pattern():
    text = [1, 1, 2, 1, 1, 3] * 50  # after 1 1, the symbol before decides
    short, long = (KneserNey(order).fit([text]).perplexity([text]) for order in (3, 4))
    assert long < 1.05 < 1.2 < short


@pytest.mark.parametrize(
    ("sequences", "message"),
    [
        ([[1, 8]], "from 0 to 7.*Received: 8"),
        ([[1, -1]], "from 0 to 7.*Received: -1"),
        ([[1, 0, 2]], "0 is padding"),
        (["ab"], "rnnkit.text.Vocabulary"),
        ([1, 2], "rnnkit.text.Vocabulary"),
        ([[1], []], "at least one of two symbols.*Received: 2 sequences"),
        ([], "Received: 0 sequences"),
    ],
)
def test_what_is_no_list_of_ids_is_refused(sequences, message):
    with pytest.raises(ValueError, match=message):
        KneserNey(2).fit(sequences, vocabulary_size=8)


def test_a_model_that_was_not_fitted_says_so():
    with pytest.raises(ValueError, match="must be fitted first"):
        KneserNey(2).log_probabilities([[1, 2]])


def test_order_0_is_refused():
    with pytest.raises(ValueError, match="order=0"):
        KneserNey(0)
