import ast
from collections import Counter, defaultdict

import pytest

from rnnkit.data import text_to_text
from rnnkit.data.text_to_text_set import _NUMBERS, TASKS


@pytest.fixture(scope="module")
def sample():
    return text_to_text(4000, seed=1)


def pairs(data, task):
    """Sources without their task, and targets."""
    rows = zip(*data, strict=True)
    return [
        (source.removeprefix(f"{task} : "), target)
        for source, target, its_task in rows
        if its_task == task
    ]


def leaves(tree):
    return [token for token in tree.split() if token not in ("(", ")", "s", "np", "vp")]


def test_each_source_names_its_task(sample):
    for source, task in zip(sample.sources, sample.tasks, strict=True):
        assert source.startswith(f"{task} : ")


def test_all_tasks_come_up_about_equally(sample):
    counts = Counter(sample.tasks)
    assert sorted(counts) == sorted(TASKS)
    assert min(counts.values()) > 400


def test_a_source_has_only_one_target(sample):
    targets = defaultdict(set)
    for source, target in zip(sample.sources, sample.targets, strict=True):
        targets[source].add(target)
    assert all(len(found) == 1 for found in targets.values())


def test_tokens_stand_between_single_spaces(sample):
    for text in [*sample.sources, *sample.targets]:
        assert text == " ".join(text.split())


def test_copies_are_the_same(sample):
    assert all(source == target for source, target in pairs(sample, "copy"))


def test_reversed_words_are_the_same_from_the_end(sample):
    for source, target in pairs(sample, "reverse"):
        assert target.split() == source.split()[::-1]


def test_sorted_words_are_in_the_order_of_the_alphabet(sample):
    for source, target in pairs(sample, "sort"):
        assert target.split() == sorted(source.split())


def test_a_headline_has_four_words_of_the_report_in_another_order(sample):
    for source, target in pairs(sample, "summarise"):
        city, role, verb, building = target.split()
        report = source.split()
        assert report[report.index("the") + 1] == role
        assert report[report.index("of") + 1] == city
        assert building in report
        assert verb.endswith("s")
        assert verb not in report


def test_an_answer_comes_from_the_fact_that_is_asked_for(sample):
    for source, target in pairs(sample, "answer"):
        *facts, question = source.removesuffix(" ?").split(" . ")
        wanted = question.removeprefix("what colour is the ").removeprefix("who has something ")
        wanted = wanted.removeprefix("who has a ").removeprefix("what does ").removesuffix(" have")
        (fact,) = [fact for fact in facts if wanted in fact.split()]
        assert target in fact


def test_a_reply_takes_up_what_was_said(sample):
    for source, target in pairs(sample, "reply"):
        said = set(source.split()) - {".", ",", "?", "i", "am", "the", "a"}
        assert said & set(target.split())


def test_trees_have_the_words_of_the_sentence_as_leaves(sample):
    for source, target in pairs(sample, "parse"):
        assert leaves(target) == source.split()
        assert target.count("(") == target.count(")") == 4


def test_code_has_the_value_that_the_words_name(sample):
    names = {word: number for number, word in enumerate(_NUMBERS)}
    values = {**names, "x": 11, "y": 13, "z": 17, "n": 19}
    act = {
        "sum": lambda a, b: a + b,
        "product": lambda a, b: a * b,
        "difference": lambda a, b: a - b,
    }

    def value(words):
        word = words.pop(0)
        if word != "the":
            return values[word]
        name = words.pop(0)
        assert words.pop(0) == "of"
        left = value(words)
        assert words.pop(0) == "and"
        return act[name](left, value(words))

    for source, target in pairs(sample, "code"):
        expression = target.removeprefix("print ")
        ast.parse(target)
        assert eval(expression, {}, dict(values)) == value(source.split()[1:])


def test_only_the_tasks_asked_for_come_up():
    assert set(text_to_text(50, tasks=["parse", "copy"]).tasks) == {"parse", "copy"}


@pytest.mark.parametrize("tasks", [[], ["translate"], "copy"])
def test_unknown_tasks_are_refused(tasks):
    with pytest.raises(ValueError, match="tasks must be a list of some of copy, reverse"):
        text_to_text(1, tasks=tasks)
