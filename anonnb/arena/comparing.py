"""The arena: every method against every attack on one table, with every measure beside them, in one tidy frame.

A pair that fails becomes a line with its reason, never a crash. Tasks run in parallel (or on a Dask cluster, see
``run_tasks``) and are kept on disk where a cache folder is given, so that a stopped comparison can continue later.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from math import isnan, nan
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from anonnb import attacks as attack_registry
from anonnb import methods as method_registry
from anonnb import privacy, utility
from anonnb.arena.entrants import default_attacks, default_methods, half_of, halves, table_methods
from anonnb.attacks.intervals import UNKNOWN, mean_interval
from anonnb.attacks.result import FIGURES, AttackResult
from anonnb.core.errors import Infeasible, message_of
from anonnb.core.extras import MissingExtra
from anonnb.core.progress import ticks, watcher
from anonnb.core.tasks import run_tasks
from anonnb.rules.association.mining import frequent_itemsets
from anonnb.tables.matching import shared_matchings
from anonnb.tables.mined_results import Mined
from anonnb.tables.release import Release
from anonnb.tables.table import Table

HEAD = ["method", "k", "seed", "kind", "name"]
ENDS = ["value low", "value high", "excess low", "excess high"]
YARDSTICK = [name for name in FIGURES if name not in ("success", *ENDS)]  # of attacks, whose success is the value
LINE = [*HEAD, "value", "better", "seconds", "reason", "attack kind", "secret", *YARDSTICK, *ENDS]  # of one release
COLUMNS = [
    *(*HEAD, "value", "value sd", "value low", "value high", "draws", "better", "seconds", "reason", "attack kind"),
    *("secret", "excess", "excess sd", "excess low", "excess high"),
    *(name for name in YARDSTICK if name != "excess"),
]
NO_FIGURES = (None, *(nan for _ in [*YARDSTICK, *ENDS]))
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
    draws: int = 0,
    people: int | None = None,
    control: Table | None = None,
    every_secret: bool = False,
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
        Names or instances. None: those of :func:`default_attacks`. ``"all"``: every registered attack. An attack that
        needs more than a release gets it: the intersection attack a second release, of half the people by the same
        method (:func:`half_of`); attacks on mined results the frequent itemsets of the released quasi-identifiers, the
        ``MOST_ITEMSETS`` commonest at most, or what a method mined itself; the minimality attack tries ``WORLDS``
        tables.
    measures:
        Names from :func:`anonnb.privacy.report` and :func:`anonnb.utility.report`; None: all of them.
    k, seeds, time_limit:
        Given to the methods that take them, and the time limit (seconds) also to the attacks that take one: searches
        that would take longer publish the best they found. Several ``k`` or ``seeds`` run every method for each.
    draws:
        How often half of the people are drawn at random to be published (:func:`halves` with the seeds 1, 2, …), while
        the other half are outsiders, the control of every attack. 0: the whole table is published.
    people:
        How many people take part in each draw; None: all of them.
    control:
        Instead of draws, a table of outsiders.
    every_secret:
        Whether an attack on several secrets gets a line for each of them. By default its line is that of the secret
        with most sure people over all draws.
    jobs:
        How many processes share the work.
    cache_folder:
        Where finished parts are kept, so that a stopped comparison continues from there; None keeps nothing.
    progress:
        Shows how far the work is, as ``tqdm`` does: it is called with what to go through, with ``total=`` and ``desc=``
        and, for what goes on within a release, with ``leave=False``.
    say:
        Phrases the message of an error (which may carry remedies) for the column ``reason``; by default it is the class
        of the error and its message.

    Returns
    -------
    pd.DataFrame
        A line per figure: method, k, seed, kind, name, value, which way is better, seconds, the reason if it failed,
        and of an attack its kind, the secret, and the figures of :class:`~anonnb.attacks.result.AttackResult`.

    Notes
    -----
    The first lines are those of the table itself, as method "original". The ``value`` of an attack is its success. All
    figures are means over the draws that have them, and ``draws`` counts these; ``value sd`` and ``excess sd`` are
    standard deviations. The columns ``low`` and ``high`` are the 95 % interval: Student's t over the draws or, of a
    single release, the interval of that release. The success of all members is a count then, and has none.

    Examples
    --------
    >>> import anonnb
    >>> frame = compare(anonnb.load("survey"), ["Mondrian"], ["HomogeneityAttack"], k=4)
    >>> frame.query("name == 'HomogeneityAttack'")[["method", "value"]].round(3).values.tolist()
    [['original', 0.833], ['Mondrian', 0.803]]
    """
    if draws and control is not None:
        raise ValueError("both draws and control are given; draws keep back half of the table as a control themselves")
    if not isinstance(control, Table | None):
        raise TypeError(f"control is {control!r}, not a table of outsiders; draws=1 keeps back half of the table")
    ks = [k] if isinstance(k, int) else list(k)
    drawn = [seeds] if isinstance(seeds, int) else list(seeds)
    chosen = list(_instances(_methods(methods, table), ks, drawn, time_limit))
    options = {"time_limit": time_limit, "k": min(ks), "worlds": WORLDS}
    tried = [(name, _attack(item, options)) for name, item in _named(_attacks(attacks, table))]
    wanted = None if measures is None else _measures(measures, table)
    parts: list[tuple[Table, Table | None]] = [halves(table, seed, people) for seed in range(1, draws + 1)]
    parts = parts or [(table, control)]
    entered = [("original", None), *chosen]
    tasks = [(*part, name, method, tried, wanted) for name, method in entered for part in parts]
    frame = run_tasks(_rounds, tasks, LINE, jobs=jobs, cache_folder=cache_folder, progress=progress, what="releases")
    reasons = [cell.text(say) if isinstance(cell, _Failure) else cell for cell in frame["reason"]]
    return _over_draws(frame.assign(reason=pd.Series(reasons, index=frame.index, dtype="str")), every_secret)


