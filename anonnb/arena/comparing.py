"""The arena: every method against every attack on one table, with every measure beside them, in one tidy frame.

A pair that fails becomes a line with its reason, never a crash. Tasks run in parallel (or on a Dask cluster, see
``run_tasks``) and are remembered on disk where a cache folder is given, so that a stopped comparison goes on later.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from pathlib import Path

import numpy as np
import pandas as pd

from anonnb import attacks as attack_registry
from anonnb import methods as method_registry
from anonnb import privacy, utility
from anonnb.attacks.result import FIGURES, AttackResult
from anonnb.core.errors import Infeasible, message_of
from anonnb.core.extras import MissingExtra
from anonnb.core.tasks import run_tasks
from anonnb.rules.association.mining import frequent_itemsets
from anonnb.tables.mined_results import Mined
from anonnb.tables.release import Release
from anonnb.tables.table import Table

YARDSTICK = [name for name in FIGURES if name != "success"]  # of attacks, whose success is the value
COLUMNS = ["method", "k", "seed", "kind", "name", "value", "better", "seconds", "reason", "secret", *YARDSTICK]
NO_FIGURES = (None, *(float("nan") for _ in YARDSTICK))
FAILURES = (ValueError, TypeError, KeyError, Infeasible, MissingExtra)  # what becomes a line with its reason

MOST_ITEMSETS = 200  # that mining publishes for the attacks on mined results
WORLDS = 20  # tables that the minimality attack tries: each runs the method again


def compare(
    table: Table,
    methods: str | Iterable | Mapping[str, object] | None = None,
    attacks: str | Iterable | None = None,
    measures: str | Iterable[str] | None = None,
    *,
    k: int | Sequence[int] = 5,
    seeds: int | Sequence[int] = (0,),
    time_limit: float | None = 5,
    control: bool | Table = False,
    jobs: int = 1,
    cache_folder: str | Path | None = None,
    progress: Callable[..., Iterable] | None = None,
    say: Callable[[str], str] | None = None,
) -> pd.DataFrame:
    """Run methods on a table, attacks on their releases, and measures: one line per figure.

    Parameters
    ----------
    methods:
        Names of registered methods, or instances (used as they are; several of one class are told apart by their
        parameters, or give a mapping of names to instances). A ``functools.partial`` of a class fixes some parameters
        and gets the others as a name does. None: those of :func:`default_methods`; ``"all"``: all that publish tables.
    attacks:
        Names or instances. None: those of :func:`default_attacks`. ``"all"``: every registered attack. Where one needs
        more than a release it gets it: the intersection attack a second release, of half the people by the same method
        (:func:`half_of`); attacks on mined results the frequent itemsets of the released quasi-identifiers, the
        ``MOST_ITEMSETS`` commonest at most, or what a method mined itself; the minimality attack tries ``WORLDS``
        tables.
    measures:
        Names from ``privacy.report`` and ``utility.report``; None: all of them.
    k, seeds, time_limit:
        Given to the methods that take them, and the time limit (seconds) also to the attacks that take one: searches
        that would take longer publish the best they found.
    control:
        Whether attacks are tried on people who are not in the release too. ``True``: half of the table (:func:`halves`)
        is kept back as a control and the methods publish the other half. Or a table of other people.
    say:
        Phrases the message of an error (which may carry remedies) for the column ``reason``; by default the message
        stands there as it is, after the class of the error.

    The first lines are those of the table itself, as method "original". The ``value`` of an attack is its success; the
    columns after ``secret`` say what it is worth, as in :class:`~anonnb.attacks.result.AttackResult`.

    >>> import anonnb
    >>> frame = compare(anonnb.load("survey"), ["Mondrian"], ["HomogeneityAttack"], k=4)
    >>> frame.query("name == 'HomogeneityAttack'")[["method", "value"]].round(3).values.tolist()
    [['original', 0.061], ['Mondrian', 0.0]]
    """
    ks = [k] if isinstance(k, int) else list(k)
    drawn = [seeds] if isinstance(seeds, int) else list(seeds)
    chosen = list(_instances(_methods(methods, table), ks, drawn, time_limit))
    options = {"time_limit": time_limit, "k": min(ks), "worlds": WORLDS}
    tried = [(name, _attack(item, options)) for name, item in _named(_attacks(attacks))]
    wanted = None if measures is None else _measures(measures, table)
    inside, outside = halves(table) if control is True else (table, control or None)
    tasks = [(inside, outside, name, method, tried, wanted) for name, method in [("original", None), *chosen]]
    frame = run_tasks(_rounds, tasks, COLUMNS, jobs=jobs, cache_folder=cache_folder, progress=progress)
    reasons = [cell.told(say) if isinstance(cell, _Failure) else cell for cell in frame["reason"]]
    return frame.assign(reason=pd.Series(reasons, index=frame.index, dtype="str"))


def table_methods() -> list[str]:
    """The registered methods that publish tables, and not mined results."""
    return [name for name, cls in method_registry.all().items() if cls.publishes == "table"]


def default_methods(table: Table, *, repeatable: bool = False) -> list[str]:
    """The methods that enter when none are named: all that publish tables, of a large table those that scale.

    ``repeatable=True`` leaves out those whose noise no seed repeats, for figures that must come out again.

    >>> import anonnb
    >>> ["GreedyCover" in default_methods(anonnb.load(name)) for name in ("survey", "adult")]
    [True, False]
    """
    fitting = [name for name in table_methods() if len(table) <= method_registry.get(name).rows_in_minutes]
    return [name for name in fitting if method_registry.get(name).repeatable or not repeatable]


def default_attacks() -> list[str]:
    """The attacks that enter when none are named: those that need only a release and little time.

    >>> default_attacks()
    ['LinkageAttack', 'HomogeneityAttack', 'SkewnessAttack', 'DeFinettiAttack', 'ShallowAttack']
    """
    return [name for name, cls in attack_registry.plainest_first().items() if cls.by_default]


def half_of(table: Table) -> np.ndarray:
    """Half of the people, drawn with a fixed seed: those of the second release that the intersection attack gets."""
    return np.sort(np.random.default_rng(0).permutation(len(table))[: len(table) // 2])


def halves(table: Table) -> tuple[Table, Table]:
    """Two halves of the people, drawn with a fixed seed: those who are published, and a control."""
    drawn = np.random.default_rng(1).permutation(table.n_people) < (table.n_people + 1) // 2
    inside = drawn[table.people]
    return table.take(inside), table.take(~inside)


# ---- who takes part ---------------------------------------------------------------------------------------------


def _methods(methods: str | Iterable | Mapping | None, table: Table) -> Iterable | Mapping:
    if methods is None:
        return default_methods(table)
    if isinstance(methods, str) and methods == "all":
        return table_methods()
    return methods if isinstance(methods, Iterable) and not isinstance(methods, str) else [methods]


def _attacks(attacks: str | Iterable | None) -> Iterable:
    if attacks is None:
        return default_attacks()
    if isinstance(attacks, str) and attacks == "all":
        return list(attack_registry.all())
    return attacks if isinstance(attacks, Iterable) and not isinstance(attacks, str) else [attacks]


def _measures(measures: str | Iterable[str], table: Table) -> set[str]:
    """The measures that were named; each must be known for this table."""
    names = [measures] if isinstance(measures, str) else list(measures)
    known = [line[1] for line in _measured(table, Release.of(table))] if names else []
    promised = [measure.name for cls in method_registry.all().values() for measure in cls.promised.measures]
    for name in names:
        if name not in (*known, *promised):
            raise KeyError(f"there is no measure {name!r} for this table; known are {', '.join(known)}")
    return set(names)


def _instances(
    methods: Iterable | Mapping, ks: Sequence[int], seeds: Sequence[int], time_limit: float | None
) -> Iterator[tuple]:
    for label, item in methods.items() if isinstance(methods, Mapping) else _named(methods):
        if not isinstance(item, str | type | partial):
            yield label, item
            continue
        fixed = item.keywords if isinstance(item, partial) else {}
        cls = method_registry.get(item) if isinstance(item, str) else item.func if fixed else item
        known = {field.name for field in fields(cls)}
        for k in ks if "k" in known else [None]:
            for seed in seeds if "seed" in known else [None]:
                options = {"k": k, "seed": seed, "time_limit": time_limit if "time_limit" in known else None}
                yield label, (cls, {name: v for name, v in options.items() if v is not None} | fixed)


def _named(items: Iterable) -> Iterator[tuple[str, object]]:
    """Each with the name of its class; instances of a class that occurs twice with their parameters too."""
    items = list(items)
    items = [item.func if isinstance(item, partial) and not item.keywords else item for item in items]
    classes = [
        item if isinstance(item, str | type) else item.func if isinstance(item, partial) else type(item)
        for item in items
    ]
    names = [cls if isinstance(cls, str) else cls.__name__ for cls in classes]
    twice = [str(item) for place, item in enumerate(items) if item in items[:place]]
    if twice:
        raise ValueError(f"{twice[0]} is given twice; leave one out")
    for name, item in zip(names, items, strict=True):
        yield name if names.count(name) == 1 or isinstance(item, str | type) else _with_values(item), item


def _class_name(item: object) -> str:
    if isinstance(item, str):
        return item
    item = item.func if isinstance(item, partial) else item
    return (item if isinstance(item, type) else type(item)).__name__


def _with_values(item: object) -> str:
    """A method or an attack with its parameters, or those that are fixed."""
    if not isinstance(item, partial):
        return str(item)
    return f"{item.func.__name__}({', '.join(f'{name}={value!r}' for name, value in item.keywords.items())})"


def _attack(item: object, options: Mapping[str, object]) -> object:
    """An attack, or its class with the options that it takes: made later, so that a failure becomes a line."""
    if not isinstance(item, str | type):
        return item
    cls = attack_registry.get(item) if isinstance(item, str) else item
    known = {field.name for field in fields(cls)}
    return cls, {name: value for name, value in options.items() if name in known and value is not None}


# ---- one method -------------------------------------------------------------------------------------------------


def _rounds(
    table: Table, control: Table | None, name: str, made: object, attacks: Sequence, measures: set[str] | None
) -> list[tuple]:
    """All lines of one method: making the release, attacking it, measuring it."""
    options = made[1] if isinstance(made, tuple) else {}
    k, seed = options.get("k", getattr(made, "k", None)), options.get("seed", getattr(made, "seed", None))
    head = (name, k, seed)
    start = time.perf_counter()
    try:
        release = _release(made, table)
    except FAILURES as error:
        failed = (*head, "method", "made", float("nan"), "", time.perf_counter() - start, _Failure.of(error))
        return [(*failed, *NO_FIGURES)]
    lines = [(*head, "method", "made", 1.0, "", time.perf_counter() - start, "", *NO_FIGURES)]
    second = cache(lambda: _release(made, table.take(half_of(table))))
    people = (table, control)
    lines += [(*head, "attack", name, *_attacked(attack, release, people, k, second)) for name, attack in attacks]
    lines += [(*head, *line, *NO_FIGURES) for line in _measured(table, release, measures)]
    return lines


def _release(made: object, table: Table) -> Release:
    """What a method publishes; None stands for the table as it is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # default hierarchies are announced where a person asked for one method
        if made is None:
            return Release.of(table)
        return (made[0](**made[1]) if isinstance(made, tuple) else made).anonymize(table)


