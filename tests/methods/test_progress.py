"""Whoever watches a method can stop it, and nobody watches afterwards."""

import numpy as np
import pytest

import anonnb
from anonnb import methods
from anonnb.core.progress import steps, ticks, watched_by
from anonnb.methods import Mondrian


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


@pytest.mark.parametrize("name", ["Mondrian", "KACA", "Samarati", "FullDomain", "OKA", "PatternTable"])
def test_who_watches_can_end_the_work(name, table):
    with pytest.raises(InterruptedError):
        methods.get(name)(k=3).anonymize(table, progress=Counting(most=1))


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