def _over_draws(frame: pd.DataFrame, every_secret: bool) -> pd.DataFrame:
    """Turn the lines of all releases into means over the draws; keep the secret with most sure people, or all."""
    known = frame.groupby(HEAD, sort=False, dropna=False)["secret"].transform("first")
    lines = frame.assign(secret=frame["secret"].fillna(known)).groupby([*HEAD, "secret"], sort=False, dropna=False)
    means = lines[["value", "seconds", *YARDSTICK, *ENDS]].mean()
    means = means.assign(
        **{"value sd": lines["value"].std(), "excess sd": lines["excess"].std(), "draws": lines["value"].count()},
        reason=lines["reason"].agg(_commonest),
        **lines[["better", "attack kind"]].first(),
    )
    for name in ("value", "excess"):
        several = lines[name].count() > 1
        ends = [mean_interval(lines[name].get_group(key).dropna()) for key in several.index[several]]
        means.loc[several, [f"{name} low", f"{name} high"]] = np.reshape(ends, (-1, 2))
    means = means.reset_index()
    if not every_secret:
        gain = (means["value"] - means["baseline"]).fillna(0)
        ranked = means.assign(excess=means["excess"].fillna(0), gain=gain)
        ranked = ranked.sort_values(["sure", "excess", "gain"], ascending=False, kind="stable")
        means = means.loc[ranked.drop_duplicates(HEAD).index.sort_values()]
    return means[COLUMNS].reset_index(drop=True)


def _commonest(reasons: pd.Series) -> str:
    return next(iter(reasons[reasons != ""].mode()), "")


# ---- who takes part ---------------------------------------------------------------------------------------------


def _methods(methods: str | Iterable | Mapping | None, table: Table) -> Iterable | Mapping:
    if methods is None:
        return default_methods(table)
    if isinstance(methods, str) and methods == "all":
        return table_methods()
    return methods if isinstance(methods, Iterable) and not isinstance(methods, str) else [methods]


def _attacks(attacks: str | Iterable | None, table: Table) -> Iterable:
    if attacks is None:
        return default_attacks(table)
    if isinstance(attacks, str) and attacks == "all":
        return list(attack_registry.all())
    return attacks if isinstance(attacks, Iterable) and not isinstance(attacks, str) else [attacks]


def _measures(measures: str | Iterable[str], table: Table) -> set[str]:
    """Return the measures that were named; each must be known for this table."""
    names = [measures] if isinstance(measures, str) else list(measures)
    found = [line[1] for line in _measured(table, Release.of(table), set(names))]
    promised = [measure.name for cls in method_registry.all().values() for measure in cls.promised.measures]
    for name in names:
        if name not in (*found, *promised):
            known = ", ".join(line[1] for line in _measured(table, Release.of(table)))
            raise KeyError(f"there is no measure {name!r} for this table; known are {known}")
    return set(names)


def _instances(
    methods: Iterable | Mapping, ks: Sequence[int], seeds: Sequence[int], time_limit: float | None
) -> Iterator[tuple]:
    for label, item in methods.items() if isinstance(methods, Mapping) else _named(methods):
        if not isinstance(item, str | type | partial):
            yield label, item
            continue
        fixed = item.keywords if isinstance(item, partial) else {}
        cls: Any = (
            item.func if isinstance(item, partial) else method_registry.get(item) if isinstance(item, str) else item
        )
        known = {field.name for field in fields(cls)}
        for k in ks if "k" in known else [None]:
            for seed in seeds if "seed" in known else [None]:
                options = {"k": k, "seed": seed, "time_limit": time_limit if "time_limit" in known else None}
                yield label, (cls, {name: v for name, v in options.items() if v is not None} | fixed)