def _attacked(item: object, release: Release, people: tuple, k: int | None, second: Callable[[], Release]) -> tuple:
    start, value, reason, figures = time.perf_counter(), float("nan"), "", NO_FIGURES
    try:
        result = _run(item, release, people, k, second)
        if result.attempts:
            value = result.success
            reason = result.reason if people[1] is not None or np.isnan(value) else ""
            figures = (result.secret, *(result.figures[name] for name in YARDSTICK))
        else:
            reason = "there is nothing to attempt: no cell is hidden, or nothing was published"
    except FAILURES as error:
        reason = _Failure.of(error)
    return (value, "lower", time.perf_counter() - start, reason, *figures)


def _run(item: object, release: Release, people: tuple, k: int | None, second: Callable[[], Release]) -> AttackResult:
    """An attack with what it needs beside the release: people, others as a control, a second release."""
    if isinstance(item, tuple):
        cls, options = item
        attack = cls(**options | ({"k": k} if "k" in options and k is not None else {}))
    else:
        attack = item
    if getattr(attack, "other", release) is None and isinstance(release, Release):  # it wants another one
        attack = replace(attack, other=second())
    table, control = people
    options = {} if control is None else {"control": control}
    if attack.reads == "release":
        return attack.run(release, table, **options)
    return attack.run(release if isinstance(release, Mined) else _itemsets(release), **options)


