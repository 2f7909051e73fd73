"""The arena: every method against every attack on one table, with every measure beside them, in one tidy frame.

A pair that fails becomes a line with its reason, never a crash. Tasks run in parallel and are remembered on disk where
a cache folder is given, so that a stopped comparison goes on later.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path

import pandas as pd

from anonnb import attacks as attack_registry
from anonnb import methods as method_registry
from anonnb import privacy, utility
from anonnb.errors import Infeasible
from anonnb.experiments.running import run_tasks
from anonnb.release import Release
from anonnb.table import Table

COLUMNS = ["method", "k", "seed", "kind", "name", "value", "better", "seconds", "reason"]

# attacks that need nothing but a release and the original table
DEFAULT_ATTACKS = ("LinkageAttack", "HomogeneityAttack", "SkewnessAttack", "ShallowAttack")


def compare(
    table: Table,
    methods: Iterable | Mapping[str, object] | None = None,
    attacks: Iterable | None = None,
    *,
    k: int | Sequence[int] = 5,
    seeds: Sequence[int] = (0,),
    time_limit: float | None = 5,
    jobs: int = 1,
    cache_folder: str | Path | None = None,
    progress: Callable[..., Iterable] | None = None,
) -> pd.DataFrame:
    """Run methods on a table, attacks on their releases, and all measures: one line per figure.

    ``methods``: names of registered methods, or instances (used as they are); all methods that publish tables by
    default. ``attacks``: names or instances. ``k`` and ``seeds`` are given to methods that take them, and so is
    ``time_limit`` (seconds): searches that would take longer publish the best they found. The first lines are those of
    the table itself, as method "original".

    >>> import anonnb
    >>> frame = compare(anonnb.load("survey"), ["Mondrian"], ["HomogeneityAttack"], k=4)
    >>> frame.query("name == 'HomogeneityAttack'")[["method", "value"]].round(3).values.tolist()
    [['original', 0.061], ['Mondrian', 0.0]]
    """
    chosen = list(_instances(methods, [k] if isinstance(k, int) else list(k), list(seeds), time_limit))
    tried = [_attack(item) for item in (DEFAULT_ATTACKS if attacks is None else attacks)]
    tasks = [(table, name, method, tried) for name, method in [("original", None), *chosen]]
    return run_tasks(_rounds, tasks, COLUMNS, jobs=jobs, cache_folder=cache_folder, progress=progress)


def summary(frame: pd.DataFrame, names: Sequence[str] | None = None) -> pd.DataFrame:
    """One line per method and k, one column per figure: the frame of :func:`compare` as a person reads it."""
    wanted = frame if names is None else frame[frame["name"].isin(names)]
    wide = wanted.pivot_table(index=["method", "k", "seed"], columns="name", values="value", sort=False, dropna=False)
    return wide[[name for name in dict.fromkeys(wanted["name"]) if name in wide]].dropna(how="all")


def pareto(frame: pd.DataFrame, loss: str = "NCP", risk: str = "LinkageAttack") -> pd.DataFrame:
    """Methods with both figures, and whether another is at least as good in both and better in one."""
    both = summary(frame, [loss, risk]).dropna().reset_index()
    points = both[[loss, risk]].to_numpy().round(12)  # what differs only by rounding is equal
    beaten = [bool(((points <= p).all(axis=1) & (points < p).any(axis=1)).any()) for p in points]
    return both.assign(front=[not flag for flag in beaten])


def _instances(
    methods: Iterable | Mapping | None, ks: Sequence[int], seeds: Sequence[int], time_limit: float | None
) -> Iterator[tuple]:
    if methods is None:
        methods = [name for name, cls in method_registry.all().items() if cls.publishes == "table"]
    named = methods.items() if isinstance(methods, Mapping) else ((None, item) for item in methods)
    for label, item in named:
        if not isinstance(item, str | type):
            yield label or type(item).__name__, item
            continue
        cls = method_registry.get(item) if isinstance(item, str) else item
        known = {field.name for field in fields(cls)}
        for k in ks if "k" in known else [None]:
            for seed in seeds if "seed" in known else [None]:
                options = {"k": k, "seed": seed, "time_limit": time_limit if "time_limit" in known else None}
                yield label or cls.__name__, (cls, {name: v for name, v in options.items() if v is not None})


def _attack(item: object) -> object:
    return attack_registry.get(item)() if isinstance(item, str) else item() if isinstance(item, type) else item


def _rounds(table: Table, name: str, made: object, attacks: Sequence) -> list[tuple]:
    """All lines of one method: making the release, attacking it, measuring it."""
    options = made[1] if isinstance(made, tuple) else {}
    method, k, seed = None, options.get("k", getattr(made, "k", None)), options.get("seed", getattr(made, "seed", None))
    head = (name, k, seed)
    start = time.perf_counter()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # default hierarchies are announced where a person asked for one method
            method = made[0](**options) if isinstance(made, tuple) else made
            release = Release.of(table) if method is None else method.anonymize(table)
    except (ValueError, TypeError, KeyError, Infeasible) as error:
        return [(*head, "method", "made", float("nan"), "", time.perf_counter() - start, _reason(error))]
    lines = [(*head, "method", "made", 1.0, "", time.perf_counter() - start, "")]
    lines += [(*head, *_attacked(attack, release, table)) for attack in attacks]
    lines += [(*head, *line) for line in _measured(table, release)]
    return lines


def _attacked(attack, release: Release, table: Table) -> tuple:
    start = time.perf_counter()
    try:
        value, reason = attack.run(release, table).success, ""
    except (ValueError, TypeError, KeyError, Infeasible) as error:
        value, reason = float("nan"), _reason(error)
    return ("attack", type(attack).__name__, value, "lower", time.perf_counter() - start, reason)


def _measured(table: Table, release: Release) -> Iterator[tuple]:
    for kind, found in (("privacy", privacy.report(release)), ("utility", utility.report(table, release))):
        for line in found.itertuples(index=False):
            yield (kind, line.measure, float(line.value), line.better, 0.0, "")


def _reason(error: Exception) -> str:
    message = error.args[0] if isinstance(error, KeyError) and error.args else str(error)
    return f"{type(error).__name__}: {message}"
