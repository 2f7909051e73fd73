"""How well the papers' results are reproduced: one short bar for each paper with the counts of the four verdicts.

A notebook records them as ``record("verdicts", frame)``, a line per verdict with the columns verdict and figures; where
it does not, its paper has no bar.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from anonnb.reports.records import tables
from anonnb.reports.results import Result

NAME, COLUMNS = "verdicts", ["verdict", "figures"]


class Count(NamedTuple):
    """How many results of a paper got a verdict; ``place`` orders verdicts from what agrees to what does not."""

    place: int
    word: str
    mark: str
    many: int


class PaperBar(NamedTuple):
    """One paper: its name, the run that compared it, and the counts."""

    paper: str
    result: Result
    counts: list[Count]

    @property
    def total(self) -> int:
        return sum(count.many for count in self.counts)


def paper_bars(results: Iterable[Result]) -> list[PaperBar]:
    """The bars of all papers whose notebook recorded verdicts, in the order of the runs."""
    found = []
    for result in results:
        counts = _counts(result.records.get(NAME)) if result.ok else []
        if counts:
            captions = [entry["caption"] for entry in tables(result.records, "reproduction")]
            found.append(PaperBar(next(iter(captions), "") or result.title, result, counts))
    return found


def _counts(entry: Any) -> list[Count]:
    """The counts in the order of the verdicts; nothing where the record has another form."""
    from anonnb.experiments.verdicts import MARKS

    if not isinstance(entry, dict) or entry["columns"] != COLUMNS:
        return []
    many = {word: number for word, number in entry["rows"] if word in MARKS and isinstance(number, int)}
    if not many:
        return []
    return [Count(place, word, mark, many.get(word, 0)) for place, (word, mark) in enumerate(MARKS.items())]
