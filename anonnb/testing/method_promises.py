"""What must hold for what a method publishes: promise, truth, rows and columns, all recounted from the text.

Which of these apply follows from what the class declares (``publishes``, ``promised``, ``truthful``, …).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from anonnb import privacy
from anonnb.core.errors import Infeasible
from anonnb.methods.promises import Promise
from anonnb.privacy.risk_models import RiskModel
from anonnb.tables.labels import HIDDEN_LABELS
from anonnb.tables.table import Table
from anonnb.testing.cases import DECISION, IDENTIFIER, NASTY, OTHER, SECRET, TriedTable, blocks, everybody, visits
from anonnb.testing.contract import Contract, told
from anonnb.testing.recounting import PublishedText, small_itemset_counts, small_tree_counts
from anonnb.testing.subjects import MethodRun, MethodSubject
from anonnb.utility import truthfulness

Recount = Callable[[PublishedText], bool]
CONTRACT = Contract()
must = CONTRACT.must

TINY = 1e-9  # what rounding may change
SHARE = 0.75  # the largest share of a secret that is asked for with require


def _of_tables(subject: MethodSubject) -> bool:
    return subject.publishes_table


def _reads_levels(subject: MethodSubject) -> bool:
    return subject.publishes_table and (subject.method.uses_hierarchies or bool(subject.method.keeps_limits))


# ---- the promise ------------------------------------------------------------------------------------------------


@must(
    "promise kept", "Recounted from the published text, the promise holds on ordinary tables, for k of 1 to all rows."
)
def _kept(subject: MethodSubject) -> Iterator[str]:
    runs = list(subject.everyday)
    if subject.has_k:
        runs += [subject.run(case, k=k) for case in subject.ordinary[:1] for k in (1, 3, len(case.table))]
    for trial in runs:
        yield from broken_promise(trial)


def _kept_on(name: str) -> Callable[[MethodSubject], Iterator[str]]:
    def check(subject: MethodSubject) -> Iterator[str]:
        trial = subject.run(subject.nasty[name])
        if trial.error is not None and not isinstance(trial.error, ValueError | TypeError | KeyError):
            yield f"it raises {told(trial.error)}"
        yield from broken_promise(trial)

    return check


for _name in NASTY:
    must(f"promise kept: {_name}", f"Recounted from the published text, the promise holds on the table “{_name}”.")(
        _kept_on(_name)
    )


def broken_promise(found: MethodRun) -> Iterator[str]:
    """Find where the published text shows less than was promised."""
    if found.error is not None:
        return
    for what, floor in found.method.promise.floors.items():
        yield from _RECOUNTS[what](found, floor)


def _small_classes(trial: MethodRun, k: int) -> Iterator[str]:
    smallest = min(trial.text.class_sizes(trial.table.quasi), default=k)
    if smallest < k:
        yield f"a class of {smallest} rows is published where {k} are promised"


def _few_fits(trial: MethodRun, k: int) -> Iterator[str]:
    """Only for tables that plain code can read; for others the promise's own check must suffice."""
    if not trial.case.reader.orders:
        return
    names = trial.text.header
    originals = [tuple(map(str, row)) for row in trial.table.frame[names].itertuples(index=False)]
    for row in trial.text.rows:
        fits = trial.case.reader.fitting(names, row, originals)
        if fits < k:
            yield f"a published row fits {fits} original rows where {k} are promised"


def _small_counts(trial: MethodRun, k: int) -> Iterator[str]:
    if "count" in trial.text.header:
        if trial.case.reader.orders:  # no value holds a blank
            yield from small_itemset_counts(trial.text, k)
    else:
        yield from small_tree_counts(trial.text, k)


def _likely_secrets(trial: MethodRun, l: int) -> Iterator[str]:  # noqa: E741
    """Of two files: the group in the last column of the first; group, secret, count and more in the second."""
    members = Counter(row[-1] for row in trial.text.rows)
    counts: dict[str, Counter] = {group: Counter() for group in members}
    invented = dict.fromkeys(members, 0)
    for group, secret, count, *counterfeits in trial.secrets.rows:
        if group not in counts:
            yield f"the second file tells of group {group}, which the first does not have"
            return
        counts[group][secret] += int(count)
        invented[group] = int(counterfeits[0]) if counterfeits else 0
    for group, secrets in counts.items():
        if sum(secrets.values()) != members[group] + invented[group]:
            yield f"group {group} has {members[group]} rows, but its secrets are {sum(secrets.values())}"
        known = [count for secret, count in secrets.items() if secret]
        if known and max(known) * l > sum(known):
            yield f"a group gives a secret a share of {max(known) / sum(known):.2f} where 1/{l} is promised"


