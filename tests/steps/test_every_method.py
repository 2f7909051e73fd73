"""Every method that a notebook explains shows its steps: more than the release, each a state that can be drawn.

That the last one is the release is a property of the contract: tests/testing/test_our_methods. What is shown is what
runs: whether or not somebody watches, the same functions and the same compiled loops do the work.
"""

import sys
import warnings
from collections import Counter
from functools import wraps

import pytest
from numba.core.registry import CPUDispatcher

import anonnb
from anonnb import methods
from anonnb.book.entries import notebook_of
from anonnb.reports.plan import notebook_files
from anonnb.steps.recording import listening
from anonnb.testing.cases import ordinary

NOTEBOOKS = {path.stem: path for path in notebook_files()}


@pytest.mark.slow
@pytest.mark.parametrize("name", methods.all())
def test_a_method_shows_how_it_works(name):
    cls = methods.get(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        told = cls().steps(ordinary(1, cls.most_values).table)
    assert len(told) >= 3 or not notebook_of(cls, NOTEBOOKS)
    assert all(step.state is not None for step in told)
    weighed = [step for step in told if step.candidates is not None and len(step.candidates)]
    assert not weighed or any(step.chosen for step in weighed)


# ---- what is played is what runs -------------------------------------------------------------------------------------


def calls(work):
    """How often some work calls each function, and from Python each compiled loop, of the package."""
    seen, folder = Counter(), f"{anonnb.__path__[0]}/"

    def watch(frame, event, _):
        if event == "call" and frame.f_code.co_filename.startswith(folder):
            seen[f"{frame.f_code.co_filename.removeprefix(folder)}: {frame.f_code.co_qualname}"] += 1

    def counting(loop):
        @wraps(loop.py_func)
        def counted(*arguments):
            seen[f"compiled: {loop.py_func.__module__}.{loop.py_func.__name__}"] += 1
            return loop(*arguments)

        return counted

    with pytest.MonkeyPatch.context() as patch:
        for module in [module for name, module in sys.modules.items() if name.startswith("anonnb.")]:
            for name, value in list(vars(module).items()):
                if isinstance(value, CPUDispatcher):
                    patch.setattr(module, name, counting(value))
        before = sys.getprofile()
        sys.setprofile(watch)
        try:
            work()
        finally:
            sys.setprofile(before)
    return seen


def left_out_while_watched(method, make_table):
    """What runs less often while steps are recorded."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        method.anonymize(make_table()), method.steps(make_table())  # compiled before anything is counted
        table = make_table()
        alone = calls(lambda: method.anonymize(table))
        table = make_table()
        return alone - calls(lambda: method.steps(table))


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, cls in methods.all().items() if cls.repeatable])
def test_what_is_played_is_what_runs(name):
    cls = methods.get(name)
    assert not left_out_while_watched(cls(), lambda: ordinary(1, cls.most_values).table)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Forest", "GCCG", "KACA", "LocalSuppression", "Mondrian", "OKA"])
def test_so_it_is_with_thousands_of_rows(name):
    """Where a method could be tempted to do something quicker that shows no steps."""
    table = anonnb.load("adult")
    assert not left_out_while_watched(methods.get(name)(), lambda: table.take(range(3_000)))


class TwoFaced(methods.get("OKA")):
    """A method that does something else while somebody watches."""

    def _clusters(self, table, progress):
        return methods.get("GCCG" if listening() else "OKA")(k=self.k)._clusters(table, progress)


def test_a_method_that_works_differently_when_watched_is_noticed():
    left_out = left_out_while_watched(TwoFaced(k=2), lambda: ordinary(1).table)
    assert "methods/clustering/oka.py: OKA._clusters" in left_out
    assert "compiled: anonnb.methods.clustering._oka._join_nearest" in left_out
