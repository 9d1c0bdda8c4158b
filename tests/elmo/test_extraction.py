"""A sentence's vectors depend on the sentence alone, however it is read."""

import dataclasses
import subprocess
import sys

import keras
import numpy as np
import pytest
from conftest import SMALL, random_bilm
from hypothesis import given, settings
from hypothesis import strategies as st
from keras import ops

from rnnkit.elmo import extraction, few_sentences, word_vectors
from rnnkit.elmo.extraction import by_length, part_lengths

WORDS = [*"abcdefghij", "bank", "river", "Zürich", "unusualcompoundword" * 3]


def random_sentences(count: int, longest: int, seed: int = 0) -> list[list[str]]:
    generator = np.random.default_rng(seed)
    lengths = generator.integers(0, longest + 1, size=count)
    return [[str(word) for word in generator.choice(WORDS, size=n)] for n in lengths]


@pytest.fixture(scope="module")
def bilm():
    return random_bilm()


@pytest.fixture
def by_graphs(monkeypatch) -> None:
    """All is read by graphs, also what NumPy would read."""
    monkeypatch.setattr(few_sentences, "ONE_THREAD", 0)


@pytest.fixture(params=["as it comes", "by graphs"])
def either_way(request) -> None:
    """Read by NumPy where these are few sentences, and by graphs."""
    if request.param == "by graphs":
        request.getfixturevalue("by_graphs")


def assert_same(found, wanted, atol=1e-6) -> None:
    for one, other in zip(found, wanted, strict=True):
        assert one.shape == other.shape
        np.testing.assert_allclose(one, other, atol=atol)


@pytest.mark.parametrize("count", [1, 2, 3, 5, 9])
def test_how_many_words_are_new_changes_nothing(count: int) -> None:
    words = ["a" * (1 + 3 * number) for number in range(count)]
    together, alone = random_bilm(), random_bilm()
    assert_same(together.embed([[word] for word in words]), [alone.embed([[w]])[0] for w in words])


@pytest.mark.parametrize("batch_tokens", [1, 30, 100, 10_000])
def test_neighbours_and_batches_change_nothing(either_way, bilm, batch_tokens: int) -> None:
    sentences = random_sentences(40, 70)
    alone = [bilm.embed([sentence])[0] for sentence in sentences]
    assert_same(bilm.embed(sentences, batch_tokens=batch_tokens), alone)


def test_what_ran_before_changes_nothing(either_way, bilm) -> None:
    sentences = random_sentences(5, 12)
    before = bilm.embed(sentences)
    bilm.embed(random_sentences(9, 30, seed=1), stateful=True)
    bilm.embed(random_sentences(9, 30, seed=2))
    assert_same(bilm.embed(sentences), before)
    bilm.forget()


def test_stateless_is_the_first_stateful_call(either_way, bilm) -> None:
    sentences = random_sentences(6, 40)
    bilm.forget()
    first = bilm.embed(sentences, stateful=True)
    assert_same(bilm.embed(sentences), first)
    second = bilm.embed(sentences, stateful=True)
    longest = max(range(6), key=lambda row: len(sentences[row]))
    assert np.abs(second[longest] - first[longest]).max() > 1e-3  # the published complaint
    bilm.forget()


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 6, 7, 151])
def test_a_sentence_of_any_length_equals_the_model_at_once(either_way, bilm, length: int) -> None:
    from rnnkit.elmo import character_ids

    sentence = (["river", *["bank", "of"] * 75])[:length]
    whole = ops.convert_to_numpy(bilm(character_ids([sentence])))[0, :, 1:-1]
    np.testing.assert_allclose(bilm.embed([sentence])[0], whole, atol=2e-6)


def test_word_vectors_are_made_anew_where_they_do_not_all_fit(monkeypatch) -> None:
    sentences = random_sentences(30, 9)
    expected = random_bilm().embed(sentences)
    monkeypatch.setattr(
        word_vectors, "CACHE_BYTES", 5 * (4 * SMALL.projection + word_vectors.WORD_BYTES)
    )
    assert_same(random_bilm().embed(sentences, batch_tokens=24), expected)


def test_many_words_fit_into_a_growing_table() -> None:
    words = [f"w{number}" for number in range(1500)]
    together = random_bilm().embed([words])[0][0]
    few = random_bilm().embed([[words[0], words[700], words[-1]]])[0][0]
    np.testing.assert_allclose(together[[0, 700, -1]], few, atol=1e-6)


@pytest.mark.parametrize("which", range(len(random_bilm().characters.weights)))
def test_words_are_read_again_once_a_weight_has_changed(which: int) -> None:
    bilm, fresh = random_bilm(), random_bilm()
    sentences = [["bank", "no"]]
    bilm.embed(sentences)
    for each in (bilm, fresh):
        variable = each.characters.weights[which]
        variable.assign(ops.convert_to_numpy(variable) + 0.5)
    assert_same(bilm.embed(sentences), fresh.embed(sentences))


