"""PrivateMarginals: synthetic rows under differential privacy (McKenna, Miklau and Sheldon 2021, "MST").

A third of the budget counts each column, a third chooses a tree of pairs of columns, a third counts these pairs; rows
are drawn from what comes out. Reading chosen: domains stay as they were declared, where the paper merges rare values,
and marginals are fitted by least squares, where it fits a graphical model.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from anonnb import privacy
from anonnb.core.measure import LOWER, Measure
from anonnb.core.parameters.constraints import POSITIVE, SEED, Choice, Number
from anonnb.core.parameters.declared import parameter
from anonnb.core.progress import Progress
from anonnb.core.wording import pluralize
from anonnb.methods import register
from anonnb.methods.base import ALL_ROLES, Method
from anonnb.methods.private.cells import CountedCells, cells_of
from anonnb.methods.private.fitting import drawn_rows, fitted_table
from anonnb.methods.private.measuring import Answers, measured
from anonnb.methods.promises import Promise
from anonnb.steps.recording import listening, note
from anonnb.steps.states import Graph
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

MOST_CELLS = 250_000  # of two columns together
DOMAINS = Choice({
    "declared": "columns without a declared domain are refused",
    "data": "their values are read off the table, which the guarantee does not cover",
})  # fmt: skip
_RANDOM = "The noise comes from the system's randomness, which no seed repeats: two runs differ."


@dataclass(frozen=True)
class DifferentialPrivacy(Promise):
    """(ε, δ)-differential privacy of one row, or of all rows of one person where the table names one."""

    name: ClassVar[str] = "differential privacy"
    measures: ClassVar[tuple[Measure, ...]] = (
        Measure("ε", LOWER, lambda seen: seen.classes.release.promise.epsilon, "Promised instead of k.", high=math.inf),
    )
    # these count published rows as if they were people's, and none is
    misleading: ClassVar[frozenset[str]] = frozenset(
        {*(each.name for each in privacy.MEASURES), "suppressed rows", "discernibility", "average class size"}
    )

    epsilon: float
    delta: float
    rows_per_person: int
    domain: str

    @property
    def guarantee(self) -> str:
        return self._of("one row of the table is")

    def guaranteed(self, table: Table) -> str:
        return self.guarantee if table.counted_by is None else self._of(f"the rows of one {table.unit} are")

    def _of(self, who: str) -> str:
        sentence = (
            f"Whether {who} there or not changes the probability of any release, and of any conclusion from it, by a "
            f"factor of at most e^{self.epsilon:g} = {math.exp(min(self.epsilon, 700)):.3g}, save for {self.delta:g}."
        )
        if self.domain == "declared":
            return sentence
        return f"{sentence} Not covered are the values of columns without a declared domain: they come from the table."

    @property
    def limits(self) -> str:
        return (
            "It does not keep anybody from learning what holds of many people, and so of each of them, such as that "
            "smokers cough; and every further release from the same table costs a further ε."
        )

    def amount(self, table: Table, release: Release) -> str:
        return f"{len(release):,} synthetic rows"

    def facts(self, table: Table, release: Release) -> dict[str, float]:
        return {"epsilon": self.epsilon, "synthetic rows": len(release)}


@register
@dataclass(frozen=True)
class PrivateMarginals(Method):
    """Draw synthetic rows from noisy counts of columns and of the pairs of columns along a tree.

    Parameters
    ----------
    epsilon, delta:
        The guarantee. ``delta`` should be far below 1 / rows.
    domain:
        Every published column needs a declared domain: :class:`Table(domains=…) <anonnb.Table>`, an order, or a
        hierarchy that lists values. With ``"data"`` the values of the others are read off the table.
    rows_per_person:
        Where the table names a person, how many rows of each count at most; the first ones do.
    seed:
        For drawing rows from the noisy counts. The noise is never repeated: anyone who knew it could subtract it.

    Notes
    -----
    Columns with a role are published. Numbers with declared edges are published as intervals: nothing
    finer was counted. No published row is a person's, so ``release.rows`` is None and ``release.owners`` has no pairs.
    Noise, budget and conversion are OpenDP's (``pip install "anonnb[private]"``).

    Examples
    --------
    >>> import anonnb
    >>> release = PrivateMarginals(epsilon=2.0).anonymize(anonnb.load("car"))
    >>> sorted(release.frame["safety"].unique()), release.rows is None
    (['high', 'low', 'med'], True)

    Guarantees
    ----------
    proved:
        (ε, δ)-differential privacy of one row, or of one person's rows: counts with discrete Gaussian noise and choices
        by an exponential mechanism, composed by OpenDP under zero-concentrated differential privacy; all that follows
        is computed from the answers.
    tested:
        Twice 1,000 runs on neighbouring tables: the ε that their answers show with 99.9 % confidence is no more than
        promised, and it is more when a row is said to count for a quarter of what it does. The parts of the budget are
        worth ε and no more; with ε = 100 the pairs of the tree have their true counts within 10 rows.
    heuristic:
        How near the rows are to the table. What a tree of pairs does not hold is lost, such as what three columns say
        only together; small tables and large domains drown in noise. OpenDP's parts need its switch contrib: not all of
        their proofs were reviewed.
    paper:
        R. McKenna, G. Miklau and D. Sheldon, Winning the NIST contest: a scalable and general approach to
        differentially private synthetic data, Journal of Privacy and Confidentiality 11, 2021.
    """

    promised: ClassVar[type[Promise]] = DifferentialPrivacy
    changes: ClassVar[frozenset[str]] = ALL_ROLES
    truthful: ClassVar[bool] = False
    repeatable: ClassVar[bool] = False  # the noise is the system's
    rows_in_seconds: ClassVar[int] = 200_000
    exempt: ClassVar[dict[str, str]] = {
        "takes most tables": "Most of the nasty tables declare no domain, and values read off the rows are disclosed.",
        "no row is lost": "The rows are synthetic: none of them is anybody's.",
        **dict.fromkeys(
            [
                "same bytes", "no other randomness", "a fresh process", "threads", "pickled results", "index",
                "row order", "progress changes nothing",
            ],
            _RANDOM,
        ),
    }  # fmt: skip

    epsilon: float = parameter(Number(above=0, at_most=1000), default=1.0)
    delta: float = parameter(Number(above=0, below=1), default=1e-6)
    domain: str = parameter(DOMAINS, default="declared")
    rows_per_person: int = parameter(POSITIVE, default=1)
    seed: int = parameter(SEED, default=0)

    def told(self, release: Release) -> list[str]:
        edges = ", ".join(f"{first}–{second}" for first, second in release.info["tree"])
        spent = ", ".join(f"{rho:.3g} for {what}" for what, rho in release.info["budget"].items())
        rho = f"ρ = {release.info['rho']:.4g}, which gives ε = {self.epsilon:g} with δ = {self.delta:g}"
        lines = [f"{rho}, was spent: {spent}"]
        return [*lines, f"pairs that were counted: {edges}"] if edges else lines

    def _check_table(self, table: Table) -> None:
        super()._check_table(table)
        cells = {name: self._cells(table, name) for name in _published(table)}
        for (first, some), (second, others) in itertools.combinations(cells.items(), 2):
            if len(some) * len(others) > MOST_CELLS:
                wide = first if len(some) > len(others) else second
                raise ValueError(
                    f"columns {first!r} and {second!r} have {len(some):,} × {len(others):,} cells, more than "
                    f"{MOST_CELLS:,}; declare a domain of fewer values, or wider intervals, for {wide!r}"
                )

    def _cells(self, table: Table, name: str) -> CountedCells:
        return cells_of(table.attributes[name], from_data=self.domain == "data")

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        names = _published(table)
        cells = [self._cells(table, name) for name in names]
        counted = _first_rows(table, self.rows_per_person)
        rows = np.column_stack(
            [each.of_code[table.codes(name)[counted]] for name, each in zip(names, cells, strict=True)]
        )
        apart = 1 if table.counted_by is None else self.rows_per_person
        answers = measured(rows, [len(each) for each in cells], self.epsilon, self.delta, apart)
        if listening():
            tell_answers(answers, names, cells)
        tables = {
            edge: fitted_table(counts, answers.margins[edge[0]], answers.margins[edge[1]])
            for edge, counts in progress(answers.tables.items(), desc="pairs of columns")
        }
        count = max(round(answers.total), 1)
        drawn = drawn_rows(count, answers.margins, tables, np.random.default_rng(self.seed))
        columns = {
            name: Column(each.sets, drawn[:, index])
            for index, (name, each) in enumerate(zip(names, cells, strict=True))
        }
        info = {
            "rho": answers.spent,
            "budget": answers.budget,
            "noise": answers.noise,
            "tree": [(names[first], names[second]) for first, second in answers.tables],
        }
        nobody = np.zeros(0, dtype=np.int64)
        return Release(table.select(names), columns, method=self, info=info, withheld=0, owners=(nobody, nobody))


def _published(table: Table) -> list[str]:
    """Return the columns with a role that may be published; all but identifiers if none has one."""
    roles = {*table.quasi, *table.sensitive, table.decision}
    open_ones = [name for name in table.columns if name not in table.identifiers]
    return [name for name in open_ones if name in roles] or open_ones


def _first_rows(table: Table, limit: int) -> np.ndarray:
    """Return all rows, or each person's first ones, so that a person adds or removes no more than those."""
    if table.counted_by is None:
        return np.arange(len(table))
    people = table.people
    order = np.argsort(people, kind="stable")
    starts = np.searchsorted(people[order], people[order])
    return np.sort(order[np.arange(len(table)) - starts < limit])


