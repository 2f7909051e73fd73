"""What is demanded of methods, attacks, rules, optima, audits and the arena, and where the time of some goes."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
from bench_mondrian import method
from common import Bench, Call, Work
from tables import table_of

MIGRATION = {"UM3AR": 3, "OKA": 1, "KACA": 1, "GCCG": 1, "M3AR": 1}  # seconds on Adult, for any k
SMALL = ["survey", "iris", "hayes-roth", "car", "zoo", "gbsg2", "decision6", "salary5"]
ATTRIBUTES, VALUES, RULES = 10, 4, 100  # of the random tables for ChaseProtection


def attack(name: str, on: str, data: str, rows: int | None = None, options: dict | None = None, **given) -> Work:
    """One attack on what a method publishes; ``given`` are the method's parameters."""
    from anonnb import attacks, methods

    table = table_of(data, rows)
    release, made = getattr(methods, on)(**given).anonymize(table), getattr(attacks, name)(**options or {})
    return Work(lambda: made.run(release), lambda result: {"success": result.success}, rows=len(table))


def rules(data: str, rows: int | None = None, unions: bool = False) -> Work:
    """MLEM2 for the classes, or for all unions of classes."""
    from anonnb.rules import imprecise_rules, mlem2

    table = table_of(data, rows)
    induce = imprecise_rules if unions else mlem2
    return Work(lambda: induce(table), lambda made: {"rules": len(made)}, rows=len(table))


def classified(data: str, folds: int, **options) -> Work:
    """LERS on the folds of a table: its accuracy on the rows that it has not seen."""
    from sklearn.model_selection import KFold

    from anonnb.rules import LERS

    table = table_of(data)
    parts = list(KFold(10, shuffle=True, random_state=0).split(np.arange(len(table))))[:folds]

    def run() -> list[float]:
        return [LERS(**options).fit(table.take(train)).score(table.take(test)) for train, test in parts]

    return Work(run, lambda scores: {"accuracy": float(np.mean(scores))}, rows=len(table))


def patterns(variant: str) -> Work:
    """From rules to patterns; the rules are induced before."""
    from anonnb import load
    from anonnb.methods import PatternTable
    from anonnb.rules import imprecise_rules

    car = load("car")
    made = PatternTable(k=5, variant=variant, rules=imprecise_rules(car, 5))
    return Work(lambda: made.anonymize(car), lambda release: {"patterns": len(release)}, rows=len(car))


def protection(rows: int, seed: int = 0) -> Work:
    """Hide from a random table what random rules of one to three premises reveal, and attack what is left."""
    from anonnb import Table
    from anonnb.attacks import ChaseAttack
    from anonnb.methods import ChaseProtection
    from anonnb.rules import implies

    rng = np.random.default_rng(seed)
    names = [f"a{number}" for number in range(ATTRIBUTES)]
    cells = rng.integers(0, VALUES, (rows, ATTRIBUTES)).astype(str)
    known = []
    for _ in range(RULES):
        chosen = rng.choice(names, rng.integers(2, 5), replace=False)
        values = rng.integers(0, VALUES, len(chosen)).astype(str)
        premise = {name: value for name, value in zip(chosen[1:], values[1:], strict=True) if name != names[-1]}
        if premise:
            confidence = float(rng.choice([1.0, 0.9, 0.7, 0.5]))
            known.append(implies(premise, {chosen[0]: values[0]}, confidence, int(rng.integers(5, 100))))
    table = Table(pd.DataFrame(cells, columns=names), sensitive=[names[-1]])

    def quality(release) -> dict[str, float]:
        after = ChaseAttack(rules=known, targets=table.sensitive).run(release)
        return {"revealed": after.info["revealed"], "cells hidden": release.info["cells"]}

    return Work(lambda: ChaseProtection(rules=known).anonymize(table), quality, rows=rows)


