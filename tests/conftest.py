"""For all tests: a defect behind the command line shows its traceback, and the files that take longest go first."""

import os
from pathlib import Path

import pytest

os.environ["ANONNB_TRACEBACK"] = "1"

HERE = Path(__file__).parent
# A worker of xdist takes a file at a time (`make unit`): one that takes a minute must not be the last.
LONGEST = (
    *("coursework/test_nbgrader", "coursework/test_assignments", "coursework/test_marking", "core/test_shipped"),
    *("reports/test_batch", "coursework/test_submissions_marked", "coursework/test_isolation"),
    *("coursework/test_journal", "reports/test_own_data", "arena/test_comparing"),
    *("coursework/practice/test_own_numbers", "testing/test_our_methods", "testing/test_entry_points"),
    *("experiments/test_chase", "experiments/test_migration", "experiments/test_tree_preserving"),
    *("attacks/test_coverage", "attacks/test_downcoding"),
    *("browser/test_lab", "browser/test_explorer", "browser/test_print"),
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    place = {HERE / f"{name}.py": number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path, len(place)))
