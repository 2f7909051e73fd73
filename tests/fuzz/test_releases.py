"""Random tables, every method that makes groups, every kind of requirement: recounted from the file that was written.

``make test`` tries some two thousand tables, ``make thorough`` four times as many, ``make fuzz`` goes on for as long as
it is told (ANONNB_FUZZ_SECONDS).
"""

import os
import time
import warnings
from collections import Counter

import numpy as np
import pandas as pd
import pytest

from anonnb import Hierarchy, Infeasible, Table, methods
from anonnb.methods.base import GroupMethod
from anonnb.privacy import AlphaK, BetaLikeness, DeltaDisclosure, DeltaPresence, KMap, LDiversity, TCloseness
from tests.fuzz import recount
from tests.series import series

SECONDS = float(os.environ.get("ANONNB_FUZZ_SECONDS", 0))
TABLES = len(series(240))  # for each method, at the least
PEOPLE_TABLES = len(series(60))
QUASI = ["age", "zip", "city"]
CITIES = {"Rome": ["south", "*"], "Bari": ["south", "*"], "Milan": ["north", "*"], "Bern": ["hills", "*"]}
LABELS = {"city": {label: {c for c, up in CITIES.items() if label in up} for label in ("south", "north", "hills")}}
# Factor takes boolean columns only
GROUPING = sorted(name for name, cls in methods.all().items() if issubclass(cls, GroupMethod) and name != "Factor")


def random_frame(rng, rows):
    secrets = np.array(["flu", "cold", "", "None", None, "ulcer"], dtype=object)[: rng.integers(2, 7)]
    return pd.DataFrame(
        {
            "age": rng.integers(0, rng.integers(2, 30), rows),
            "zip": rng.choice(["a", "b", "c", "d"][: rng.integers(1, 5)], rows),
            "city": rng.choice(list(CITIES), rows),
            "ill": pd.Series(rng.choice(secrets, rows), dtype=object),
            "pay": rng.choice(["low", "high"], rows),
        }
    )


def table_of(frame):
    return Table(
        frame,
        quasi=QUASI,
        sensitive="ill",
        decision="pay",
        hierarchies={"city": Hierarchy.from_dict(CITIES), "age": Hierarchy.intervals(5, 10, 20)},
    )


def requirements(rng, people):
    """A few models with random parameters, population models among them."""
    models = [
        LDiversity(int(rng.integers(2, 4))),
        LDiversity(float(rng.uniform(1.1, 2)), kind="entropy"),
        AlphaK(float(rng.uniform(0.4, 0.9)), 2),
        TCloseness(float(rng.uniform(0.2, 0.6))),
        KMap(int(rng.integers(2, 9)), people),
        DeltaPresence(float(rng.choice([0, 0.3])), float(rng.uniform(0.4, 1)), people),
    ]
    return [models[place] for place in rng.choice(len(models), rng.integers(0, 3), replace=False)]


def released(method, table):
    """The release, or None where the method refuses."""
    try:
        return method.anonymize(table)
    except Infeasible:
        return None
    except ValueError as error:
        if "more than limit" not in str(error):  # GreedyCover refuses what would take too long
            raise
        return None


def broken(path, frame, population, k, require):
    """What the written file does not keep, in words."""
    header, rows = recount.read(path)
    found = recount.classes(header, rows, QUASI)
    if not found:
        return
    smallest = min(map(len, found.values()))
    if smallest < k:
        yield f"a class has {smallest} rows"
    counts = recount.secrets(header, found, "ill")
    whole = Counter("" if pd.isna(value) else str(value) for value in frame["ill"])
    people = [{name: str(person[name]) for name in QUASI} for person in population.to_dict("records")]
    near = recount.people_per_class(found, QUASI, people, LABELS)
    for model in require:
        if not counts and not isinstance(model, KMap | DeltaPresence):
            continue  # no secret is written at all
        if isinstance(model, LDiversity):
            reached = recount.entropy_l(counts) if model.kind == "entropy" else recount.distinct(counts)
            kept = reached >= model.l - 1e-6
        elif isinstance(model, AlphaK):
            kept = recount.largest_share(counts) <= model.alpha + 1e-6
        elif isinstance(model, TCloseness):
            kept = recount.equal_distance(counts, whole) <= model.t + 1e-6
            kept &= recount.equal_distance(counts, recount.together(counts)) <= model.t + 1e-6
        elif isinstance(model, KMap):
            kept = min(near) >= model.k
        else:
            chances = [len(rows) / max(fit, 1e-9) for rows, fit in zip(found.values(), near, strict=True)]
            kept = model.low - 1e-6 <= min(chances) and max(chances) <= model.high + 1e-6
        if not kept:
            yield f"{model} is missed"


