"""What to run: a selection of notebooks, or a YAML plan, with parameters that the notebooks know.

papermill only warns of an unknown parameter and then runs with the defaults; here it is an error before anything runs.
"""

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TEMPLATE = "template.ipynb"


class BadPlan(ValueError):
    """A selection, plan or parameter that cannot be run; the message names it and says what would do."""


@dataclass(frozen=True)
class Run:
    """One notebook with its parameters; ``name`` is the name of its report."""

    notebook: Path
    name: str
    parameters: dict[str, Any] = field(default_factory=dict)


def notebooks_folder() -> Path:
    """``notebooks`` in the current folder, else the one beside the package (a checkout installed with ``pip -e``)."""
    for folder in (Path.cwd() / "notebooks", Path(__file__).parents[2] / "notebooks"):
        if folder.is_dir():
            return folder
    raise BadPlan("there is no folder 'notebooks' here; go to the project's folder, or name notebook files")


def notebook_files(folder: str | os.PathLike | None = None) -> list[Path]:
    """The notebooks of a folder in order, without the template."""
    folder = Path(folder) if folder else notebooks_folder()
    return sorted(path for path in folder.glob("*.ipynb") if path.name != TEMPLATE)


def find_notebook(name: str | os.PathLike) -> Path:
    """A path as it is; else the notebook of that name, or the only one whose name starts so (``13``)."""
    path = Path(name)
    if path.suffix == ".ipynb" and path.is_file():
        return path.resolve()
    known = {file.stem: file for file in notebook_files()}
    stem = path.name.removesuffix(".ipynb")
    hits = [stem] if stem in known else [key for key in known if key.startswith(stem)]
    if len(hits) == 1 and path.parent == Path():
        return known[hits[0]].resolve()
    if len(hits) > 1:
        raise BadPlan(f"{os.fspath(name)!r} may mean {', '.join(hits)}: write more of the name")
    raise BadPlan(f"there is no notebook {os.fspath(name)!r}; known are {', '.join(known) or 'none'}")


def read_plan(path: str | os.PathLike) -> list[dict[str, Any]]:
    """Read a YAML plan: a list of runs, each with ``notebook`` and, if wanted, ``parameters`` and ``name``.

    ::

        - notebook: 13_mondrian
          name: mondrian-k5          # the report is mondrian-k5.html; default: the notebook's name
          parameters: {K: 5}
        - notebook: 14_incognito
    """
    import yaml

    try:
        entries = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise BadPlan(f"the plan {path} cannot be read: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise BadPlan(f"the plan {path} is not YAML: {' '.join(str(error).split())}") from None
    if not isinstance(entries, list) or not entries:
        raise BadPlan(f"the plan {path} must be a list of runs, each with 'notebook'")
    for number, entry in enumerate(entries, 1):
        _check_entry(entry, f"the plan {path}, run {number}")
    return entries


def _check_entry(entry: Any, where: str) -> None:
    if not isinstance(entry, Mapping) or not isinstance(entry.get("notebook"), str):
        raise BadPlan(
            f"{where}: 'notebook' is missing; a run looks like {{notebook: 13_mondrian, parameters: {{K: 5}}}}"
        )
    unknown = sorted(str(key) for key in set(entry) - {"notebook", "name", "parameters"})
    if unknown:
        raise BadPlan(f"{where}: unknown key {unknown[0]!r}; a run has notebook, name and parameters")
    if not isinstance(entry.get("parameters") or {}, Mapping):
        raise BadPlan(f"{where}: 'parameters' must be a mapping of names to values")
    if not isinstance(entry.get("name", ""), str):
        raise BadPlan(f"{where}: 'name' must be a text, got {entry['name']!r}; put it in quotes")


def make_runs(
    notebooks: Iterable[str | os.PathLike | Mapping[str, Any]] | None, parameters: Mapping[str, Any] | None = None
) -> list[Run]:
    """The runs of a batch, checked: every parameter is known to its notebook, every report has a name of its own.

    ``parameters`` are for the whole batch: each must be known to at least one notebook and goes to those that know it.
    A run's own parameters win, and its notebook must know them. ``INTERACTIVE`` is False unless a run says otherwise.
    """
    entries = _entries(notebooks)
    shared = dict(parameters or {})
    runs: list[Run] = []
    known_by: dict[Path, tuple[str, ...]] = {}
    for entry in entries:
        path = find_notebook(entry["notebook"])
        if path not in known_by:
            known_by[path] = known_parameters(path)
        known = known_by[path]
        own = dict(entry.get("parameters") or {})
        _refuse_unknown(own, {path: known})
        values = {"INTERACTIVE": False} | shared | own
        chosen = {key: _literal(key, value) for key, value in values.items() if key in known}
        runs.append(Run(path, entry.get("name") or path.stem, chosen))
    _refuse_unknown(shared, known_by)
    return _with_distinct_names(runs)


def _entries(notebooks: Iterable[str | os.PathLike | Mapping[str, Any]] | None) -> list[Mapping[str, Any]]:
    if notebooks is None:
        notebooks = notebook_files()
    elif isinstance(notebooks, (str, os.PathLike, Mapping)):
        notebooks = [notebooks]
    entries = [item if isinstance(item, Mapping) else {"notebook": item} for item in notebooks]
    if not entries:
        raise BadPlan("there is no notebook to run")
    return entries


def _refuse_unknown(parameters: Mapping[str, Any], known_by: Mapping[Path, Iterable[str]]) -> None:
    everything = sorted(set().union(*known_by.values()))
    for name in parameters:
        if name not in everything:
            where = ", ".join(path.stem for path in known_by)
            raise BadPlan(f"{where}: unknown parameter {name!r}; known are {', '.join(everything) or 'none'}")


def _literal(name: str, value: Any) -> Any:
    """papermill writes parameters into a cell as text, so only plain values survive."""
    if isinstance(value, (list, tuple)):
        return [_literal(name, item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _literal(name, item) for key, item in value.items()}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise BadPlan(
        f"parameter {name!r} is a {type(value).__name__}; use numbers, texts, truth values, lists or mappings"
    )


def _with_distinct_names(runs: list[Run]) -> list[Run]:
    """A name that occurs again gets a number: 13_mondrian, 13_mondrian-2, ..."""
    total, seen, result = Counter(run.name.casefold() for run in runs), Counter(), []
    for run in runs:
        if not re.fullmatch(r"\w[\w .=+-]*", run.name) or run.name.casefold() == "index":
            raise BadPlan(f"{run.name!r} cannot name a report; use letters, digits and . _ - = + (and not 'index')")
        key = run.name.casefold()
        seen[key] += 1
        name = run.name if seen[key] == 1 else f"{run.name}-{seen[key]}"
        if name != run.name and name.casefold() in total:
            raise BadPlan(f"two runs are called {name!r}; give each a name of its own")
        result.append(Run(run.notebook, name, run.parameters))
    return result


def known_parameters(path: Path) -> tuple[str, ...]:
    """The names that the cell tagged ``parameters`` sets."""
    import nbformat
    from papermill.translators import PythonTranslator

    try:
        notebook = nbformat.read(path, as_version=4)
    except Exception as error:
        # nbformat raises whatever its JSON and schema checks raise.
        raise BadPlan(f"{path} is not a notebook: {str(error).splitlines()[0][:200]}") from None
    tagged = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", [])]
    return tuple(parameter.name for parameter in PythonTranslator.inspect(tagged[0])) if tagged else ()
