"""A student's notebook with the exercise's own cells in place again.

The rules, in short. A cell that the student may not change gets its released
text. Of a test cell that stands twice, one is kept. An answer that stands
twice is one of three things: the same text again (one is kept); parts of one
answer (joined in order, when one part is not whole or lacks what the others
define); several whole answers (the last one that is Python is graded, the
others are kept as text that is not run). A missing cell is put back at its
place. Cells are moved only where one would otherwise run before what it needs.
The student's own cells stay where they are.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from nbformat.notebooknode import NotebookNode, from_dict

from rnnkit.grading.canon import Canon, CanonCell, same_text
from rnnkit.grading.changes import CHANGES, changed_marks
from rnnkit.grading.code_names import defined_names, parses, used_names
from rnnkit.grading.matching import Matching, longest_in_order
from rnnkit.grading.mending import Mending, listed, shown
from rnnkit.grading.reading import HandedInCell

__all__ = ["Repaired", "repair"]

_FENCE = re.compile(r"^\s*```\w*\s*\n(.*?)\n\s*```\s*$", re.DOTALL)
_ID = re.compile(r"^[a-zA-Z0-9-_]{1,64}$")
FARTHEST_PART = 3  # cells without an id that may be the rest of a split answer
NOT_RUN = "Another version of the answer {name} stood here. It was not run:\n\n"


@dataclass
class Repaired:
    """A mended notebook.

    Args:
        notebook: It holds every cell of the exercise once, and the student's own.
        found: How many of the graded cells, or of the answers that they grade,
            were there in some form. With 0 it is another notebook.
        mendings: What was put right.
        doubtful: Graded cells whose answer was not found although the student's
            own cells may hold it. A person must look where one of them fails.
    """

    notebook: NotebookNode
    found: int
    mendings: list[Mending]
    doubtful: list[str]


@dataclass
class _Item:
    """A cell of the mended notebook, still on its way."""

    canon: CanonCell | None
    cell_type: str
    source: str
    attachments: dict[str, Any] = field(default_factory=dict)
    ids: tuple[str, ...] = ()


def repair(canon: Canon, cells: Sequence[HandedInCell]) -> Repaired:
    """Put the exercise's cells in place again.

    Args:
        canon: The exercise.
        cells: What was handed in.
    """
    return _Repair(canon, cells).done()


class _Repair:
    def __init__(self, canon: Canon, cells: Sequence[HandedInCell]) -> None:
        self.canon = canon
        self.cells = cells
        self.matching = Matching(canon, cells)
        self.events: dict[str, list[str]] = defaultdict(list)
        self.doubtful: list[str] = []
        # What stands at each place handed in; None for a cell that is taken out.
        self.slots: list[_Item | None] = [self._own(cell) for cell in cells]
        self.kept: dict[int, list[_Item]] = defaultdict(list)  # after a place
        # Where the exercise has the cells that have no name, such as headings.
        self.given = {
            id(self.slots[index]): place
            for place, found in self.matching.claims.items()
            for index in found
            if not self.canon.cells[place].name
        }

    def done(self) -> Repaired:
        found = sum(self._is_there(cell) for cell in self.canon.graded)
        self._tell_recognised()
        for cell in self.canon.named:
            if cell.is_answer:
                self._answer(cell)
        for cell in self.canon.named:
            if cell.is_locked:
                self._locked(cell)
        items: list[_Item] = []
        for index, slot in enumerate(self.slots):
            items += [slot] if slot is not None else []
            items += self.kept[index]
        items = self._with_missing(items)
        items = self._in_order(items)
        return Repaired(self._notebook(items), found, self._mendings(), self.doubtful)

    def _own(self, cell: HandedInCell) -> _Item:
        return _Item(None, cell.cell_type, cell.source, cell.attachments, cell.ids)

    def _is_there(self, cell: CanonCell) -> bool:
        answers = [place for place in cell.needs if self.canon.cells[place].is_answer]
        return any(
            self.matching.how[index] != "order"  # which fits any notebook
            for place in (cell.place, *answers)
            for index in self.matching.claims.get(place, ())
        )

    def _tell_recognised(self) -> None:
        for cell in self.canon.named:
            places = self.matching.claims.get(cell.place, [])
            if any(self.matching.how[index] != "metadata" for index in places):
                self.events["recognised"].append(cell.name)
            for index in places:
                kind = changed_marks(cell, self.cells[index])
                if kind and cell.name not in self.events[kind]:
                    self.events[kind].append(cell.name)
        if self.matching.foreign:
            self.events["foreign"] = [
                shown(str(self.cells[index].marks.get("grade_id")))
                for index in self.matching.foreign
            ]

    # Answers

    def _answer(self, cell: CanonCell) -> None:
        """Find the text of an answer among the cells that claim to be it."""
        places = self.matching.claims.get(cell.place, [])
        if cell.is_written:
            text, at = self._written(cell, places)
        else:
            text, at = self._code(cell, places)
        if text is None:
            text = self._from_test_cell(cell)
        if text is None and at is None:
            return  # it is put back later
        source = cell.source if text is None else text
        if at is None:
            at = self._place_for(cell)
        kinds = {self.cells[index].cell_type for index in places}
        if kinds - {cell.cell_type}:
            self.events["type"].append(cell.name)
        item = _Item(cell, cell.cell_type, source, self._pictures(places))
        for index in places:
            self.slots[index] = None
        if at in places:
            self.slots[at] = item
        else:
            self.kept[at].append(item)

    def _pictures(self, places: list[int]) -> dict[str, Any]:
        return {k: v for index in places for k, v in self.cells[index].attachments.items()}

    def _text(self, cell: CanonCell, index: int) -> str:
        """A cell's text, as code without the fences that a Markdown cell needs."""
        source = self.cells[index].source
        fenced = _FENCE.match(source)
        if cell.cell_type == "code" and fenced and not parses(source):
            return fenced[1]
        return source

    def _written(self, cell: CanonCell, places: list[int]) -> tuple[str | None, int | None]:
        """All texts, one below the other: a person reads them."""
        own = [index for index in places if self._is_given(cell, index)]
        beside = self._free_beside(places, forward=True)
        if not own:
            beside = self._free_beside(places, forward=False) + beside
        for index in beside:
            self.matching.how[index] = "part"
            self.slots[index] = None
        texts: list[str] = []
        for index in sorted([*own, *beside]):
            text = self.cells[index].source
            if not any(same_text(text, other) for other in texts):
                texts.append(text)
        at = min(places, default=None)
        if beside:
            self.events["joined" if own else "beside"].append(cell.name)
        elif len(places) > 1:
            self.events["joined" if len(texts) > 1 else "copies"].append(cell.name)
        if not texts and self._wrote_above(cell):
            self.doubtful.append(cell.name)
        return ("\n\n".join(texts) if texts else None), at

    def _wrote_above(self, cell: CanonCell) -> bool:
        """Whether the question's own text was edited: the answer may be in it."""
        above = self.canon.cells[cell.place - 1] if cell.place else None
        if above is None or above.name or not self.matching.claims.get(cell.place):
            return False
        return any(
            not same_text(self.cells[index].source, above.source)
            for index in self.matching.claims.get(above.place, ())
        )

    def _free_beside(self, places: list[int], forward: bool) -> list[int]:
        """The student's own texts directly after (or before) an answer in words."""
        found: list[int] = []
        if not places:
            return found
        index, step = (max(places), 1) if forward else (min(places), -1)
        index += step
        while 0 <= index < len(self.cells) and self.matching.free(index):
            if self.cells[index].cell_type == "code":
                break
            if self.cells[index].source.strip():
                found.append(index)
            index += step
        return sorted(found)

    def _is_given(self, cell: CanonCell, index: int) -> bool:
        """Whether a cell holds a text of the student's, not nothing or one of ours."""
        source = self._text(cell, index)
        ours = [cell, *(other for other in self.canon.named if other.is_locked)]
        return bool(source.strip()) and not any(other.is_unchanged(source) for other in ours)

    def _code(self, cell: CanonCell, places: list[int]) -> tuple[str | None, int | None]:
        given: list[int] = []
        for index in places:
            text = self._text(cell, index)
            same = any(same_text(text, self._text(cell, other)) for other in given)
            if self._is_given(cell, index) and not same:
                given.append(index)
        texts = [self._text(cell, index) for index in given]
        if len(given) > 1:
            found: str | None = self._of_several(cell, given, texts)
        else:
            if len(places) > 1:
                self.events["copies"].append(cell.name)
            found = self._with_rest(cell, places, texts[0] if texts else None)
        return found, min(places, default=None)  # the first: before all that uses it

    def _of_several(self, cell: CanonCell, given: list[int], texts: list[str]) -> str:
        """One text of several different ones: joined parts, or the last whole answer."""
        whole = [i for i, text in enumerate(texts) if parses(text) and self._is_whole(cell, text)]
        joined = "\n".join(texts)
        if len(whole) < len(texts) and parses(joined) and not self._is_spoilt(cell, texts):
            self.events["joined"].append(cell.name)
            return joined
        readable = whole or [i for i, text in enumerate(texts) if parses(text)]
        chosen = readable[-1] if readable else len(texts) - 1
        self.events["versions"].append(cell.name)
        for i, index in enumerate(given):
            if i != chosen:
                text = NOT_RUN.format(name=cell.name) + texts[i]
                self.kept[index].append(_Item(None, "raw", text))
        return texts[chosen]

    def _is_whole(self, cell: CanonCell, text: str) -> bool:
        return bool(cell.gives) and cell.gives <= defined_names(text)

    def _is_spoilt(self, cell: CanonCell, texts: list[str]) -> bool:
        """Whether joined parts would stop at the stub's own error before the end."""
        stops = [i for i, text in enumerate(texts) if re.search(r"^raise NotImpl", text, re.M)]
        return bool(stops) and stops[0] < len(texts) - 1

    def _with_rest(self, cell: CanonCell, places: list[int], text: str | None) -> str | None:
        """The text with the cells beside it that a split cut off, if it needs them."""
        if text is None or not places:
            return text
        index = max(i for i in places if self._is_given(cell, i))
        parts: list[str] = [text]
        used: list[int] = []
        for after in range(index + 1, min(index + 1 + FARTHEST_PART, len(self.cells))):
            if not self.matching.free(after) or self.cells[after].cell_type == "markdown":
                break
            parts.append(self.cells[after].source)
            used.append(after)
            joined = "\n".join(parts)
            if not all(parses(part) for part in parts) and parses(joined):
                self._take(cell, used)
                return joined
        before = index - 1
        if before >= 0 and self.matching.free(before) and not parses(text):
            joined = self.cells[before].source + "\n" + text
            if self.cells[before].cell_type != "markdown" and parses(joined):
                self._take(cell, [before])
                return joined
        return text

    def _take(self, cell: CanonCell, parts: list[int]) -> None:
        """Take cells out that are now in an answer."""
        for index in parts:
            self.matching.how[index] = "part"
            self.slots[index] = None
        self.events["joined"].append(cell.name)

    def _from_test_cell(self, cell: CanonCell) -> str | None:
        """An answer that the student wrote into a cell of ours."""
        if cell.is_written or not cell.gives:
            return None
        for other in self.canon.named:
            for index in self.matching.claims.get(other.place, ()):
                source = self.cells[index].source
                is_ours = not other.is_locked or other.is_unchanged(source)
                if not is_ours and cell.gives <= defined_names(source):
                    self.events["in test"].append(cell.name)
                    return source
        return None

    # Cells of ours

    def _locked(self, cell: CanonCell) -> None:
        places = self.matching.claims.get(cell.place, [])
        if not places:
            return
        at = self._kept_copy(cell, places)
        for index in places:
            self.slots[index] = None
        self.slots[at] = _Item(cell, cell.cell_type, cell.source)
        if len(places) > 1:
            self.events["copies"].append(cell.name)
        if self.cells[at].cell_type != cell.cell_type:
            self.events["type"].append(cell.name)
        if not cell.is_unchanged(self.cells[at].source):
            self.events["locked"].append(cell.name)

    def _kept_copy(self, cell: CanonCell, places: list[int]) -> int:
        """The copy between the cells that should stand around it.

        Where none or several do: a given cell as early as it goes, a test as late.
        """
        before = [i for p in range(cell.place) for i in self.matching.claims.get(p, ())]
        after = [
            i
            for p in range(cell.place + 1, len(self.canon.cells))
            for i in self.matching.claims.get(p, ())
        ]

        def misplaced(index: int) -> int:
            return sum(i > index for i in before) + sum(i < index for i in after)

        fewest = min(misplaced(index) for index in places)
        best = [index for index in places if misplaced(index) == fewest]
        return best[-1] if cell.is_graded else best[0]

    # Places

    def _place_for(self, cell: CanonCell) -> int:
        """After which cell handed in an answer goes whose own cell is not there."""
        for place in range(cell.place - 1, -1, -1):
            found = self.matching.claims.get(place)
            if found:
                return max(found)
        return 0

    def _with_missing(self, items: list[_Item]) -> list[_Item]:
        """Put back the cells that are not there."""
        for cell in self.canon.named:
            if any(item.canon is cell for item in items):
                continue
            places = {
                i: item.canon.place if item.canon else self.given[id(item)]
                for i, item in enumerate(items)
                if item.canon or id(item) in self.given
            }
            item = _Item(cell, cell.cell_type, cell.source)
            if cell.is_answer:
                self.events["no answer"].append(cell.name)
                self._doubt(cell, items)
            else:
                self.events["missing"].append(cell.name)
            items.insert(self._spot_for(cell, places, len(items)), item)
        return items

    def _spot_for(self, cell: CanonCell, places: dict[int, int], end: int) -> int:
        earlier = [i for i, place in places.items() if place < cell.place]
        nearest = max(earlier, key=lambda i: (places[i], i), default=-1)
        if cell.is_answer or not cell.is_graded:
            return nearest + 1
        # A test goes below what the student added after the answer.
        following = [i for i, place in places.items() if place > cell.place and i > nearest]
        return min(following, default=end)

    def _doubt(self, cell: CanonCell, items: list[_Item]) -> None:
        """The tests of an answer that is not there may fail only because of that."""
        own = [item for item in items if item.canon is None and item.source.strip()]
        own = [item for item in own if id(item) not in self.given]
        if not any((item.cell_type == "code") != cell.is_written for item in own):
            return
        if cell.is_graded:
            self.doubtful.append(cell.name)
        for test in self.canon.graded:
            if cell.place in test.needs and test.name not in self.doubtful:
                self.doubtful.append(test.name)

    def _in_order(self, items: list[_Item]) -> list[_Item]:
        """Move cells that would run before what they need."""
        at = {item.canon.place: i for i, item in enumerate(items) if item.canon}
        broken = any(
            at[need] > at[cell.place]
            for cell in self.canon.named
            for need in cell.needs
            if need in at
        )
        if not broken:
            return items
        named = [item for item in items if item.canon]
        stay = longest_in_order([item.canon.place for item in named if item.canon])
        for cell in self.canon.named:
            if cell.place in stay:
                continue
            self.events["moved"].append(cell.name)
            self._move(cell, items)
            stay.add(cell.place)
        return items

    def _move(self, cell: CanonCell, items: list[_Item]) -> None:
        """Move a cell below the one before it, with what of the student's own it uses."""
        old = next(i for i, item in enumerate(items) if item.canon is cell)
        taken = [items[old]]
        names = set(used_names(items[old].source))
        before = [c for c in self.canon.named if c.place < cell.place]
        new = max(
            (i for i, item in enumerate(items) if before and item.canon is before[-1]), default=-1
        )
        for i in range(old - 1, new, -1):
            is_own_code = items[i].canon is None and items[i].cell_type == "code"
            if is_own_code and names & defined_names(items[i].source):
                taken.insert(0, items[i])
                names |= used_names(items[i].source)
        taken_ids = {id(item) for item in taken}
        items[:] = [item for item in items if id(item) not in taken_ids]
        new = max(
            (i for i, item in enumerate(items) if before and item.canon is before[-1]), default=-1
        )
        items[new + 1 : new + 1] = taken

    # The result

    def _notebook(self, items: list[_Item]) -> NotebookNode:
        taken = {cell.cell_id for cell in self.canon.named}
        cells = [self._cell(item, number, taken) for number, item in enumerate(items)]
        metadata = {
            key: self.canon.metadata[key]
            for key in ("kernelspec", "language_info", "rnnkit")
            if key in self.canon.metadata
        }
        notebook: NotebookNode = from_dict(
            {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}
        )
        return notebook

    def _cell(self, item: _Item, number: int, taken: set[str]) -> dict[str, Any]:
        cell: dict[str, Any] = {
            "cell_type": item.cell_type,
            "source": item.source,
            "metadata": dict(item.canon.metadata) if item.canon else {},
            "id": item.canon.cell_id if item.canon else self._new_id(item, number, taken),
        }
        if item.cell_type == "code":
            cell |= {"outputs": [], "execution_count": None}
        elif item.attachments:
            cell["attachments"] = item.attachments
        return cell

    def _new_id(self, item: _Item, number: int, taken: set[str]) -> str:
        name = next((i for i in item.ids if _ID.match(i) and i not in taken), "")
        while not name or name in taken:
            name = f"cell-{number}"
            number += 1000
        taken.add(name)
        return name

    def _mendings(self) -> list[Mending]:
        mendings = []
        for kind, (weight, for_instructor, for_student) in CHANGES.items():
            names = self.events.get(kind)
            if names:
                words = listed(list(dict.fromkeys(names)))
                mendings.append(
                    Mending(weight, for_instructor.format(words), for_student.format(words))
                )
        return mendings
