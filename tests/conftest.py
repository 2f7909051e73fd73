"""For all tests: a defect behind the command line shows its traceback, and what takes long to make is made once."""

import os
from pathlib import Path

import pytest

os.environ["ANONNB_TRACEBACK"] = "1"

HERE = Path(__file__).parent
# Files whose fixtures take many seconds: one worker of xdist runs all their tests (`--dist loadgroup`).
ONE_WORKER = {
    *("arena/test_comparing", "core/test_no_solutions", "core/test_shipped", "testing/test_entry_points"),
    *("coursework/test_assignments", "coursework/test_marking", "coursework/test_nbgrader"),
    *("coursework/practice/test_own_numbers", "reports/test_batch", "reports/test_own_data"),
    *("experiments/test_chase", "experiments/test_migration", "experiments/test_tree_preserving"),
}


@pytest.hookimpl(tryfirst=True)  # before xdist reads the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            name = item.path.relative_to(HERE).with_suffix("").as_posix()
            if name in ONE_WORKER:
                item.add_marker(pytest.mark.xdist_group(name))