def optimum_of(k: int, rows: int = 100) -> Work:
    """The proved optimum of rows of Adult with four columns."""
    from anonnb import load, optimum

    chosen = np.sort(np.random.default_rng(0).permutation(30_162)[:rows])
    table = load("adult").take(chosen).with_roles(quasi=["age", "education", "marital-status", "sex"])
    quality = lambda best: {"NCP": best.value, "least": best.least, "proved": float(best.proved)}  # noqa: E731
    return Work(lambda: optimum.best(table, k), quality, rows=rows)


def audit(data: str, rows: int) -> Work:
    from anonnb import privacy

    count = lambda found: {"singled out": found.singled_out}  # noqa: E731
    return Work(lambda fresh: privacy.audit(fresh), count, lambda: table_of(data, rows), rows=rows)


def audit_by_pandas(data: str, rows: int) -> Work:
    """Which rows are alone in some combination of up to three columns: one groupby for each, over the same codes."""
    table = table_of(data, rows)
    frame = pd.DataFrame({name: table.codes(name) for name in table.quasi})

    chosen = [list(names) for size in (1, 2, 3) for names in combinations(frame.columns, size)]

    def singled_out() -> np.ndarray:
        return np.any([frame.groupby(names)[names[0]].transform("size") == 1 for names in chosen], axis=0)

    return Work(singled_out, lambda alone: {"singled out": int(alone.sum())}, rows=len(table))


def arena_of(names: list[str], k: int) -> Work:
    """All default methods and all attacks on some shipped tables, two processes at once; no pair may stay empty."""
    from anonnb import arena, load

    tables = [load(name) for name in names]

    def run() -> pd.DataFrame:
        return pd.concat([arena.compare(table, attacks="all", k=k, jobs=2) for table in tables])

    def quality(frame: pd.DataFrame) -> dict[str, float]:
        empty = frame["value"].isna() & (frame["reason"].str.len() == 0) & (frame["kind"] == "attack")
        pairs = frame["value"].notna() & (frame["kind"] == "attack")
        return {"empty": int(empty.sum()), "pairs": int(pairs.sum()), "reasons": int((frame["reason"] != "").sum())}

    return Work(run, quality, rows=sum(len(table) for table in tables))


def measure(bench: Bench) -> None:
    _methods(bench)
    _attacks(bench)
    rows, large = bench.size(30_162), bench.size(1_000_000)
    bench.profile("MLEM2", "Adult", Call("anonnb", rules, data="Adult", rows=bench.size(5_000)))
    bench.demand("MLEM2", "Adult", Call("anonnb", rules, data="Adult", rows=rows), s=5)
    bench.demand("all 126 unions of classes", "zoo", Call("anonnb", rules, data="zoo", unions=True), s=0.1)
    bench.demand("all 14 unions of classes", "car", Call("anonnb", rules, data="car", unions=True), s=0.2)
    folds = 2 if bench.quick else 10
    for data in bench.some(("car", "iris", "hayes-roth", "zoo")):
        of = {"data": data, "folds": folds}
        calls = [Call("anonnb", classified, **of), Call("anonnb, imprecise", classified, imprecise=True, **of)]
        bench.compare(f"Rules, {folds} folds", data, calls)
    for data, count in {"Adult": rows, "Adult, grown": bench.size(300_000), "census": large}.items():
        of = {"data": data, "rows": count}
        bench.compare("Audit", data, [Call("anonnb", audit, **of), Call("pandas", audit_by_pandas, **of)])
    bench.demand("Audit", "Adult", Call("anonnb", audit, data="Adult", rows=rows), s=2)
    bench.demand("Audit", "census", Call("anonnb", audit, data="census", rows=large), s=10, MB=1536)
    small = bench.some(SMALL)
    everyone = Call("anonnb", arena_of, names=small, k=5, limit=600)
    bench.demand("arena, all methods and attacks, k = 5", " ".join(small), everyone, most={"empty": 0}, s=180)
    if not bench.quick:
        scalable = Call("anonnb", arena_of, names=["adult"], k=10, limit=1200)
        bench.demand("arena, methods that scale, k = 10", "Adult", scalable, s=600)