def _itemsets(release: Release) -> pd.DataFrame:
    """What mining the released quasi-identifiers finds: up to three values that a tenth of the rows have together.

    Of very many only the commonest are published, so that every itemset comes with all that it contains.
    """
    columns = {name: release.columns[name] for name in release.quasi}
    public = Release(release.table.select(release.quasi), columns, release.rows)
    found = frequent_itemsets(public, 0.1, max_len=3)
    if len(found) <= MOST_ITEMSETS:
        return found
    most = found["count"].nlargest(MOST_ITEMSETS + 1).iloc[-1]
    return found[found["count"] > most].reset_index(drop=True)


def _measured(table: Table, release: Release, wanted: set[str] | None = None) -> Iterator[tuple]:
    if isinstance(release, Mined) or (wanted is not None and not wanted):
        return  # measures are about tables
    for kind, found in (("privacy", privacy.report(release)), ("utility", utility.report(table, release))):
        for line in found.itertuples(index=False):
            if wanted is None or line.measure in wanted:
                yield (kind, line.measure, float(line.value), line.better, 0.0, "")


@dataclass(frozen=True)
class _Failure:
    """An error on its way from a worker, where nobody knows yet who will read it."""

    kind: str
    message: str

    @classmethod
    def of(cls, error: Exception) -> _Failure:
        return cls(type(error).__name__, message_of(error))

    def told(self, say: Callable[[str], str] | None) -> str:
        return f"{self.kind}: {self.message}" if say is None else say(self.message)