_RECOUNTS = {"secrets": _likely_secrets, "class": _small_classes, "fit": _few_fits, "count": _small_counts}


@must("people", "Where people have several rows, what is promised holds for people, or the table is refused.")
def _people(subject: MethodSubject) -> Iterator[str]:
    trial = subject.run(visits(subject.ordinary[0], subject.seed))
    if trial.error is not None:
        if not isinstance(trial.error, ValueError):
            yield f"it raises {told(trial.error)}"
        return
    for what, floor in trial.method.promise.floors.items():
        if what != "class":
            yield f"it promises a {what} of {floor} rows where people have several; refuse them: counts_people = False"
            continue
        written = [name for name in trial.text.header if name in trial.result.columns]
        owners = trial.table.people[trial.result.rows[trial.result.content_order(written)]]
        indices = [trial.text.header.index(name) for name in trial.table.quasi]
        classes: dict[tuple, set[int]] = {}
        for row, owner in zip(trial.text.rows, owners, strict=True):
            classes.setdefault(tuple(row[index] for index in indices), set()).add(int(owner))
        fewest = min(map(len, classes.values()), default=floor)
        if fewest < floor:
            yield f"a class of {fewest} people is published where {floor} are promised"


@must("its own check", "Its promise accepts what it published.")
def _own_check(subject: MethodSubject) -> Iterator[str]:
    for trial in subject.made:
        try:
            trial.method.promise.check(trial.result)
        except Infeasible as error:
            yield f"its promise refuses what it published of {trial.case.name}: {error}"
    if type(subject.method.promise) is Promise and subject.method.promised is not Promise:
        yield "its promise is the empty one, which guarantees nothing"


@must(
    "requirements kept",
    "Recounted from the published text, every class satisfies what require= asks for.",
    applies=lambda s: s.makes_groups and s.publishes_table,
)
def _require(subject: MethodSubject) -> Iterator[str]:
    for model in (privacy.LDiversity(2), privacy.AlphaK(SHARE, 2)):
        for trial in [subject.run(case, require=(model,)) for case in subject.ordinary[:2]]:
            if trial.error is not None:
                if not isinstance(trial.error, Infeasible):
                    yield f"require={model} raises {told(trial.error)}"
                continue
            different = trial.text.least_different(trial.table.quasi, SECRET)
            share = trial.text.largest_share(trial.table.quasi, SECRET)
            if isinstance(model, privacy.LDiversity) and different < model.l and trial.text.rows:
                yield f"require={model}, and a class with {different} different secrets is published"
            if isinstance(model, privacy.AlphaK) and share > SHARE + TINY:
                yield f"require={model}, and a class in which a secret has a share of {share:.2f} is published"


@must(
    "requirements within reach",
    "Where k alone would miss a model of privacy and larger classes meet it, it publishes classes that do.",
    applies=lambda s: s.makes_groups and s.publishes_table,
)
def _within_reach(subject: MethodSubject) -> Iterator[str]:
    size = max(subject.parameters.get("k") or 2, 2)
    case = blocks(size)
    for model, meets in requirements(case, size, truthful=subject.method.truthful):
        trial = subject.run(case, require=(model,))
        if isinstance(model, RiskModel) and subject.run(case, k=model.sufficient_k).error is not None:
            continue  # it knows no such k
        if trial.error is not None:
            yield f"require={model} can be met by {case.name}, but it raises {told(trial.error)}"
        elif not trial.text.rows:
            yield f"require={model} can be met by {case.name}, but it publishes no row"
        elif not meets(trial.text):
            yield f"require={model}, and a class that misses it is published of {case.name}"