def test_words_are_read_again_where_the_sum_of_the_weights_stays() -> None:
    options = dataclasses.replace(SMALL, filters=((1, 240),))
    bilm, fresh = random_bilm(options), random_bilm(options)
    bilm.embed([["bank"]])
    for each in (bilm, fresh):
        kernel = each.characters.highways[0].kernel
        kernel.assign(np.flip(ops.convert_to_numpy(kernel), axis=0))
    assert_same(bilm.embed([["bank"]]), fresh.embed([["bank"]]))


def test_words_are_read_again_after_a_step_of_training() -> None:
    bilm, fresh = random_bilm(), random_bilm()
    before = bilm.embed([["bank", "no"]])[0]
    optimizer = keras.optimizers.Adam(0.1)
    optimizer.build(bilm.characters.trainable_variables)
    for _ in range(2):
        optimizer.apply([ops.ones_like(weight) for weight in bilm.characters.trainable_variables])
        after = bilm.embed([["bank", "no"]])[0]
        assert np.abs(after - before).max() > 1e-3
        before = after
    fresh.set_weights(bilm.get_weights())
    assert_same([before], fresh.embed([["bank", "no"]]))


def test_words_stay_known_while_no_weight_changes(monkeypatch) -> None:
    bilm = random_bilm()
    bilm.embed([["bank", "no"]])
    weights = bilm.get_weights()
    bilm.set_weights(weights)  # written anew, with the same numbers
    added: list[str] = []
    add = bilm.extraction.words._add
    monkeypatch.setattr(bilm.extraction.words, "_add", lambda new: (added.extend(new), add(new)))
    bilm.embed([["no", "bank", "bank"], ["new"]])
    assert added == ["new"]


def test_changed_lstm_weights_count_at_once(either_way) -> None:
    bilm, other = random_bilm(seed=0), random_bilm(seed=1)
    bilm.embed([["bank"]])
    bilm.set_weights(other.get_weights())
    assert_same(bilm.embed([["bank"]]), other.embed([["bank"]]))


def test_copies_for_reading_are_no_weights_of_the_model() -> None:
    bilm = random_bilm()
    before = [id(each) for each in bilm.weights]
    bilm.embed([["bank"]])
    assert [id(each) for each in bilm.weights] == before


def test_many_models_in_one_process_write_nothing_to_stderr(by_graphs, capfd) -> None:
    """Stock nbgrader gives 0 to a cell that writes there."""
    for seed in range(7):
        random_bilm(seed=seed).embed([["bank"]])
    assert capfd.readouterr().err == ""


@pytest.mark.slow
def test_a_first_call_writes_nothing_to_stderr() -> None:
    code = (
        "from rnnkit.elmo import BiLM, BiLMOptions;"
        "bilm = BiLM(BiLMOptions(memory=4, projection=2, filters=((1, 2),)));"
        "print(bilm.embed([['bank']])[0].shape, len(bilm.embed([['bank'], ['no']])))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "(3, 1, 4) 2\n"
    assert done.stderr == ""


def test_words_shorter_than_the_widest_filter_are_refused() -> None:
    bilm = random_bilm(dataclasses.replace(SMALL, filters=((7, 2),), max_characters=5))
    with pytest.raises(ValueError, match="at least 7 character ids"):
        bilm.embed([["bank"]])


def test_no_sentences_give_no_vectors(bilm) -> None:
    assert bilm.embed([]) == []


def test_a_text_is_refused(bilm) -> None:
    with pytest.raises(TypeError, match="split it into words"):
        bilm.embed(["the bank"])


def test_a_batch_of_no_tokens_is_refused(bilm) -> None:
    with pytest.raises(ValueError, match="batch_tokens >= 1"):
        bilm.embed([["a"]], batch_tokens=0)


@given(length=st.integers(1, 500))
def test_parts_cover_a_sentence_with_one_place_of_padding_at_most(length: int) -> None:
    parts = part_lengths(length)
    assert all(part in range(2, extraction.LONGEST_PART + 1, 2) for part in parts)
    assert sum(parts) - length in (0, 1)


@settings(deadline=None)
@given(lengths=st.lists(st.integers(0, 100), max_size=60), tokens=st.integers(1, 400))
def test_batches_hold_each_sentence_once_and_no_more_tokens_than_told(lengths, tokens) -> None:
    batches = by_length(lengths, tokens)
    assert sorted(place for batch in batches for place in batch) == list(range(len(lengths)))
    for batch in batches:
        longest = max(lengths[place] for place in batch)
        assert len(batch) == 1 or len(batch) * sum(part_lengths(longest + 2)) <= tokens


def test_sixteen_bits_give_nearly_the_same(bilm) -> None:
    from rnnkit.elmo import BiLM

    half = BiLM(dataclasses.replace(SMALL), dtype="mixed_bfloat16")
    half.set_weights(bilm.get_weights())
    sentences = random_sentences(3, 9)
    assert_same(half.embed(sentences), bilm.embed(sentences), atol=0.1)