def _methods(bench: Bench) -> None:
    grown = {"data": "Adult, grown", "k": 10}
    top_down = Call("anonnb", method, name="TopDown", rows=bench.size(30_000), **grown)
    bench.profile("TopDown, k = 10", "Adult, grown", top_down)
    for name in bench.some(("OKA", "Forest")):
        call = Call("anonnb", method, name=name, rows=bench.size(100_000), **grown)
        bench.demand(f"{name}, k = 10", "Adult, grown", call, s=1.5)
    for k in bench.some((2, 10, 100)):
        for name, seconds in MIGRATION.items():
            call = Call("anonnb", method, name=name, data="Adult, migration", k=k)
            bench.demand(f"{name}, k = {k}", "Adult, migration", call, s=seconds)
    for name in bench.some(("UM3AR", "M3AR")):
        bench.demand(f"{name}, k = 5", "zoo", Call("anonnb", method, name=name, data="zoo", k=5), s=1)
    for variant in bench.some(("cT1", "cT4")):
        bench.demand(f"PatternTable {variant}, k = 5", "car", Call("anonnb", patterns, variant=variant), s=0.3)
    if not bench.quick:
        m3ar = Call("anonnb", method, name="M3AR", data="Adult, migration", k=10)
        bench.profile("M3AR, k = 10", "Adult, migration", m3ar)
        table = Call("anonnb", method, name="PatternTable", data="Adult", k=10, limit=60)
        bench.demand("PatternTable cT1, k = 10", "Adult", table, s=10)
    bench.scale("ChaseProtection, 100 rules", "random", protection, sizes=(1_000, 3_000, 10_000))
    bench.profile("ChaseProtection, 100 rules", "random", Call("anonnb", protection, rows=bench.size(2_000)))
    for seed in bench.some(range(3)):
        call = Call("anonnb", protection, rows=bench.size(10_000, quick=1_000), seed=seed)
        bench.demand(f"ChaseProtection, 100 rules, seed {seed}", "random", call, s=1, most={"revealed": 0})
    for k in bench.some((2, 3, 4, 5)):
        call = Call("anonnb", optimum_of, k=k)
        bench.demand(f"exact optimum, k = {k}", "Adult, 100 rows, 4 columns", call, s=60, least={"proved": 1.0})
    given = {"name": "Mondrian", "data": "Adult", "rows": bench.size(30_162), "k": 10, "cut": "loss"}
    polished, plain = (Call(who, method, polish=who == "anonnb", **given) for who in ("anonnb", "anonnb, no polish"))
    bench.compare("Mondrian by loss, k = 10, polished", "Adult", [polished, plain])
    loss_of = {} if bench.quick else {"NCP": 0.035}
    bench.demand("Mondrian by loss, k = 10, polished", "Adult", polished, s=10, most=loss_of)


def _attacks(bench: Bench) -> None:
    linkage = Call("anonnb", attack, name="LinkageAttack", on="Mondrian", data="Adult", rows=bench.size(30_162), k=10)
    bench.profile("LinkageAttack on Mondrian, k = 10", "Adult", linkage)
    shallow = {"name": "ShallowAttack", "options": {"known": 2}}
    for on in bench.some(("PatternTable", "ClassMondrian", "Mondrian")):
        call = Call("anonnb", attack, on=on, data="zoo", k=5, **shallow)
        bench.demand(f"ShallowAttack on {on}, k = 5", "zoo", call, s=0.2)
    on_mondrian, million = {"on": "Mondrian", "k": 10, **shallow}, bench.size(1_000_000)
    bench.demand("ShallowAttack on Mondrian, k = 10", "Adult", Call("anonnb", attack, data="Adult", **on_mondrian), s=2)
    grown = Call("anonnb", attack, data="Adult, grown", rows=million, **on_mondrian)
    bench.demand("ShallowAttack on Mondrian, k = 10", "Adult, grown", grown, s=5)
    nearest = Call("anonnb", attack, name="LinkageAttack", on="PRAM", data="Adult, grown", rows=million, seed=1)
    bench.demand("LinkageAttack on PRAM", "Adult, grown", nearest, s=10)
