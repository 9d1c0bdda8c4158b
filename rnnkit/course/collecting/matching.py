"""Whose a file is: the LMS's name or number against the class list."""

from collections import defaultdict
from dataclasses import dataclass, field

from rnnkit.course.collecting.forms import Form, Handle
from rnnkit.course.collecting.names import key, keys_of, student_name, words
from rnnkit.course.collecting.roster import Person

__all__ = ["Match", "Matcher"]


@dataclass(frozen=True)
class Match:
    """Who handed something in.

    Args:
        student: The name in nbgrader; empty where nobody fits.
        why: Why nobody fits, for the instructor.
    """

    student: str
    why: str = ""


@dataclass
class Matcher:
    """Finds students by what an LMS calls them.

    Args:
        people: The class list; empty where there is none, and students are then named
            after what the LMS calls them.
        known: Students of earlier collections, by form and number of the LMS.

    Example:

    >>> people = [Person("obrien", "Zoë", "O'Brien"), Person("ada", "Ada", "Lovelace")]
    >>> Matcher(people).find(Handle(Form.CANVAS, "obrienzoe", "12")).student
    'obrien'
    """

    people: list[Person]
    known: dict[tuple[str, str], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._by_key: dict[str, set[str]] = defaultdict(set)
        self._by_number: dict[tuple[str, str], set[str]] = defaultdict(set)
        self._words: dict[str, list[set[str]]] = {}
        for person in self.people:
            others = [name for name in person.also.split(";") if name.strip()]
            found = keys_of(person.given, person.surname, person.full)
            found = found.union(*(keys_of("", "", name) for name in others))
            mail = person.email.partition("@")[0] if "@" in person.email else ""
            ids = (person.student, person.login, person.number, person.email, mail)
            for name in found | {key(text) for text in ids if key(text)}:
                self._by_key[name].add(person.student)
            if person.participant:
                self._by_number[Form.MOODLE, person.participant].add(person.student)
            if person.canvas:
                self._by_number[Form.CANVAS, person.canvas].add(person.student)
            self._words[person.student] = [
                set(words(text, spelled_out))
                for text in (f"{person.given} {person.surname} {person.full}", *others)
                for spelled_out in (False, True)
            ]

    def find(self, handle: Handle) -> Match:
        """Whose a file is.

        Args:
            handle: What the LMS says.
        """
        place = (handle.form, handle.lms_id)
        by_number = self._by_number.get(place, set())
        if len(by_number) == 1:
            return Match(next(iter(by_number)))
        if not self.people:
            return self._named_after(handle)
        by_name = self._named(handle.name)
        if len(by_name) == 1:
            return self._unless_another(next(iter(by_name)), handle)
        if len(by_name) > 1:
            fit = ", ".join(sorted(by_name))
            return Match("", f"{len(by_name)} students of the class list fit: {fit}")
        known = self.known.get(place, "") if handle.lms_id else ""
        if known in self._words:
            return Match(known)
        return Match("", "nobody on the class list has this name")

    def _unless_another(self, student: str, handle: Handle) -> Match:
        """The student, unless Canvas's number, which never changes, is somebody else's."""
        numbers = {person.canvas for person in self.people if person.student == student} - {""}
        is_number = handle.form == Form.CANVAS and handle.lms_id.isdigit()
        if numbers and is_number and handle.lms_id not in numbers:
            number = ", ".join(numbers)
            return Match("", f"{student} has the name, but Canvas's number {number}")
        return Match(student)

    def _named(self, name: str) -> set[str]:
        for spelled_out in (False, True):
            found = self._by_key.get(key(name, spelled_out), set())
            if found:
                return found
        return self._nearly_named(name)

    def _nearly_named(self, name: str) -> set[str]:
        """Students with a second given name or surname that only one of the two lists has."""
        for spelled_out in (False, True):
            asked = set(words(name, spelled_out))
            found = {
                student
                for student, spellings in self._words.items()
                for listed in spellings
                if min(len(asked), len(listed)) >= 2 and (asked <= listed or listed <= asked)
            }
            if found:
                return found
        return set()

    def _named_after(self, handle: Handle) -> Match:
        """The student's name where there is no class list."""
        known = self.known.get((handle.form, handle.lms_id), "") if handle.lms_id else ""
        # Folders that a person named may be called as the students are in nbgrader.
        plain = handle.form == Form.PLAIN and handle.name.isprintable() and len(handle.name) < 80
        name = handle.name.strip() if plain else student_name(handle.name)
        if not known and not name:
            return Match("", "the LMS gives no name, and there is no class list")
        if handle.name.casefold() in ("anon", "participant") and not known:
            return Match(f"{name}_{handle.lms_id}")
        return Match(known or name)