def people_requirements(rng, people):
    """None or one of the models that compare people with those of the whole table, or with a population."""
    models = [
        LDiversity(2),
        TCloseness(float(rng.uniform(0.3, 0.7)), "equal"),
        BetaLikeness(float(rng.uniform(0.5, 4))),
        DeltaDisclosure(float(rng.uniform(0.8, 3))),
        KMap(int(rng.integers(1, 4)), people),
    ]
    return [models[place] for place in rng.choice(len(models), rng.integers(0, 2), replace=False)]


def broken_for_people(header, found, frame, population, require):
    """What classes whose rows end with their person do not keep, in words."""
    if "ill" not in header:  # the method hides it
        return
    secret, known = header.index("ill"), frame[["ill", "who"]].astype(object).fillna("")
    whole = recount.shares(recount.people_with(known.astype(str).to_numpy(), 0, 1))
    parts = [recount.shares(each) for rows in found.values() if (each := recount.people_with(rows, secret, -1))]
    measures = {TCloseness: "t", BetaLikeness: "beta", DeltaDisclosure: "delta"}
    ways = {"t": recount.people_distance, "beta": recount.people_rise, "delta": recount.people_change}
    people = [{name: str(person[name]) for name in QUASI} for person in population.to_dict("records")]
    for model in require:
        if isinstance(model, KMap):
            kept = min(recount.people_per_class(found, QUASI, people, LABELS), default=model.k) >= model.k
        elif type(model) in measures:
            limit = measures[type(model)]
            kept = all(ways[limit](own, whole) <= getattr(model, limit) + 1e-6 for own in parts)
        else:
            kept = all(len(own) >= model.l for own in parts)
        if not kept:
            yield f"{model} is missed"


@pytest.mark.slow
@pytest.mark.parametrize("name", GROUPING)
def test_people_are_counted_not_rows(name, tmp_path):
    """With repeated persons every class of the file is about k people; the test keeps whose row is whose."""
    cls, made = methods.get(name), 0
    options = {"time_limit": 0.2} if "time_limit" in cls.__dataclass_fields__ else {}
    for seed in range(PEOPLE_TABLES):
        rng = np.random.default_rng(seed)
        frame = random_frame(rng, int(rng.integers(4, 40)))
        frame["who"] = rng.integers(0, rng.integers(2, len(frame) + 1), len(frame))
        table = table_of(frame).with_roles(person="who")
        population = random_frame(rng, 30)
        k, require = int(rng.integers(1, 6)), people_requirements(rng, table_of(population))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            release = released(cls(k=k, require=require, **options), table)
            if release is None:
                continue
            path = release.publish(tmp_path / "release.csv", overwrite=True)
        made += 1
        header, rows = recount.read(path)
        owners = frame["who"].to_numpy()[release.rows[release.content_order(header)]]
        found = recount.classes([*header, "who"], [[*row, who] for row, who in zip(rows, owners, strict=True)], QUASI)
        fewest = min((len({row[-1] for row in each}) for each in found.values()), default=k)
        assert fewest >= k, (name, seed, k, require)
        assert list(broken_for_people(header, found, frame, population, require)) == [], (name, seed, k, require)
    assert made >= PEOPLE_TABLES // 5, "too few releases to say anything"


@pytest.mark.slow
@pytest.mark.parametrize("name", GROUPING)
def test_what_is_written_keeps_what_was_asked(name, tmp_path):
    cls, made, seed = methods.get(name), 0, 0
    options = {"time_limit": 0.2} if "time_limit" in cls.__dataclass_fields__ else {}
    end = time.monotonic() + SECONDS / len(GROUPING)
    while seed < TABLES or time.monotonic() < end:
        rng = np.random.default_rng(seed)
        population = random_frame(rng, int(rng.integers(4, 40)))
        frame = population.iloc[: rng.integers(2, len(population) + 1)]
        k, require = int(rng.integers(1, 6)), requirements(rng, table_of(population))
        if "summary" in cls.__dataclass_fields__:
            options["summary"] = ("set", "region", "mean")[seed % 3]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            release = released(cls(k=k, require=require, **options), table_of(frame))
            if release is not None:
                path = release.publish(tmp_path / "release.csv", overwrite=True)
                made += 1
                assert list(broken(path, frame, population, k, require)) == [], (name, seed, k, require, options)
        seed += 1
    assert made >= TABLES // 10, "too few releases to say anything"