# ---- steps ------------------------------------------------------------------------------------------------------


def tell_answers(found: Answers, names: Sequence[str], cells: Sequence[CountedCells]) -> None:
    """Record the noisy counts of the columns, the pairs that were chosen, and their counts.

    Steps are made from the answers alone, never from the rows: they show nothing that the release does not.
    """
    spent = pd.DataFrame({"ρ": found.budget}).rename_axis("question")
    _note_columns(found, names, cells, spent)
    for number in range(1, len(found.tables) + 1):
        _note_pair(found, names, number)
    if found.tables:
        sentence = (
            f"Noise with standard deviation {found.noise['pairs']:.4g} is added to the counts of "
            f"{pluralize(len(found.tables), 'pair')}, which spends ρ = {found.budget['pairs']:.4g}. Then all counts "
            "are made consistent"
        )
        note("Count the pairs", f"{sentence}.", _margins(found, names, cells), spent, ["pairs"])


def _note_columns(answers: Answers, names: Sequence[str], cells: Sequence[CountedCells], spent: pd.DataFrame) -> None:
    sentence = (
        f"Noise with standard deviation {answers.noise['columns']:.4g} is added to the counts of "
        f"{pluralize(len(names), 'column')}, which spends ρ = {answers.budget['columns']:.4g} of {answers.spent:.4g}"
    )
    note("Count the columns", f"{sentence}.", _margins(answers, names, cells), spent, ["columns"])


