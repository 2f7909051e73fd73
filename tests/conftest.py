"""For all tests: tracebacks of defects, the files that take longest first, nothing that a test leaves to the next."""

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from anonnb.core.lazy import leave_out_slow_grammar

os.environ["ANONNB_TRACEBACK"] = "1"
leave_out_slow_grammar()  # of the processes that tests start, each does so itself
for profile in ("ci", "default"):  # other numbers of examples stand where they are needed
    settings.register_profile(profile, settings.get_profile(profile), deadline=None, max_examples=60)
settings.load_profile("default")
gc.disable()  # what is collected stays to the end: looking through it for garbage again and again takes seconds

HERE = Path(__file__).parent
THERE, TOP = os.getcwd(), set(os.listdir(HERE.parent))  # when the tests begin
# A worker of xdist takes a file at a time (`make unit`): one that takes a minute must not be the last.
LONGEST = [
    "testing/test_our_methods",
    "coursework/test_submissions_marked",
    "coursework/test_hostile",
    "coursework/test_nbgrader",
    "reports/test_batch",
    "fuzz/test_releases",
    "coursework/test_marking",
    "coursework/test_assignments",
    "core/test_shipped",
    "plots/test_hostile_text",
    "methods/mining/test_safe_itemsets",
    "testing/test_check_method",
    "arena/test_comparing",
    "core/test_compiled",
    "notebooks/test_notebooks",
    "cluster/test_publish",
    "coursework/practice/answers/test_exercises",
    "experiments/test_inuiguchi",
    "browser/test_controls",
    "browser/test_formgrader",
    "browser/test_print",
    "browser/test_explorer",
    "browser/test_lab",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    place = {HERE / f"{name}.py": number for number, name in enumerate(LONGEST)}
    gone = [path for path in place if path.parent.is_dir() and not path.is_file()]  # an sdist has no coursework
    assert not gone, f"LONGEST names {gone[0].name}, which is no longer there"
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
