"""Probes of layers, neighbours, and weights by task, on a random biLM."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from elmo_labs import WORDS, GuessingTrainer, small_lab

from rnnkit import data
from rnnkit.elmo import StaticVectors
from rnnkit.experiments import (
    LayerProbesResult,
    LayerWeightsResult,
    elmo_layer_probes,
    elmo_layer_weights,
    elmo_neighbours,
)
from rnnkit.experiments.elmo_lab import POS, Tagged
from rnnkit.experiments.elmo_layers import (
    AROUND,
    KIT_COUNTS,
    PSEUDOWORDS,
    SENSES,
    STATIC,
    USES,
    pseudoword_vectors,
)
from rnnkit.experiments.elmo_neighbours import FRAMES, used_in_two_ways
from rnnkit.experiments.pseudowords import pseudowords
from rnnkit.plots import layer_weights

WITHOUT_CONTEXT = (STATIC, "layer 0")


@pytest.fixture(scope="module")
def probes():
    return elmo_layer_probes(seeds=(0, 1), lab=small_lab(), quiet=True)


@pytest.mark.parametrize("task", [PSEUDOWORDS, SENSES, USES])
def test_vectors_without_context_cannot_tell_two_things_of_one_form_apart(probes, task):
    for kind in WITHOUT_CONTEXT:
        assert probes.accuracy[task][kind].tolist() == [0.5, 0.5]


@pytest.mark.parametrize("name", KIT_COUNTS)
def test_all_sentences_of_the_kits_sets_are_taken(name):
    load = getattr(data, name)
    for split, count in KIT_COUNTS[name].items():
        assert len(load(count, split).sentences) == count
        with pytest.raises(ValueError, match="count must be no more"):
            load(count + 2, split)


def test_each_kind_of_vector_is_measured(probes):
    layers = [f"layer {number}" for number in range(3)]
    assert list(probes.accuracy[PSEUDOWORDS]) == [STATIC, AROUND, *layers]
    assert list(probes.accuracy[POS]) == [STATIC, *layers]
    assert all(each.shape == (2,) for kinds in probes.accuracy.values() for each in kinds.values())


def test_vectors_at_a_pseudoword_are_those_of_its_place():
    lab = small_lab()
    text = [["they", "watches", "the", "cat", "."], ["the", "dog"]]
    [made] = pseudowords(text, ["cat", "dog"], pairs=1)
    kinds, labels = pseudoword_vectors(lab, made)
    assert labels.tolist() == [0, 1]
    [layers] = lab.layers([["they", "watches", "the", "catdog", "."]])
    np.testing.assert_allclose(kinds["layer 2"][0], layers[2, 3], atol=1e-6)
    near = [lab.static.vector(word) for word in ("watches", "the", ".")]
    np.testing.assert_allclose(kinds[AROUND][0], np.mean(near, axis=0), rtol=1e-6)
    assert not kinds[STATIC].any()  # no static vector has such a form


def test_results_of_probes_become_curves_against_layers():
    kinds = {STATIC: np.array([0.1]), "layer 0": np.array([0.2]), "layer 1": np.array([0.3])}
    result = LayerProbesResult({POS: kinds}, [])
    assert result.series() == {POS: [(0, [0.2]), (1, [0.3])]}


def test_words_are_chosen_by_their_rarer_use():
    words = [["play", "work", "run"], ["play", "work", "run"], ["work", "cat"]]
    tags = [["NOUN", "NOUN", "VERB"], ["VERB", "VERB", "VERB"], ["VERB", "NOUN"]]
    text = Tagged(words, tags)
    assert used_in_two_ways(text) == ["play", "work"]


def test_neighbours_stand_where_the_result_says():
    lab = small_lab()
    result = elmo_neighbours(count=3, lab=lab, quiet=True)
    [word] = result.in_context
    for use, near in result.in_context[word].items():
        assert use in FRAMES
        assert len({each.word for each in near}) == len(near) == 3
        assert all(each.sentence[each.place] == each.word for each in near)
        cosines = [each.cosine for each in near]
        assert cosines == sorted(cosines, reverse=True)
    [frame] = lab.layers([[part.format(word) for part in FRAMES["NOUN"]]])
    first = result.in_context[word]["NOUN"][0]
    [there] = lab.layers([first.sentence])
    one, other = frame[2, FRAMES["NOUN"].index("{}")], there[2, first.place]
    cosine = np.dot(one, other) / np.linalg.norm(one) / np.linalg.norm(other)
    assert cosine == pytest.approx(first.cosine, abs=1e-5)


def test_static_neighbours_are_those_of_the_cosine():
    lab = small_lab()
    chosen = used_in_two_ways(Tagged(*_made("train")))[0]
    words = [chosen, *WORDS]
    matrix = np.eye(len(words))
    matrix[1] = matrix[0] + 0.1 * matrix[1]  # "the" is near the word
    lab._static = StaticVectors(words, matrix)
    result = elmo_neighbours(count=1, lab=lab, quiet=True)
    assert [each.word for each in result.static[chosen]] == ["the"]


def _made(split):
    made = data.tagged_sentences(200, split, seed=1)
    return made.sentences, made.tags


def test_shares_of_the_same_use_are_counted_over_all_occurrences():
    result = elmo_neighbours(lab=small_lab(), quiet=True)
    assert result.occurrences > 0
    assert list(result.same_use) == ["layer 0", "layer 1", "layer 2"]
    assert all(0 <= share <= 1 for share in [*result.same_use.values(), result.more_frequent])


def test_weights_of_each_task_sum_to_1_and_become_a_figure(change_setting):
    change_setting("elmo_lab", TaggerTrainer=GuessingTrainer)
    result = elmo_layer_weights(seeds=(0, 1), lab=small_lab(), quiet=True)
    assert len(result.weights) == 6  # two places of two taggers, films, pseudowords
    for each in result.weights.values():
        assert each.shape == (2, 3)
        np.testing.assert_allclose(each.sum(axis=1), 1.0, rtol=1e-5)
    layer_weights(result.means())


def test_mean_weights_are_over_seeds():
    result = LayerWeightsResult({"tags": np.array([[0.2, 0.8], [0.4, 0.6]])})
    assert result.means()["tags"] == pytest.approx([0.3, 0.7])
    assert result.series() == {"tags": [(0, [0.2, 0.4]), (1, [0.8, 0.6])]}
