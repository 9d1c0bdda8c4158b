"""Pairs of a good and a bad sentence that differ in one point of grammar."""

import difflib
import json
from pathlib import Path
from typing import NamedTuple

from rnnkit.data.download import RemoteFile, fetch, on_github
from rnnkit.data.reading import numbered_lines, odd_line, read_text
from rnnkit.data.registry import DataInfo, register

PARADIGMS = (
    "adjunct_island",
    "anaphor_gender_agreement",
    "anaphor_number_agreement",
    "animate_subject_passive",
    "animate_subject_trans",
    "causative",
    "complex_NP_island",
    "coordinate_structure_constraint_complex_left_branch",
    "coordinate_structure_constraint_object_extraction",
    "determiner_noun_agreement_1",
    "determiner_noun_agreement_2",
    "determiner_noun_agreement_irregular_1",
    "determiner_noun_agreement_irregular_2",
    "determiner_noun_agreement_with_adj_2",
    "determiner_noun_agreement_with_adj_irregular_1",
    "determiner_noun_agreement_with_adj_irregular_2",
    "determiner_noun_agreement_with_adjective_1",
    "distractor_agreement_relational_noun",
    "distractor_agreement_relative_clause",
    "drop_argument",
    "ellipsis_n_bar_1",
    "ellipsis_n_bar_2",
    "existential_there_object_raising",
    "existential_there_quantifiers_1",
    "existential_there_quantifiers_2",
    "existential_there_subject_raising",
    "expletive_it_object_raising",
    "inchoative",
    "intransitive",
    "irregular_past_participle_adjectives",
    "irregular_past_participle_verbs",
    "irregular_plural_subject_verb_agreement_1",
    "irregular_plural_subject_verb_agreement_2",
    "left_branch_island_echo_question",
    "left_branch_island_simple_question",
    "matrix_question_npi_licensor_present",
    "npi_present_1",
    "npi_present_2",
    "only_npi_licensor_present",
    "only_npi_scope",
    "passive_1",
    "passive_2",
    "principle_A_c_command",
    "principle_A_case_1",
    "principle_A_case_2",
    "principle_A_domain_1",
    "principle_A_domain_2",
    "principle_A_domain_3",
    "principle_A_reconstruction",
    "regular_plural_subject_verb_agreement_1",
    "regular_plural_subject_verb_agreement_2",
    "sentential_negation_npi_licensor_present",
    "sentential_negation_npi_scope",
    "sentential_subject_island",
    "superlative_quantifiers_1",
    "superlative_quantifiers_2",
    "tough_vs_raising_1",
    "tough_vs_raising_2",
    "transitive",
    "wh_island",
    "wh_questions_object_gap",
    "wh_questions_subject_gap",
    "wh_questions_subject_gap_long_distance",
    "wh_vs_that_no_gap",
    "wh_vs_that_no_gap_long_distance",
    "wh_vs_that_with_gap",
    "wh_vs_that_with_gap_long_distance",
)
# Those of the other paradigms are not known: recorded at the first download.
_SHA256 = {
    "anaphor_number_agreement": (
        "05c16b8bfe4feb5b3552dc2c53d1742ce0c91d9a1c896684335bdddd4373cc9b"
    ),
    "determiner_noun_agreement_1": (
        "f48065fd760d0fd1a895012860d38bdf3c2ac115cd221e521684cc430c0f1855"
    ),
    "distractor_agreement_relational_noun": (
        "37c1553f4c6594b162256edce0f6b40bad1898b311c8aaa69605b526b6494a34"
    ),
    "distractor_agreement_relative_clause": (
        "854728b6db8f23f12583f7332b654835351eaedb50783e6f2a3bf6c101b8c422"
    ),
    "irregular_plural_subject_verb_agreement_1": (
        "0066174143671bffa54232d89254d14221afab666273edfefdfb625fbb75e226"
    ),
    "npi_present_1": "9aa85dc5c2b0d85ea51f21db50d6d327ab5b45d1669e386d54b1360d3ac954af",
    "regular_plural_subject_verb_agreement_1": (
        "1a18d94062c8e792c0a200a3b00dff0e051a92bb084c05e9b5e5c73bee32a620"
    ),
    "regular_plural_subject_verb_agreement_2": (
        "e5b4668811e63b00ac4c9569cb9553281a39c21df43256905ad78e59ae24942c"
    ),
}
_FILES = {
    paradigm: RemoteFile(
        name=f"{paradigm}.jsonl",
        folder="blimp",
        address=on_github(
            "alexwarstadt/blimp",
            "3e56b06fcabca9b30822fc66435fca6b1aa40bb1",
            f"data/{paradigm}.jsonl",
        ),
        sha256=_SHA256.get(paradigm),
        stands_in="agreement",
    )
    for paradigm in PARADIGMS
}


class MinimalPairs(NamedTuple):
    """Pairs of sentences that differ in one point of grammar.

    Args:
        good: The good sentence of each pair.
        bad: The bad one.
    """

    good: list[str]
    bad: list[str]


@register(
    DataInfo(
        name="blimp",
        kind="download",
        description="pairs of a good and a bad English sentence, by point of grammar (BLiMP)",
        size="67 paradigms of 1,000 pairs, 0.5 MB each",
        licence="CC BY 4.0",
        source="Warstadt and others (2020), github.com/alexwarstadt/blimp",
        stands_in="agreement",
    )
)
def blimp(paradigm: str = "distractor_agreement_relational_noun") -> MinimalPairs:
    """Load the pairs of one paradigm.

    A language model knows the point of grammar if it finds the good sentence
    more probable than the bad one; chance is 50 %. Taught in unit 03,
    section s12.

    Args:
        paradigm: The name of the point of grammar. In the default, another
            noun stands between a subject and its verb. All names are in
            ``rnnkit.data.real_blimp.PARADIGMS``.

    Returns:
        The pairs.

    Raises:
        ValueError: There is no such paradigm.
        DataError: The file cannot be had, or has a line that is not of its form.
    """
    if paradigm not in _FILES:
        near = difflib.get_close_matches(str(paradigm), PARADIGMS, n=3, cutoff=0.4)
        raise ValueError(
            f"paradigm must be one of the {len(PARADIGMS)} in rnnkit.data.real_blimp.PARADIGMS. "
            f"Received: {paradigm!r}. Near it: {', '.join(near) or 'none'}"
        )
    return _read_pairs(fetch(_FILES[paradigm]))


def _read_pairs(path: Path) -> MinimalPairs:
    pairs = MinimalPairs([], [])
    for number, line in numbered_lines(read_text(path)):
        try:
            fields = json.loads(line)
            good, bad = fields["sentence_good"], fields["sentence_bad"]
        except (ValueError, KeyError, TypeError) as error:
            expected = 'a JSON object with "sentence_good" and "sentence_bad"'
            raise odd_line(path, number, expected, line) from error
        pairs.good.append(good)
        pairs.bad.append(bad)
    return pairs