def _note_pair(answers: Answers, names: Sequence[str], number: int) -> None:
    edges = list(answers.tables)[:number]
    first, second = (names[index] for index in edges[-1])
    paid = f", which spends a share of ρ = {answers.budget['tree']:.4g}," if "tree" in answers.budget else ""
    sentence = f"A noisy choice{paid} favors pairs of columns that the counts so far describe poorly"
    joined = {end for edge in edges for end in edge}
    nodes = {name: (_depth(index, edges), "kept" if index in joined else "open") for index, name in enumerate(names)}
    graph = Graph.of(nodes, [(names[one], names[two]) for one, two in edges])
    note(f"Choose the pair {first} and {second}", f"{sentence}.", graph)


def _depth(column: int, edges: Sequence[tuple[int, int]]) -> int:
    """Return how many pairs lead from the first column to this one; 0 if none does yet."""
    reached, depth = {0}, 0
    while column not in reached:
        further = {end for edge in edges for end in edge if set(edge) & reached}
        if further <= reached:
            return 0
        reached, depth = reached | further, depth + 1
    return depth


def _margins(answers: Answers, names: Sequence[str], cells: Sequence[CountedCells]) -> pd.DataFrame:
    """Return the noisy counts of every column, as they are used."""
    parts = [
        pd.DataFrame({"column": name, "cell": each.sets.labels, "count": np.round(margin, 1)})
        for name, each, margin in zip(names, cells, answers.margins, strict=True)
    ]
    return pd.concat(parts, ignore_index=True)
