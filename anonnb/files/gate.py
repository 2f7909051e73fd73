"""The gate: a published file is read again as text, and everything promised about it is recounted from that text.

Idea: nobody should have to trust the code that made a release. The gate shares nothing with methods, models and the
writer (:mod:`anonnb.files.text_table`, :mod:`anonnb.files.recounting`); a file that fails is not published. Reading:
columns that are published beside the quasi-identifier count as quasi-identifiers too, unless somebody declares that
nobody outside can know them; where people are known, they are counted, and not rows.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from anonnb.core import remedies
from anonnb.core.errors import Advice, Message, advice
from anonnb.core.wording import listed
from anonnb.files.recounting import NotCountable, Secrets, classes_of, members, worst
from anonnb.files.text_table import TextTable, read_as_text

COMPARED = (
    "TCloseness",
    "BetaLikeness",
    "DeltaDisclosure",
)  # compare with all rows; a file shows those published
_NEARLY_ALL = 0.95  # share of rows with a value of their own from which on a column names people
_FEWEST_ROWS = 20  # with fewer rows that says nothing


@dataclass(frozen=True)
class Claim:
    """What is promised of every class: a privacy model by its name, its parameters, and how people write it."""

    model: str
    parameters: Mapping[str, Any]
    text: str
    columns: tuple[str, ...] | None = None  # None: every sensitive column


@dataclass(frozen=True, eq=False)
class Expected:
    """What a file is expected to hold and to keep.

    Parameters
    ----------
    quasi, sensitive, also, unknown_outside, other:
        Its columns by role: ``also`` are published as they are and count as quasi-identifiers, ``unknown_outside`` are
        published as they are and known to nobody outside; ``other`` ones (a decision) are merely allowed.
    identifiers:
        Columns that must not be there, the column of the person among them.
    claims:
        What is promised of every class.
    nominal, orders:
        The sensitive columns without an order, and the values of ordinal ones in their order.
    input_rows, suppressed, most_suppressed:
        Rows of the original, those that are known to be withheld (None: not known), and the share that may be.
    people:
        Pairs of (row of the file, number of a person), from the release; None where every row is a person.
    cells:
        What the release means to write: a number per row of the file and column; equal numbers, equal texts.
    most_rows_each:
        Where people are named but ``people`` is not known: the most rows of one person in the original.
    """

    quasi: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    unknown_outside: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    nominal: frozenset[str] = frozenset()
    orders: Mapping[str, Sequence[str]] = field(default_factory=dict)
    input_rows: int | None = None
    suppressed: int | None = None
    most_suppressed: float | None = None
    people: tuple[np.ndarray, np.ndarray] | None = None
    cells: Mapping[str, np.ndarray] = field(default_factory=dict)
    most_rows_each: int = 1

    @property
    def known(self) -> tuple[str, ...]:
        """The columns by which an outsider may find a row."""
        return (*self.quasi, *(name for name in self.also if name not in self.quasi))


@dataclass(frozen=True)
class Recount:
    """One thing that was checked; ``passed`` is None where a file alone does not show it."""

    what: str
    passed: bool | None
    sentence: str


@dataclass(frozen=True)
class GateVerdict:
    """What the gate found; true where nothing failed."""

    findings: tuple[Recount, ...]
    figures: Mapping[str, float]

    def __bool__(self) -> bool:
        return not self.failures

    @property
    def failures(self) -> list[str]:
        return [finding.sentence for finding in self.findings if finding.passed is False]

    @property
    def unchecked(self) -> list[str]:
        return [finding.sentence for finding in self.findings if finding.passed is None]

    @property
    def passed(self) -> list[str]:
        return [finding.sentence for finding in self.findings if finding.passed]


class Refused(ValueError):
    """A file breaks what is promised about it, and is not published.

    Parameters
    ----------
    path:
        The file.
    verdict:
        All that the gate found.

    Examples
    --------
    >>> raise Refused("people.csv", GateVerdict((Recount("k", False, "one class has a single row"),), {}))
    Traceback (most recent call last):
    ...
    anonnb.files.gate.Refused: people.csv is not published: one class has a single row
    """

    def __init__(self, path: str | os.PathLike, verdict: GateVerdict):
        first, *others = verdict.failures
        further = f" ({len(others)} more failure{'s' * (len(others) > 1)})" if others else ""
        what = f"{Path(path).name} is not published: "
        text = first if isinstance(first, Message) else Message(str(first))
        super().__init__(Message(what + text.problem, *text.advice, Advice("", (), otherwise=further)))
        self.verdict = verdict


def check_file(
    path: str | os.PathLike, expected: Expected, *, sep: str = ",", encoding: str = "utf-8-sig"
) -> GateVerdict:
    """Read a published file as text and recount everything that is expected of it.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "people.csv"
    >>> _ = path.write_text("zip,ill\\n1*,flu\\n1*,cold\\n2*,flu\\n")
    >>> two = Claim("KAnonymity", {"k": 2}, "k = 2")
    >>> verdict = check_file(path, Expected(quasi=("zip",), sensitive=("ill",), claims=(two,)))
    >>> print(verdict.failures[0])
    k = 2 is promised, but 1 of 2 classes holds fewer rows, the smallest 1; anonymize the table again
    """
    return check_text(read_as_text(path, sep, encoding), expected)


def check_text(table: TextTable, expected: Expected) -> GateVerdict:
    """The same for a file that was read."""
    table = _without_apostrophes(table, expected)
    figures: dict[str, float] = {"rows": table.rows}
    findings = [*_columns(table, expected)]
    if not [name for name in expected.known if name not in table.names]:
        findings += [*_rows(table, expected), *_promises(table, expected, figures)]
    return GateVerdict(tuple(findings), figures)


def _without_apostrophes(table: TextTable, expected: Expected) -> TextTable:
    """A file for spreadsheets has an apostrophe before a name that begins like a formula."""
    wanted = {*expected.known, *expected.sensitive, *expected.unknown_outside, *expected.other, *expected.identifiers}
    again = {name: name[1:] if name[:1] == "'" and name[1:] in wanted else name for name in table.names}
    return TextTable(
        tuple(again.values()),
        table.rows,
        {again[name]: numbers for name, numbers in table.numbers.items()},
        {again[name]: texts for name, texts in table.texts.items()},
    )


# ---- columns and rows ----------------------------------------------------------------------------------------------


def _columns(table: TextTable, expected: Expected) -> Iterator[Recount]:
    named = [name for name in expected.identifiers if name in table.names]
    if named:
        sentence = f"the identifier {listed(named)} stands in the file; leave it out"
        yield Recount("identifiers", False, sentence)
    else:
        yield Recount("identifiers", True, "no identifier stands in the file")
    lost = [name for name in (*expected.known, *expected.sensitive) if name not in table.names]
    if lost:
        yield Recount("columns", False, f"the file lacks the column {listed(lost)}; anonymize the table again")
    allowed = {*expected.known, *expected.sensitive, *expected.unknown_outside, *expected.other}
    strange = [name for name in table.names if name not in allowed and name not in named]
    if strange:
        sentence = f"nobody gave the column {listed(strange)} a role; leave it out, or give it one"
        yield Recount("columns", False, sentence)
    if not lost and not strange:
        yield Recount("columns", True, "every column of the file has a role")
    alone = [name for name in expected.also if name in table.names and _tells_rows_apart(table, name)]
    if alone:
        yield Recount("unique values", False, _naming(alone))
    free = (*expected.sensitive, *expected.unknown_outside, *expected.other)
    naming = [name for name in table.names if name in free and _tells_rows_apart(table, name)]
    if naming:
        sentence = (
            f"nearly every row has its own value of {listed(naming)}: anyone who learns one of them finds the row; "
            "the file cannot show who could"
        )
        yield Recount("unique values", None, sentence)


def _naming(names: list[str]) -> Message:
    problem = f"nearly every row has its own value of {listed(names)}, which finds it; leave {_them(names)} out"
    return Message(problem, _declared(names))


def _declared(names: list[str]) -> Advice:
    option = remedies.option("unknown-outside", ",".join(names), words=f"unknown_outside={names!r}")
    return advice("; if nobody outside can know the values: ", option)


def _them(names: list[str]) -> str:
    return "them" if len(names) > 1 else "it"


def _tells_rows_apart(table: TextTable, name: str) -> bool:
    return table.rows >= _FEWEST_ROWS and len(table.texts[name]) > _NEARLY_ALL * table.rows


def _rows(table: TextTable, expected: Expected) -> Iterator[Recount]:
    if expected.input_rows is not None:
        yield _lost_rows(table.rows, expected)
    for name, meant in expected.cells.items():
        if len(meant) == table.rows and not _written_as_meant(meant, table.numbers[name]):
            sentence = f"the column {name!r} of the file is not what was to be written; publish it again"
            yield Recount("cells", False, sentence)


def _lost_rows(rows: int, expected: Expected) -> Recount:
    whole, withheld = expected.input_rows, expected.suppressed
    if expected.cells:
        meant = len(next(iter(expected.cells.values())))
        if rows != meant:
            sentence = f"{rows:,} rows stand in the file, but {meant:,} were to be written; publish it again"
            return Recount("rows", False, sentence)
    elif withheld is not None and rows + withheld != whole:
        sentence = (
            f"{rows:,} published and {withheld:,} suppressed rows are not the {whole:,} of the original; publish it "
            "again"
        )
        return Recount("rows", False, sentence)
    elif rows > whole:
        sentence = f"the file has {rows:,} rows, the original only {whole:,}; name the original it was made from"
        return Recount("rows", False, sentence)
    gone = whole - rows if withheld is None else withheld
    limit = expected.most_suppressed
    if limit is not None and gone > limit * whole + 1e-9:
        sentence = f"{gone:,} of {whole:,} rows are suppressed, more than the share {limit:g} that may be"
        return Recount("rows", False, sentence)
    return Recount("rows", True, f"of {whole:,} rows {gone:,} are suppressed, and the others stand in the file")


def _written_as_meant(meant: np.ndarray, numbers: np.ndarray) -> bool:
    """Whether every meant value is written as one text."""
    text = np.full(int(meant.max(initial=0)) + 1, -1, dtype=np.int64)
    text[meant] = numbers
    return bool((text[meant] == numbers).all())


# ---- promises ------------------------------------------------------------------------------------------------------


def _promises(table: TextTable, expected: Expected, figures: dict[str, float]) -> Iterator[Recount]:
    classes, count = classes_of(table, expected.known)
    usable = expected.people is None or int(expected.people[0].max(initial=-1)) < table.rows
    held = members(classes, count, expected.people if usable else None)
    figures |= {
        "classes": count,
        "k": int(held.min(initial=table.rows)),
        "rows that stand alone": int((held == 1).sum()),
    }
    if not expected.claims:
        yield Recount("promise", None, "nothing is promised that a file can show")
    for claim in expected.claims:
        if claim.model in ("KAnonymity", "AlphaK"):
            yield _anonymity(table, expected, claim, held, usable)
        if claim.model != "KAnonymity":
            yield from _secrets(table, expected, claim, (classes, count), figures)


def _anonymity(table: TextTable, expected: Expected, claim: Claim, held: np.ndarray, usable: bool) -> Recount:
    k = claim.parameters["k"]
    who = "rows" if expected.people is None and expected.most_rows_each == 1 else "people"
    if not usable:
        return Recount("k", False, f"{claim.text} is promised, but the rows of the file are not those of the release")
    if expected.people is None and expected.most_rows_each > 1:
        return _anonymity_from_rows(expected, claim, held)
    small = held < k
    if not small.any():
        return Recount("k", True, f"every class holds at least {int(held.min(initial=k)):,} {who} ({claim.text})")
    if expected.also and len(expected.known) > len(expected.quasi):
        quasi = members(*classes_of(table, expected.quasi), expected.people)
        if (quasi >= k).all():
            return Recount("k", False, _undone(table, expected, claim, held))
    classes = f"{int(small.sum()):,} of {len(held):,} classes {'holds' if small.sum() == 1 else 'hold'}"
    smallest = f"{claim.text} is promised, but {classes} fewer {who}, the smallest {int(held.min())}"
    return Recount("k", False, f"{smallest}; anonymize the table again")


def _undone(table: TextTable, expected: Expected, claim: Claim, held: np.ndarray) -> Message:
    """The message about columns that were published as they are and tell people apart."""
    also = [name for name in expected.also if name not in expected.quasi]
    rows = int(np.bincount(held, weights=held, minlength=2)[1]) if expected.people is None else int((held == 1).sum())
    alone = f"{rows / max(table.rows, 1):.0%} of the rows stand alone, " if rows else ""
    many = len(also) > 1
    problem = (
        f"{claim.text} is promised, but with {listed(also)}, published as {'they are' if many else 'it is'}, {alone}"
        f"the smallest class holds {int(held.min())}; leave {_them(also)} out, or make "
        f"{'them quasi-identifiers' if many else 'it a quasi-identifier'}"
    )
    return Message(problem, _declared(also))


def _anonymity_from_rows(expected: Expected, claim: Claim, rows: np.ndarray) -> Recount:
    """A file does not show whose its rows are: a class of n rows is of at least n / m people."""
    k, most = claim.parameters["k"], expected.most_rows_each
    least = -(-rows // most)
    if (rows < k).any():
        return Recount("k", False, f"{claim.text} is promised, but the smallest class holds {int(rows.min())} rows")
    if (least >= k).all():
        sentence = f"every class holds at least {int(least.min(initial=k)):,} people, as nobody has over {most:,} rows"
        return Recount("k", True, f"{sentence} ({claim.text})")
    sentence = (
        f"{claim.text} is promised of people, but the file does not show whose its rows are: it is certain of "
        f"{int((least >= k).sum()):,} of {len(rows):,} classes only"
    )
    return Recount("k", None, sentence)


def _secrets(
    table: TextTable, expected: Expected, claim: Claim, classes: tuple[np.ndarray, int], figures: dict[str, float]
) -> Iterator[Recount]:
    names = expected.sensitive if claim.columns is None else claim.columns
    withheld = expected.suppressed if expected.input_rows is None else expected.input_rows - table.rows
    for name in names:
        if name not in table.names:
            continue
        title = f"{claim.text}, {name}"
        try:
            if claim.model in COMPARED and withheld:
                raise NotCountable("it compares with all rows, and the file lacks the suppressed ones")
            if expected.people is None and expected.most_rows_each > 1:
                raise NotCountable("people have several rows, and the file does not show whose its rows are")
            ignore = claim.parameters.get("missing") == "ignore"
            secrets = Secrets.of(table, name, *classes, expected.orders.get(name), expected.people, ignore)
            figure, kept = worst(claim.model, claim.parameters, secrets, name in expected.nominal)
        except NotCountable as reason:
            yield Recount(title, None, f"{claim.text} of {name!r} is not recounted: {reason}")
            continue
        figures[title] = figure
        if kept:
            yield Recount(title, True, f"{claim.text} of {name!r} holds in every class (the worst: {figure:.4g})")
        else:
            sentence = f"{claim.text} of {name!r} is promised, but a class has {figure:.4g}; anonymize the table again"
            yield Recount(title, False, sentence)
