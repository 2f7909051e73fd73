"""Notebooks at other settings than their defaults: a reader may change a parameter, and the notebook must run."""

from datetime import date
from pathlib import Path

import nbformat
import pytest

from anonnb.reports import notebook_files
from anonnb.reports.execution import execute, parametrized
from anonnb.reports.refreshing import SETTINGS
from anonnb.reports.runs import make_runs
from tests.series import THOROUGH

NUMBERED = notebook_files(Path(__file__).parents[2] / "notebooks")


def other_settings():
    """Yield each notebook with the settings of its metadata: all of them, or for every third the first, by turns."""
    for index, path in enumerate(NUMBERED):
        for number, setting in enumerate(nbformat.read(path, as_version=4).metadata.get(SETTINGS, [])):
            if THOROUGH or (number == 0 and index % 3 == date.today().toordinal() % 3):
                yield pytest.param(path, setting, id=f"{path.stem}-{number}")


@pytest.mark.slow
@pytest.mark.parametrize(("path", "setting"), list(other_settings()))
def test_it_runs_with_other_parameters(path, setting):
    """A claim that does not hold is marked; an error is a defect, and so is a setting out of its range."""
    [run] = make_runs([{"notebook": str(path), "parameters": setting}])
    execute(parametrized(nbformat.read(path, as_version=4), run.parameters), path.parent, seconds=240)