def requirements(case: TriedTable, size: int, truthful: bool) -> Iterator[tuple[privacy.Model, Recount]]:
    """Give every model that a class of two blocks meets and one block misses, with a recount from published text.

    Those that count people of a population ask for cells that cover the people behind them.
    """
    quasi = case.table.quasi

    def sizes(minimum: int) -> Recount:
        return lambda text: min(text.class_sizes(quasi)) >= minimum

    def shares(judge: Callable[[list[float], list[float]], bool]) -> Recount:
        def meets(text: PublishedText) -> bool:
            whole = Counter(text.column(SECRET))
            p = [count / whole.total() for count in whole.values()]
            return all(
                judge([counts[value] / counts.total() for value in whole], p) for counts in text.secrets(quasi, SECRET)
            )

        return meets

    yield privacy.KAnonymity(size + 1), sizes(size + 1)
    limit = 1 / (size + 1)
    yield privacy.HighestRisk(limit), sizes(size + 1)
    yield privacy.AverageRisk(limit), lambda text: len(text.class_sizes(quasi)) <= limit * len(text.rows) + TINY
    yield privacy.RecordsAtRisk(limit), sizes(size + 1)  # of so few rows a single one is more than the share of 1 %
    yield privacy.LDiversity(2), shares(lambda q, p: sum(map(bool, q)) >= 2)
    yield (
        privacy.LDiversity(2, "entropy"),
        shares(lambda q, p: -sum(x * math.log(x) for x in q if x) >= math.log(2) - TINY),
    )
    yield privacy.LDiversity(2, "recursive", c=2), shares(lambda q, p: max(q) < 2 * (1 - max(q)))
    yield privacy.LDiversity(1.5, "frequency"), shares(lambda q, p: max(q) < 1 / 1.5)
    yield (
        privacy.TCloseness(0.5),
        shares(lambda q, p: sum(abs(x - y) for x, y in zip(q, p, strict=True)) / 2 <= 0.5 + TINY),
    )
    yield privacy.AlphaK(0.5, size), shares(lambda q, p: max(q) <= 0.5 + TINY)
    yield privacy.BetaLikeness(1), shares(lambda q, p: all(x - y <= y + TINY for x, y in zip(q, p, strict=True)))
    yield (
        privacy.DeltaDisclosure(2),
        shares(lambda q, p: all(x and abs(math.log(x / y)) < 2 for x, y in zip(q, p, strict=True))),
    )
    if not truthful:
        return
    population = everybody(case, size)
    people = list(population.frame[quasi].itertuples(index=False))

    def presence(text: PublishedText) -> bool:
        fitting = text.people_per_class(quasi, people, case.reader)
        return all(class_size <= 0.5 * all_ for class_size, all_ in zip(text.class_sizes(quasi), fitting, strict=True))

    yield (
        privacy.KMap(size + 1, population),
        lambda text: min(text.people_per_class(quasi, people, case.reader)) > size,
    )
    yield privacy.DeltaPresence(0, 0.5, population), presence


@must(
    "requirements that nobody can keep",
    "A requirement that no group can meet is Infeasible, or no row is published.",
    applies=lambda s: s.makes_groups and s.publishes_table,
)
def _impossible(subject: MethodSubject) -> Iterator[str]:
    trial = subject.run(subject.ordinary[0], require=(privacy.LDiversity(50),))
    if trial.error is None and trial.text.rows:
        yield f"with require=LDiversity(50) {len(trial.text.rows)} rows are published, and no class has 50 secrets"
    elif trial.error is not None and not isinstance(trial.error, Infeasible):
        yield f"require=LDiversity(50) raises {told(trial.error)}, not Infeasible"


# ---- the truth --------------------------------------------------------------------------------------------------


@must(
    "truth",
    "Every published cell may be the row's own value, read from the text; or truthful is False.",
    applies=lambda s: s.publishes_table and s.method.truthful,
)
def _truth(subject: MethodSubject) -> Iterator[str]:
    for trial in subject.made:
        if trial.case.reader.orders:
            yield from _untrue_cells(trial)
        elif trial.result.quasi and len(trial.result) and truthfulness(trial.table, trial.result) < 1:
            yield f"on the table “{trial.case.name}” a published set does not hold the row's own value"


def _untrue_cells(trial: MethodRun) -> Iterator[str]:
    names = trial.table.quasi
    shown = trial.result.frame[names].astype(object)
    original = trial.table.frame[names].iloc[trial.result.rows].astype(object)
    for name in names:
        for cell, value in zip(shown[name], original[name], strict=True):
            if not trial.case.reader.may_be(name, str(cell), str(value)):
                yield f"column {name!r} shows {str(cell)!r} for somebody who has {str(value)!r}, and truthful is True"


# ---- rows and columns -------------------------------------------------------------------------------------------


