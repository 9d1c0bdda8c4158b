import datetime

import babel.dates
import numpy as np
import pytest

from rnnkit.data import date_set, dates

EVERY_PATTERN = [
    (language, pattern)
    for language in date_set.LANGUAGES
    for pattern in date_set._patterns(language)
]


@pytest.fixture(scope="module")
def sample():
    return dates(600, seed=3)


def days_of(*years):
    for year in years:
        first = datetime.date(year, 1, 1).toordinal()
        for ordinal in range(first, datetime.date(year, 12, 31).toordinal() + 1):
            yield datetime.date.fromordinal(ordinal)


def as_babel_writes(pattern):
    return "".join(form if letter else f"'{form}'" for letter, form in pattern)


def alignment_of(day, language, pattern):
    source, spans = date_set._write(day, language, pattern)
    return source, date_set._align(source, day.isoformat(), spans)


def linked(links, source, row):
    return "".join(np.array(list(source))[links[row]])


def test_the_same_seed_gives_the_same_dates(sample):
    assert dates(600, seed=3)[:3] == sample[:3]


def test_another_seed_gives_other_dates(sample):
    assert dates(600, seed=4).sources != sample.sources


def test_targets_are_iso_dates_of_1950_to_2050(sample):
    years = [datetime.date.fromisoformat(target).year for target in sample.targets]
    assert min(years) >= 1950
    assert max(years) <= 2050


def test_no_source_comes_twice(sample):
    assert len(set(sample.sources)) == 600


def test_no_source_has_more_than_36_characters(sample):
    assert max(map(len, sample.sources)) <= 36


def test_all_languages_are_used(sample):
    assert set(sample.languages) == set(date_set.LANGUAGES)


def test_only_the_languages_asked_for_are_used():
    assert set(dates(50, languages=["sv", "de"]).languages) == {"sv", "de"}


def test_excluded_sources_do_not_come_up():
    train = dates(3000, seed=1, languages=["en"])
    test = dates(300, seed=1, languages=["en"], exclude=train.sources)
    assert not set(train.sources) & set(test.sources)


@pytest.mark.parametrize("language", date_set.LANGUAGES)
def test_each_language_has_several_patterns(language):
    assert len(date_set._patterns(language)) >= 4


@pytest.mark.parametrize("language", date_set.LANGUAGES)
def test_sources_are_what_babel_writes(language):
    day = datetime.date(2026, 11, 7)
    for pattern in date_set._patterns(language):
        expected = babel.dates.format_date(day, as_babel_writes(pattern), locale=language)
        assert date_set._write(day, language, pattern)[0] == expected


def test_a_full_date_is_what_babel_calls_full():
    day = datetime.date(2026, 11, 27)
    pattern = date_set._patterns("de")[0]
    assert date_set._write(day, "de", pattern)[0] == "Freitag, 27. November 2026"


def test_no_text_means_two_dates():
    meaning: dict[str, datetime.date] = {}
    for day in days_of(1999, 2000):
        for language, pattern in EVERY_PATTERN:
            source, _ = date_set._write(day, language, pattern)
            assert meaning.setdefault(source, day) == day, source


def test_american_dates_in_digits_are_left_out():
    pattern = (("M", "M"), ("", "/"), ("d", "d"), ("", "/"), ("y", "y"))
    assert not date_set._has_one_reading(pattern)


def test_years_of_two_digits_are_left_out():
    pattern = (("d", "d"), ("", "."), ("M", "M"), ("", "."), ("y", "yy"))
    assert not date_set._has_one_reading(pattern)


def test_alignments_have_the_shape_target_by_source(sample):
    for source, target, links in zip(
        sample.sources, sample.targets, sample.alignments, strict=True
    ):
        assert links.sure.shape == links.possible.shape == (len(target), len(source))
        assert links.sure.dtype == links.possible.dtype == bool


def test_sure_links_join_equal_digits(sample):
    for source, target, links in zip(
        sample.sources, sample.targets, sample.alignments, strict=True
    ):
        for row, column in np.argwhere(links.sure):
            assert target[row] == source[column]


def test_each_sure_link_is_possible(sample):
    assert not any((links.sure & ~links.possible).any() for links in sample.alignments)


def test_hyphens_have_no_links(sample):
    assert not any(links.possible[[4, 7]].any() for links in sample.alignments)


def test_each_digit_of_a_target_has_a_link(sample):
    digits = [0, 1, 2, 3, 5, 6, 8, 9]
    assert all(links.possible[digits].any(axis=1).all() for links in sample.alignments)


def test_both_digits_of_a_month_may_come_from_all_of_its_name():
    source, links = alignment_of(datetime.date(2026, 11, 27), "de", date_set._patterns("de")[0])
    assert linked(links.possible, source, 5) == "November"
    assert linked(links.possible, source, 6) == "November"
    assert not links.sure[5:7].any()


def test_the_digits_of_a_year_come_from_the_same_places():
    source, links = alignment_of(datetime.date(1991, 1, 9), "de", date_set._patterns("de")[1])
    assert source == "9. Januar 1991"
    assert np.argwhere(links.sure[0:4]).tolist() == [[0, 10], [1, 11], [2, 12], [3, 13]]


def test_a_leading_zero_may_come_from_the_single_digit_of_the_day():
    source, links = alignment_of(datetime.date(2026, 11, 7), "de", date_set._patterns("de")[1])
    assert source == "7. November 2026"
    assert linked(links.possible, source, 8) == "7"
    assert not links.sure[8].any()
    assert linked(links.sure, source, 9) == "7"


def test_a_written_zero_of_the_day_is_sure():
    pattern = date_set._parse("dd.MM.y")
    source, links = alignment_of(datetime.date(2026, 11, 7), "de", pattern)
    assert source == "07.11.2026"
    assert np.argwhere(links.sure[8:10]).tolist() == [[0, 0], [1, 1]]
    assert (links.possible[8:10] == links.sure[8:10]).all()


def test_no_dates_are_no_dates():
    assert dates(0) == ([], [], [], [])


def test_a_negative_count_is_refused():
    with pytest.raises(ValueError, match="Received: -1"):
        dates(-1)


@pytest.mark.parametrize("languages", [["de", "xx"], [], "de"])
def test_unknown_languages_are_refused(languages):
    with pytest.raises(ValueError, match="languages must be a list of some of de, en"):
        dates(1, languages=languages)


def test_asking_for_more_dates_than_there_are_is_refused(monkeypatch):
    monkeypatch.setattr(date_set, "_LAST_DAY", date_set._FIRST_DAY)
    with pytest.raises(ValueError, match="Received: count=50"):
        dates(50, languages=["en"])


def test_a_whole_set_cannot_be_excluded_by_mistake():
    with pytest.raises(ValueError, match=r"such as .*train\.sources. Received: DateSet"):
        dates(1, exclude=dates(1))
