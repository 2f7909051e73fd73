"""Where notebooks and plans are found, and what a plan may say.

A plan is a YAML list; every complaint about it names the file and the item. ``runs`` makes runs from it.
"""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from anonnb.core.shipped import shipped
from anonnb.files.yaml_limits import check_yaml
from anonnb.widgets.parameters import Parameter, parameters_of

TEMPLATE = "template.ipynb"
COPIES = "anonnb-notebooks"  # where copies of the installed notebooks go
KEYS = ("notebook", "name", "parameters", "matrix")


class PlanError(ValueError):
    """A selection, plan or parameter that cannot be run; the message names it and says what would do.

    >>> try:
    ...     read_plan("no such plan")
    ... except PlanError as error:
    ...     print(str(error)[:36])
    there is no plan 'no such plan': it
    """


def notebooks_folder() -> Path:
    """Return ``notebooks`` in the current folder, or copies that were made there, or those of the package."""
    for name in ("notebooks", COPIES):
        if Path(name).is_dir():
            return Path(name).resolve()
    return shipped("notebooks")


def copy_notebooks(folder: str | os.PathLike = COPIES) -> Path:
    """Copy the notebooks that come with the package into a new or empty folder, to be changed there."""
    folder = Path(folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise PlanError(
            f"{os.fspath(folder)!r} is there already; nothing was copied: name a folder that is new or empty"
        )
    left_out = shutil.ignore_patterns("source", "figures", "CONTRIBUTING.md", ".*")  # what a wheel leaves out, too
    shutil.copytree(shipped("notebooks"), folder, ignore=left_out, dirs_exist_ok=True)
    return folder


def notebook_files(folder: str | os.PathLike | None = None) -> list[Path]:
    """Return the notebooks of a folder in order, without the template.

    >>> notebook_files()[0].name
    '00_start_here.ipynb'
    """
    folder = Path(folder) if folder else notebooks_folder()
    return sorted(path for path in folder.glob("*.ipynb") if path.name != TEMPLATE)


def find_notebook(name: str | os.PathLike) -> Path:
    """Return a path as it is, or the notebook of that name, or the only one whose name starts with it (``13``)."""
    path = Path(name)
    if path.suffix == ".ipynb" and path.is_file():
        return path.resolve()
    known = {file.stem: file for file in notebook_files()}
    stem = path.name.removesuffix(".ipynb")
    begin = stem if stem in known else f"{stem}_" if any(key.startswith(f"{stem}_") for key in known) else stem
    hits = [stem] if stem in known else [key for key in known if key.startswith(begin)]
    if len(hits) == 1 and path.parent == Path():
        return known[hits[0]].resolve()
    if len(hits) > 1:
        raise PlanError(f"{os.fspath(name)!r} may mean {', '.join(hits)}: write more of the name")
    raise PlanError(f"there is no notebook {os.fspath(name)!r}; known are {', '.join(known) or 'none'}")


def known_parameters(path: Path) -> dict[str, Parameter]:
    """Return the parameters that the cell tagged ``parameters`` sets, by name, with their defaults and ranges."""
    import nbformat

    try:
        notebook = nbformat.read(path, as_version=4)
    except Exception as error:
        # nbformat raises whatever its JSON and schema checks raise.
        raise PlanError(f"{path} is not a notebook: {str(error).splitlines()[0][:200]}") from None
    tagged = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", [])]
    try:
        return parameters_of(tagged[0].source) if tagged else {}
    except SyntaxError:
        raise PlanError(f"{path}: the cell tagged 'parameters' is not Python; use lines such as K = 5") from None


@dataclass(frozen=True)
class Entry:
    """One item of a plan: a notebook, or a pattern of names, with fixed parameters and parameters to sweep over."""

    notebook: str
    name: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    matrix: Mapping[str, list[Any]] = field(default_factory=dict)
    where: str = ""

    @property
    def is_pattern(self) -> bool:
        return not Path(self.notebook).is_file() and any(sign in self.notebook for sign in "*?[")

    @classmethod
    def read(cls, item: Any, where: str = "") -> "Entry":
        """Check a mapping and make an entry of it; ``where`` it stands is part of every message."""
        try:
            if not isinstance(item, Mapping) or not isinstance(item.get("notebook"), str | os.PathLike):
                raise PlanError("'notebook' is missing; a run looks like {notebook: 13_mondrian, parameters: {K: 5}}")
            _check_keys(item)
            parts = {key: item[key] for key in KEYS if item.get(key) is not None}
            entry = cls(**parts | {"notebook": os.fspath(item["notebook"])}, where=where)
            if entry.is_pattern and (entry.name or entry.matrix):
                raise PlanError(f"{entry.notebook!r} is a pattern, so it can have neither 'name' nor 'matrix'")
            return entry
        except PlanError as error:
            raise PlanError(f"{where}: {error}" if where else str(error)) from None


def _check_keys(item: Mapping[str, Any]) -> None:
    unknown = sorted(str(key) for key in set(item) - set(KEYS))
    if unknown:
        raise PlanError(f"unknown key {unknown[0]!r}; a run has notebook, name, parameters and matrix")
    for key in ("parameters", "matrix"):
        if not isinstance(item.get(key) or {}, Mapping):
            raise PlanError(f"{key!r} must be a mapping of names to {'values' if key == 'parameters' else 'lists'}")
    if not isinstance(item.get("name") or "", str):
        raise PlanError(f"'name' must be a text, got {item['name']!r}; put it in quotes")
    for name, values in (item.get("matrix") or {}).items():
        if not isinstance(values, list) or not values:
            raise PlanError(f"'matrix': {name!r} needs a list of values, such as {name}: [2, 5, 10]; got {values!r}")
        if len({repr(value) for value in values}) < len(values):
            raise PlanError(f"'matrix': {name!r} has a value twice in {values!r}")
        if name in (item.get("parameters") or {}):
            raise PlanError(f"{name!r} is in 'parameters' and in 'matrix'; keep one of them")


def find_plan(name: str | os.PathLike) -> Path:
    """Return a file as it is, or the plan of that name in ``reports/plans``, here or beside the package."""
    if Path(name).is_file():
        return Path(name)
    folders = [Path.cwd() / "reports" / "plans", shipped("reports/plans")]
    known = {path.stem: path for folder in reversed(folders) for path in sorted(folder.glob("*.yaml"))}
    if os.fspath(name) in known:
        return known[os.fspath(name)]
    raise PlanError(
        f"there is no plan {os.fspath(name)!r}: it is no file, and known plans are {', '.join(known) or 'none'}"
    )


def read_plan(name: str | os.PathLike) -> list[Entry]:
    """Read a YAML plan: a list of runs.

    Each has ``notebook`` and, if wanted, ``name``, ``parameters`` and ``matrix``, which makes a run for every
    combination of its values and a page that compares them::

        - notebook: 13_mondrian
          name: mondrian-k5          # the report is mondrian-k5.html; default: the notebook's name
          parameters: {K: 5}
        - notebook: "0*"             # a pattern: all notebooks of the foundations
        - notebook: 45_arena
          matrix: {K: [2, 5, 10], DATA: [survey, car]}

    Parameters
    ----------
    name:
        A file, or the name of a plan in ``reports/plans``.

    Raises
    ------
    PlanError
        If there is no such plan, or it has a mistake.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "plan.yaml")
    ...     _ = path.write_text("- {notebook: 13_mondrian, parameters: {K: 5}}")
    ...     read_plan(path)[0].parameters
    {'K': 5}
    """
    import yaml

    path = find_plan(name)
    try:
        text = path.read_text(encoding="utf-8")
        check_yaml(text)
        entries = yaml.safe_load(text)
    except OSError as error:
        raise PlanError(f"the plan {path} cannot be read: {error.strerror}") from None
    except yaml.YAMLError as error:
        raise PlanError(f"the plan {path} is not YAML: {' '.join(str(error).split())}") from None
    except ValueError as error:  # a text that is no UTF-8, a date that is none, too many values
        raise PlanError(f"the plan {path} cannot be read: {' '.join(str(error).split())}") from None
    if not isinstance(entries, list) or not entries:
        raise PlanError(f"the plan {path} must be a list of runs, each with 'notebook'")
    return [Entry.read(item, f"the plan {path}, run {number}") for number, item in enumerate(entries, 1)]
