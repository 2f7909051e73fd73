"""Every method tells how far it is, and stops where the one who watches raises."""

from dataclasses import fields

import numpy as np
import pandas as pd
import pytest

import anonnb
from anonnb import Table, methods
from anonnb.core.progress import steps, ticks, watched_by
from anonnb.methods import Mondrian, NoiseAddition, Rounding, TopBottomCoding
from anonnb.testing.method_results import LONG

SMALL = {"GreedyCover": 24, "Factor": 16}  # rows of a table with two values per column, where the work grows fast
GIVEN = {"KOptimize": {"k": 10}, "SafeItemsets": {"min_support": 0.1}, "Factor": {"k": 2}, "GreedyCover": {"k": 2}}


class Counting:
    """Counts what loops go through; ``most`` ends the work as a stop button would."""

    def __init__(self, most=None):
        self.seen, self.most = 0, most

    def __call__(self, iterable=(), total=None, desc="", **_):
        for item in iterable:
            self.seen += 1
            if self.seen == self.most:
                raise InterruptedError(desc)
            yield item


@pytest.fixture(scope="module")
def table():
    return anonnb.load("adult").take(np.arange(120)).with_roles(quasi=["age", "education", "sex", "race"])


def flags(rows):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({name: rng.integers(0, 2, rows) for name in "abc"} | {"d": rng.integers(0, 2, rows)})
    return Table(frame, quasi=list("abc"), decision="d")


def made(name, table):
    cls = methods.get(name)
    given = dict(GIVEN.get(name, {}))
    if "k" in {field.name for field in fields(cls)}:
        given.setdefault("k", 3)
    if name == "KOptimize":
        table = anonnb.load("survey")
    if issubclass(cls, NoiseAddition | Rounding | TopBottomCoding):
        table = anonnb.load("census").take(np.arange(40))  # several columns of numbers
    if cls.secrets_apart or name == "MInvariance":
        table = anonnb.load("adult").take(np.arange(120)).with_roles(quasi=["age", "sex"], sensitive="education")
    return cls(**given), flags(SMALL[name]) if name in SMALL else table


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", methods.all())
def test_every_method_tells_how_far_it_is(name, table):
    method, own = made(name, table)
    watcher = Counting()
    watched = method.anonymize(own, progress=watcher)
    assert watcher.seen >= 2 or method.rows_in_seconds >= LONG
    if "same bytes" not in method.exempt:
        assert watched.published().equals(method.anonymize(own).published())


@pytest.mark.parametrize("name", ["Mondrian", "KACA", "Samarati", "FullDomain", "OKA", "PatternTable"])
def test_who_watches_can_end_the_work(name, table):
    method, own = made(name, table)
    with pytest.raises(InterruptedError):
        method.anonymize(own, progress=Counting(most=1))


def test_nobody_watches_after_the_work(table):
    watcher = Counting()
    Mondrian(k=3).anonymize(table, progress=watcher)
    before = watcher.seen
    Mondrian(k=3).anonymize(table)
    assert watcher.seen == before


def test_loops_without_an_iterable_are_counted():
    watcher = Counting()
    with watched_by(watcher):
        counted = steps("rounds")
        assert [next(counted), next(counted)] == [0, 1]
        assert list(ticks([5, 6], "items")) == [5, 6]
    assert watcher.seen == 4