@must(
    "no row is lost",
    "Every row of the table is published or counted as suppressed, and none appears twice.",
    applies=_of_tables,
)
def _rows(subject: MethodSubject) -> Iterator[str]:
    for trial in subject.made:
        release, rows = trial.result, len(trial.table)
        if len(trial.text.rows) != len(release):
            yield f"{len(trial.text.rows)} rows are written, the release has {len(release)} ({trial.case.name})"
        if release.rows is None:
            yield "the release does not tell which original row is behind each published one"
            return
        different = len(np.unique(release.rows))
        if "class" in subject.floors and different < len(release):
            yield f"{len(release) - different} rows are published twice ({trial.case.name})"
        if "fit" in subject.floors:  # a pattern may stand for several rows
            yield from _unheld(trial)
        elif different + release.n_suppressed != rows:
            yield f"{different} rows are published and {release.n_suppressed} suppressed of {rows} ({trial.case.name})"


def _unheld(trial: MethodRun) -> Iterator[str]:
    """Say whether more rows fit no published one than were counted as suppressed."""
    names, reader = trial.text.header, trial.case.reader
    originals = (
        [tuple(map(str, row)) for row in trial.table.frame[names].itertuples(index=False)] if reader.orders else []
    )
    alone = sum(not any(reader.fitting(names, row, [each]) for row in trial.text.rows) for each in originals)
    if alone > trial.result.n_suppressed:
        yield f"{alone} rows fit no published one, and {trial.result.n_suppressed} are counted as suppressed"


@must("identifiers", "No identifier is published, neither its column nor one of its values.")
def _identifiers(subject: MethodSubject) -> Iterator[str]:
    for trial in subject.made:
        if IDENTIFIER not in trial.table.identifiers:
            continue
        if IDENTIFIER in trial.text.header:
            yield f"the identifier {IDENTIFIER!r} is published"
        if b"person-" in trial.written:
            yield "a value of the identifier stands in a published cell"


@must("columns without a role", "Columns without a role are not published unless they are asked for.")
def _no_role(subject: MethodSubject) -> Iterator[str]:
    for trial in subject.made:
        if OTHER in trial.text.header:
            yield f"{OTHER!r}, which has no role, is published"


@must(
    "unchanged columns",
    "Columns outside the roles that ``changes`` names are published as they are.",
    applies=_of_tables,
)
def _unchanged(subject: MethodSubject) -> Iterator[str]:
    roles = {SECRET: "sensitive", DECISION: "decision", OTHER: "other"}
    kept = [name for name, role in roles.items() if role not in subject.method.changes]
    for trial in subject.made:
        for name in kept:
            original, shown = trial.table.frame[name].iloc[trial.result.rows], trial.result.frame[name]
            if not (_texts(original) == _texts(shown)).all():
                yield f"column {name!r} is changed ({trial.case.name}), and changes does not name its role"


def _texts(cells: pd.Series) -> np.ndarray:
    return np.where(cells.isna(), "missing", cells.astype(object).map(str))


@must(
    "hidden secrets",
    "A method with hides_sensitive publishes no sensitive value.",
    applies=lambda s: s.method.hides_sensitive,
)
def _hidden(subject: MethodSubject) -> Iterator[str]:
    for trial in subject.made:
        shown = set(trial.text.column(SECRET)) - HIDDEN_LABELS if SECRET in trial.text.header else set()
        if shown:
            yield f"the sensitive value {sorted(shown)[0]!r} is published ({trial.case.name})"


# ---- limits -----------------------------------------------------------------------------------------------------


@must(
    "within limits",
    "No cell is published above the highest level that its column allows; where that cannot be, the method refuses.",
    applies=_reads_levels,
)
def _within_limits(subject: MethodSubject) -> Iterator[str]:
    for case in subject.ordinary:
        levels = {name: case.table.attributes[name].levels for name in ("age", "city") if name in case.table.quasi}
        for name, attribute_levels in levels.items():
            for limit in range(attribute_levels.height):
                yield from _above(subject, case.table.with_limits(**{name: limit}), name, attribute_levels.maps[limit])


def _above(subject: MethodSubject, table: Table, name: str, label: np.ndarray) -> Iterator[str]:
    try:
        release = subject.method.anonymize(table)
    except (ValueError, Infeasible):
        return
    column = release.columns[name]
    for number in np.unique(column.index):
        if column.sets.sizes[number] > 1 and len(np.unique(label[column.sets.mask(number)])) > 1:
            yield f"{name} is limited to level {table.limits[name]}, but shows {column.sets.labels[number]!r}"