def _named(items: Iterable) -> Iterator[tuple[str, object]]:
    """Name each by its class; instances of a class that occurs twice with their parameters too."""
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
    """Return a method or an attack with its parameters, or those that are fixed."""
    if not isinstance(item, partial):
        return str(item)
    return f"{item.func.__name__}({', '.join(f'{name}={value!r}' for name, value in item.keywords.items())})"


def _attack(item: object, options: Mapping[str, object]) -> object:
    """Return an attack, or its class with the options that it takes: made later, so that a failure becomes a line."""
    if not isinstance(item, str | type):
        return item
    cls = attack_registry.get(item) if isinstance(item, str) else item
    known = {field.name for field in fields(cls)}
    return cls, {name: value for name, value in options.items() if name in known and value is not None}


# ---- one method -------------------------------------------------------------------------------------------------


def _rounds(
    table: Table, control: Table | None, name: str, made: object, attacks: Sequence, measures: set[str] | None
) -> list[tuple]:
    """Make the release of one method, attack it and measure it; return all lines."""
    options = made[1] if isinstance(made, tuple) else {}
    k, seed = options.get("k", getattr(made, "k", None)), options.get("seed", getattr(made, "seed", None))
    head = (name, k, seed)
    start = time.perf_counter()
    try:
        release = _release(made, table)
    except FAILURES as error:
        failed = _Failure.of(error)
        return [(*head, "method", "made", nan, "", time.perf_counter() - start, failed, "", *NO_FIGURES)]
    lines = [(*head, "method", "made", 1.0, "", time.perf_counter() - start, "", "", *NO_FIGURES)]
    second = cache(lambda: _release(made, table.take(half_of(table))))
    people = (table, control)
    with shared_matchings():
        for attacker, attack in ticks(attacks, f"attacks on {name}"):
            lines += [(*head, "attack", attacker, *line) for line in _attacked(attack, release, people, k, second)]
    lines += [(*head, *line, "", *NO_FIGURES) for line in _measured(table, release, measures)]
    return lines


def _release(made: object, table: Table) -> Release:
    """Make the release of a method; None stands for the table as it is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # default hierarchies are announced where a person asked for one method
        if made is None:
            return Release.of(table)
        method: Any = made[0](**made[1]) if isinstance(made, tuple) else made
        return method.anonymize(table, progress=watcher())


def _attacked(
    item: object, release: Release, people: tuple, k: int | None, second: Callable[[], Release]
) -> list[tuple]:
    """Attack a release; return the rest of a line for each secret, or of one line if there are none."""
    kind = getattr(item[0] if isinstance(item, tuple) else item, "kind", "")
    start = time.perf_counter()
    try:
        result = _run(item, release, people, k, second)
    except FAILURES as error:
        return [(nan, "lower", time.perf_counter() - start, _Failure.of(error), kind, *NO_FIGURES)]
    seconds = time.perf_counter() - start
    if not result.attempts:
        reason = "there is nothing to attempt: no cell is hidden, or nothing was published"
        return [(nan, "lower", seconds, reason, kind, *NO_FIGURES)]
    each = list(getattr(result, "each", {}).values()) or [result]
    return [(one.success, "lower", seconds, *_figures(one, people[1] is not None)) for one in each]


def _figures(result: AttackResult, controlled: bool) -> tuple:
    """Return what follows the success of an attack: the reason, the kind, the secret, and the other figures."""
    figures, success = result.figures, UNKNOWN
    if result.sampled or result.kind in ("membership", "isolation"):  # else all were tried, and success is a count
        success = result.success_interval
    reason = result.reason if controlled or isnan(result.success) else ""
    secret = getattr(result, "secret", None)
    ends = (*success, figures["excess low"], figures["excess high"])
    return (reason, result.kind, secret, *(figures[name] for name in YARDSTICK), *ends)


def _run(item: object, release: Release, people: tuple, k: int | None, second: Callable[[], Release]) -> AttackResult:
    """Run an attack with what it needs besides the release: people, others as a control, a second release."""
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
    kinds = {"privacy": privacy.report(release, only=wanted), "utility": utility.report(table, release, only=wanted)}
    for kind, found in kinds.items():
        for line in found.itertuples(index=False):
            yield (kind, line.measure, float(line.value), line.better, 0.0, "")


@dataclass(frozen=True)
class _Failure:
    """An error that travels from a worker to a reader who is not known yet."""

    kind: str
    message: str

    @classmethod
    def of(cls, error: Exception) -> _Failure:
        return cls(type(error).__name__, message_of(error))

    def text(self, say: Callable[[str], str] | None) -> str:
        return f"{self.kind}: {self.message}" if say is None else say(self.message)
