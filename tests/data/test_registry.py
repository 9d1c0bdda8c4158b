import pytest

from rnnkit.data import DataInfo, DataTable, load, register, registry, reversals, sets

INFO = {
    "kind": "generated",
    "description": "numbers to try the registry with",
    "size": "any count",
    "licence": "MIT",
    "source": "this test",
}


@pytest.fixture
def numbers(monkeypatch):
    """A set of its own, gone after the test."""
    monkeypatch.setattr(registry, "_INFOS", dict(registry._INFOS))
    monkeypatch.setattr(registry, "_LOADERS", dict(registry._LOADERS))
    monkeypatch.setattr(registry, "_told", set())

    @register(DataInfo(name="numbers", **INFO))
    def numbers(count=3):
        return list(range(count))

    return numbers


def test_a_set_is_loaded_by_its_name_with_its_settings(numbers):
    assert load("numbers", count=2) == [0, 1]


def test_a_registered_function_stays_as_it_is(numbers):
    assert numbers(count=1) == [0]


def test_loading_says_size_licence_and_source_on_stdout_once(numbers, capsys):
    load("numbers")
    load("numbers")
    output = capsys.readouterr()
    assert output.err == ""
    assert output.out == (
        "numbers: numbers to try the registry with. "
        "Size: any count. Licence: MIT. Source: this test.\n"
    )


def test_quiet_loading_prints_nothing(numbers, capsys):
    load("numbers", quiet=True)
    assert capsys.readouterr().out == ""


def test_a_quiet_load_does_not_use_up_the_line(numbers, capsys):
    load("numbers", quiet=True)
    load("numbers")
    assert capsys.readouterr().out.startswith("numbers: ")


def test_an_unknown_name_is_answered_with_near_ones():
    with pytest.raises(ValueError, match=r"Received: 'reversal'\. Near it: reversals"):
        load("reversal")


def test_a_name_like_no_other_is_answered_with_all():
    with pytest.raises(ValueError, match=r"Received: 'qqqq'\. There are: .*dates.*reversals"):
        load("qqqq")


def test_a_name_that_is_no_string_is_refused():
    with pytest.raises(ValueError, match="Received: None"):
        load(None)


def test_an_unknown_setting_is_answered_with_the_known_ones():
    known = "count, seed, minimum, maximum, alphabet"
    with pytest.raises(TypeError, match=f"takes the settings {known}. Received: cuont"):
        load("reversals", cuont=3)


def test_an_error_inside_a_set_is_not_hidden():
    with pytest.raises(ValueError, match="count must be 0 or more"):
        load("reversals", count=-1)


def test_a_name_cannot_be_taken_twice(numbers, monkeypatch):
    def other():
        return []

    other.__module__ = "elsewhere"
    with pytest.raises(ValueError, match="Received: 'numbers' again"):
        register(DataInfo(name="numbers", **INFO))(other)


def test_a_kind_must_be_one_of_three():
    with pytest.raises(ValueError, match="Received: 'stolen'"):
        DataInfo(name="numbers", **{**INFO, "kind": "stolen"})


def test_the_table_has_a_row_for_each_set_under_a_heading():
    lines = repr(sets()).splitlines()
    assert lines[0].split() == ["name", "what", "size", "licence", "source", "kind"]
    first_words = [line.split()[0] for line in lines[2:] if not line.startswith(" ")]
    assert first_words == [info.name for info in sets()]


def test_the_table_is_not_wider_than_a_screen():
    assert max(map(len, repr(sets()).splitlines())) <= 180


def test_an_empty_table_still_has_its_heading():
    assert repr(DataTable()).startswith("name")


@pytest.mark.parametrize("info", sets(), ids=lambda info: info.name)
def test_each_set_is_named_as_its_function(info):
    assert registry._LOADERS[info.name].__name__ == info.name


@pytest.mark.parametrize("info", sets(), ids=lambda info: info.name)
def test_what_stands_in_is_a_generated_set(info):
    generated = {each.name for each in sets() if each.kind == "generated"}
    assert info.stands_in in (generated if info.kind != "generated" else {None})


@pytest.mark.parametrize("info", sets(), ids=lambda info: info.name)
def test_each_set_has_a_size_a_licence_and_a_source(info):
    assert all((info.description, info.size, info.licence, info.source))


def test_load_gives_what_the_function_gives():
    assert load("reversals", count=5, seed=3, quiet=True) == reversals(5, seed=3)
