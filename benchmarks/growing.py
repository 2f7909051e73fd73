"""The lines of growth: every method, attack, measure and inducer that is registered, timed on tables that grow.

``lines()`` reads the registries, so a new class has its line without being named here; ``HOW`` only says how something
is called that needs more than its defaults. ``bench_growth.py`` runs this file for each line.
"""

from __future__ import annotations

import gc
import inspect
import json
import math
import pickle
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path

import pandas as pd
from child import in_one_line

from anonnb import Table

SIZES = (30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
ENOUGH = 1.0  # processor seconds of a run after which a line does not grow on
MOST = 3.0  # nor where the next size is expected to take more
SHORT = 0.3  # a run below this is repeated twice; the best counts
HOPELESS = 8.0  # a first run beyond this is not tried again
LARGE = 1_000  # a failure at fewer rows does not end a line
MEMORY = 8 * 2**30  # bytes of address space; what wants more fails with a sentence
K, SUPPORT = 10, 0.05
ON = " on "  # between an attack and the method whose release it reads


@dataclass(frozen=True)
class How:
    """How something is called that needs more than its defaults, or another table."""

    options: Mapping[str, object] = field(default_factory=dict)
    recode: Callable | None = None  # another table, made of the grown one
    release: str = "Mondrian"  # the method whose release is attacked


def two_valued(table):
    """Each quasi-identifier as whether its code is above the middle."""
    columns = {name: table.codes(name) * 2 > table.attributes[name].size for name in table.quasi}
    return Table(pd.DataFrame(columns).astype(str), quasi=table.quasi)


def with_order(table):
    """Age and the code of education describe an ordered income."""
    columns = {"age": table.frame["age"], "education": table.codes("education"), "income": table.frame["income"]}
    orders = {"income": ["<=50K", ">50K"]}
    return Table(pd.DataFrame(columns), quasi=["age", "education"], decision="income", orders=orders)


MINING = How({"min_support": SUPPORT, "bins": 10})
NO_MAJORITY = How(recode=lambda table: table.with_roles(sensitive=["occupation"]))
HOW = {
    **dict.fromkeys(("frequent_itemsets", "closed_itemsets", "maximal_itemsets", "association_rules"), MINING),
    "grow": How({"max_leaves": 64}),
    "approximate": How({"concept": ">50K"}),
    "fuzzy approximate": How({"concept": ">50K"}),
    "domlem": How(recode=with_order),
    "GreedyCover": How({"k": 2}),
    "Factor": How({"k": 2}, two_valued),
    "KOptimize": How(recode=lambda table: table.with_roles(quasi=["sex", "race", "marital-status"])),  # exponential
    "PrivateMarginals": How({"domain": "data"}),
    **dict.fromkeys(("Anatomy", "MInvariance"), NO_MAJORITY),
    "MinimalityAttack": How({"worlds": 5}),
    "RefinementAttack": How(release="LocalRecoding"),  # it reasons from the order of the nodes
    "DowncodingAttack": How(release="Samarati"),  # it needs a method that promises that nothing finer is possible
}
PLAIN = How()
FURTHER = ("LinkageAttack", "MembershipAttack")  # on PRAM they look for nearest rows


@dataclass(frozen=True)
class Line:
    """One thing to time: its kind (method, attack, privacy, utility, inducer, rough sets) and its name."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


def lines() -> list[Line]:
    """Everything that is registered or public and needs a table, or a release of one."""
    from anonnb import attacks, methods, privacy, utility

    found = [Line("method", name) for name in methods.all()]
    found += [Line("attack", name) for name in attacks.all()]
    found += [Line("attack", f"{name}{ON}PRAM") for name in FURTHER]
    found += [Line("privacy", measure.name) for measure in privacy.MEASURES]
    found += [Line("utility", measure.name) for measure in utility.MEASURES]
    found += [Line("utility", name) for name in comparisons()]
    return found + [line for line, _ in functions()]


def functions() -> Iterator[tuple[Line, Callable]]:
    """The functions that learn from a table or a release alone."""
    from anonnb import roughsets, rules, trees
    from anonnb.roughsets import fuzzy

    rooms = [("inducer", "", rules), ("inducer", "", trees), ("rough sets", "", roughsets)]
    for kind, before, room in (*rooms, ("rough sets", "fuzzy ", fuzzy)):
        for name in room.__all__:
            if _requires(getattr(room, name), "Table"):
                yield Line(kind, before + name), getattr(room, name)


def comparisons() -> dict[str, Callable]:
    """The functions that compare a table with its release and are not the value of a measure of the same name."""
    from anonnb import utility

    measured = {measure.name.lower().replace(" ", "_") for measure in utility.MEASURES}
    known = {name: getattr(utility, name) for name in utility.__all__ if name not in measured}
    return {name: thing for name, thing in known.items() if _requires(thing, "Table", "Release")}


def _requires(thing: object, *types: str) -> bool:
    """Whether something is a function whose required arguments are first ones of these types, and no others."""
    if not inspect.isfunction(thing):
        return False
    given = list(inspect.signature(thing).parameters.values())
    others = [one for one in given[len(types) :] if one.default is one.empty and one.kind is not one.VAR_KEYWORD]
    typed = [kind in str(one.annotation) and one.default is one.empty for one, kind in zip(given, types, strict=False)]
    return not others and len(given) >= len(types) and all(typed)


class Tables:
    """The grown tables of a folder, a file for each size, and what is prepared from them."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.release = cache(self.release)

    def table(self, rows: int):
        """A table that nothing was computed of."""
        with (self.folder / f"{rows}.pickle").open("rb") as file:
            return pickle.load(file)

    def release(self, rows: int, method: str = "Mondrian"):
        return made(_class(method)).anonymize(self.table(rows))

    def numbers(self, rows: int):
        """A release of a table of numbers that grew: Adult has only one."""
        from tables import grown

        from anonnb import load

        return made(_class("NoiseAddition")).anonymize(grown(load("census"), rows))

    def fresh(self, rows: int, method: str = "Mondrian"):
        """The release without what was computed of it before."""
        from anonnb import Release

        old = self.release(rows, method)
        return Release(self.table(rows), old.columns, old.rows, method=old.method, info=old.info)


def _class(name: str) -> type:
    from anonnb import methods

    return methods.get(name)


def made(cls: type):
    """A method or an attack with k = 10 where it takes a k."""
    known = {field.name for field in fields(cls)}
    return cls(**({"k": K} if "k" in known else {}) | HOW.get(cls.__name__, PLAIN).options)


# ---- what is timed: for a size, a function that prepares, and one that is timed with what was prepared --------------


def job(line: Line, tables: Tables, rows: int) -> tuple[Callable[[], object], Callable[[object], object]]:
    kinds = {"method": _method, "attack": _attack, "privacy": _privacy, "utility": _utility}
    return kinds.get(line.kind, _function)(line, tables, rows)


def recoded(line: Line, table):
    how = HOW.get(line.name, PLAIN)
    return how.recode(table) if how.recode else table


def _method(line: Line, tables: Tables, rows: int):
    return lambda: recoded(line, tables.table(rows)), made(_class(line.name)).anonymize


def _attack(line: Line, tables: Tables, rows: int):
    from dataclasses import replace

    from anonnb import arena, attacks

    name, _, method = line.name.partition(ON)
    attack = made(attacks.get(name))
    if attack.reads == "mined":
        return lambda: _itemsets(tables.table(rows)), attack.run
    if getattr(attack, "other", attack) is None:
        half = tables.table(rows).take(arena.half_of(tables.table(rows)))
        attack = replace(attack, other=tables.release(rows).method.anonymize(half))
    method = method or HOW.get(name, PLAIN).release
    return lambda: tables.fresh(rows, method), attack.run


def _itemsets(table):
    """What mining publishes: up to three values that a tenth of the rows have together, the 20 commonest or so."""
    from anonnb.rules import frequent_itemsets

    found = frequent_itemsets(table.select(table.quasi), 0.1, max_len=3)
    return found[found["count"] >= found["count"].nlargest(20).iloc[-1]].reset_index(drop=True)


def _privacy(line: Line, tables: Tables, rows: int):
    from anonnb import privacy
    from anonnb.privacy.reporting import Exposure

    (measure,) = [one for one in privacy.MEASURES if one.name == line.name]
    ways = (
        lambda: (tables.fresh(rows),),
        lambda: (tables.fresh(rows), tables.table(rows)),  # with a population
        lambda: (_with_gaps(tables.table(rows)),),
    )
    way = first_that_fits(ways, lambda one: measure.applies(Exposure(*one())))
    return way, lambda given: measure.value(Exposure(*given))


def first_that_fits(ways: tuple[Callable, ...], applies: Callable) -> Callable:
    """The first of several ways to prepare something that a measure can be taken of."""
    for way in filter(applies, ways):
        return way
    raise ValueError("the measure means nothing for so small a table")


def _with_gaps(table):
    """The same table; every hundredth row lacks a value of its second quasi-identifier."""
    frame = table.frame.copy()
    frame.loc[::100, table.quasi[1]] = None
    return Table(frame, quasi=table.quasi, sensitive=table.sensitive, decision=table.decision)


def _utility(line: Line, tables: Tables, rows: int):
    from anonnb import utility
    from anonnb.utility.reporting import Comparison

    compare = comparisons().get(line.name)
    if compare is not None:
        return lambda: tables.fresh(rows), lambda release: compare(release.table, release)
    (measure,) = [one for one in utility.MEASURES if one.name == line.name]
    noisy = lambda: tables.fresh(rows, "NoiseAddition")  # noqa: E731
    ways = (lambda: tables.fresh(rows), noisy, lambda: tables.numbers(rows))
    way = first_that_fits(ways, lambda one: measure.applies(Comparison(one().table, one())))
    return way, lambda release: measure.value(Comparison(release.table, release))


def _function(line: Line, tables: Tables, rows: int):
    function = dict(functions())[line]
    options = HOW.get(line.name, PLAIN).options
    return lambda: recoded(line, tables.table(rows)), lambda table: function(table, **options)


# ---- timing ---------------------------------------------------------------------------------------------------------


def timed(line: Line, tables: Tables, sizes: tuple[int, ...]) -> Iterator[dict]:
    """A dict per event: the start of a size, what a size took, or why there is no more."""
    seen: list[tuple[int, float]] = []
    for rows in sizes:
        expected = expected_next(seen, rows)
        if seen and (seen[-1][1] > ENOUGH or expected > MOST):
            yield {"rows": rows, "note": f"not tried: about {expected:.2g} s expected"}
            return
        yield {"rows": rows, "start": time.time()}
        try:
            found = once(line, tables, rows, warm=not seen, expected=expected)
        except Exception as error:  # a line that cannot be measured says why, and the others go on
            yield {"rows": rows, "note": f"failed: {in_one_line(error)}"}
            if seen or rows >= LARGE:
                return
            continue  # a table may be too small for k, or for what a method looks for
        seen.append((rows, found["cpu"]))
        yield {"rows": rows, **found}


def expected_next(seen: list[tuple[int, float]], rows: int) -> float:
    """Seconds at a further size if it grows as in the last step, and at least linearly.

    >>> round(expected_next([(100, 1.0), (1_000, 100.0)], 2_000))
    400
    """
    if not seen:
        return 0.0
    (n, before), (m, last) = ([*seen[:1], *seen])[-2:]
    slope = math.log(max(last, 1e-4) / max(before, 1e-4)) / math.log(m / n) if m > n else 1.0
    return last * (rows / m) ** min(max(slope, 1.0), 3.0)


def once(line: Line, tables: Tables, rows: int, *, warm: bool, expected: float = 0.0) -> dict:
    """The best of up to three runs.

    What is compiled is loaded, or compiled, in the first run of the first size, which does not count; and where a
    larger table has codes of another type, in a run that takes far longer than expected, which is repeated.
    """
    prepare, run = job(line, tables, rows)
    best: tuple[float, float] | None = None
    for attempt in range(4 if warm else 3):
        given = prepare()
        gc.collect()
        wall, busy = time.perf_counter(), time.process_time()
        run(given)
        took = (time.process_time() - busy, time.perf_counter() - wall)
        best = took if warm and attempt == 1 else min(best or took, took)
        surprising = attempt == 0 and (warm or took[0] > 3 * expected)
        if took[0] > (HOPELESS if surprising else SHORT):
            break
    return {"cpu": best[0], "wall": best[1]}


def main(folder: str, sizes: list[int], number: int, output: str) -> None:
    """Time the line with this number; a JSON text per event, as soon as it happens."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    with Path(output).open("a", encoding="utf-8") as file:
        for event in timed(lines()[number], Tables(Path(folder)), tuple(sizes)):
            print(json.dumps(event), file=file, flush=True)


if __name__ == "__main__":
    main(**json.loads(sys.argv[1]))
