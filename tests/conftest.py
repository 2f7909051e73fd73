"""For all tests: tracebacks of defects, the files that take longest first, nothing that a test leaves to the next."""

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from anonnb.core.lazy import leave_out_slow_grammar

os.environ["ANONNB_TRACEBACK"] = "1"
leave_out_slow_grammar()  # of the processes that tests start, each does so itself
gc.disable()  # what is collected stays to the end: looking through it for garbage again and again takes seconds

HERE = Path(__file__).parent
THERE, TOP = os.getcwd(), set(os.listdir(HERE.parent))  # when the tests begin
# A worker of xdist takes a file at a time (`make unit`): one that takes a minute must not be the last.
LONGEST = [
    "coursework/test_nbgrader",
    "coursework/test_assignments",
    "coursework/test_hostile",
    "core/test_shipped",
    "reports/test_batch",
    "coursework/test_submissions_marked",
    "coursework/test_marking",
    "coursework/test_isolation",
    "coursework/test_journal",
    "reports/test_own_data",
    "arena/test_comparing",
    "coursework/practice/test_own_numbers",
    "testing/test_our_methods",
    "testing/test_entry_points",
    "experiments/test_chase",
    "experiments/test_migration",
    "experiments/test_tree_preserving",
    "attacks/test_coverage",
    "attacks/test_downcoding",
    "browser/test_lab",
    "browser/test_explorer",
    "browser/test_print",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    place = {HERE / f"{name}.py": number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path, len(place)))


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Iterator[None]:
    """No test leaves open figures, another working folder, or a file at the top of the tree."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
    if (left := os.getcwd()) != THERE:
        os.chdir(THERE)
        pytest.fail(f"this test ends in the folder {left}")
    new = {name for name in os.listdir(HERE.parent) if not name.startswith(".")} - TOP
    TOP.update(new)
    if new:
        pytest.fail(f"at the top of the tree there is {', '.join(sorted(new))} after this test")
