"""A user's own table as parameters of notebooks: plain values, which papermill writes into a cell.

``DATA``, ``QUASI``, ``SENSITIVE`` and ``IDENTIFIER`` are what most people need; ``OPTIONS`` holds everything else that
the command line can say about a table, under the names that ``open_table`` takes; ``PROJECT`` is a project file.
"""

import os
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from anonnb.cli.column_options import domains, hierarchies, kinds, order_words
from anonnb.cli.common import delimiter
from anonnb.cli.project_option import running_project


def given_about_a_table(options: dict[str, Any]) -> list[str]:
    """The options about a table that were given."""
    context = click.get_current_context()
    written = [name for name in options if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    return [own.opts[-1] for own in context.command.params if own.name in written]


def notebook_parameters(data: str, table: Any, options: dict[str, Any]) -> dict[str, Any]:
    """The notebooks' parameters for a table that was read with these options; they must take it."""
    given = {"DATA": os.fspath(Path(data).resolve()), "QUASI": table.quasi, "SENSITIVE": table.sensitive}
    named = [name for name in table.identifiers if name != table.person]
    given |= {"IDENTIFIER": named} if named else {}
    known = table.columns
    written = {
        "person": options["person"],
        "decision": options["decision"],
        "missing": None if options["missing"] == "value" else options["missing"],
        "sep": delimiter(options["sep"]),
        "encoding": options["encoding"],
        "decimal": None if options["decimal"] == "." else options["decimal"],
        "dayfirst": options["dayfirst"],
        "kinds": kinds(options["kinds"], known),
        "orders": order_words(options["orders"], known),
        "domains": domains(options["domains"], table.frame, kinds(options["kinds"], known)),
        "hierarchies": {name: _reachable(how) for name, how in hierarchies(options["hierarchies"], known).items()},
    }
    project = running_project()
    if project is not None:
        written |= {"weights": project.weights, "limits": project.limits}
    written = {name: value for name, value in written.items() if value}
    return given | ({"OPTIONS": written} if written else {})


def project_parameters() -> dict[str, Any]:
    """The parameters for notebooks that can use a project file; the others still know its columns."""
    project = running_project()
    if project is None:
        return {}
    k = {"K": project.parameters["k"]} if "k" in project.parameters else {}
    return {"PROJECT": os.fspath(project.path.resolve())} | k


def _reachable(how: str) -> str:
    """The words of a hierarchy; the whole path of its file, for notebooks run in another folder."""
    return os.fspath(Path(how).resolve()) if os.path.isfile(how) else how
