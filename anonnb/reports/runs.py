"""The runs of a batch, from names or a plan: every parameter known, every report with a name of its own.

papermill only warns of an unknown parameter and then runs with the defaults; here it is an error before anything runs.
"""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from itertools import product
from pathlib import Path
from typing import Any

from anonnb.reports.plan import Entry, PlanError, find_notebook, known_parameters, notebook_files
from anonnb.widgets.parameters import Parameter

COMPARISON = "-comparison"
Known = dict[Path, dict[str, Parameter]]


@dataclass(frozen=True)
class Run:
    """One notebook with its parameters; ``name`` is the name of its report.

    A run of a sweep knows the name of the sweep and which of its parameters vary.
    """

    notebook: Path
    name: str
    parameters: dict[str, Any] = field(default_factory=dict)
    sweep: str = ""
    varied: tuple[str, ...] = ()


def make_runs(
    notebooks: Iterable[str | os.PathLike | Mapping[str, Any] | Entry] | None,
    parameters: Mapping[str, Any] | None = None,
    only: Iterable[str] = (),
    offered: Mapping[str, Any] | None = None,
) -> list[Run]:
    """Check and return the runs of a batch.

    ``parameters`` are for the whole batch: each must be known to at least one notebook and goes to those that know it.
    ``offered`` ones go to those that know them, if any. A run's own parameters win, and its notebook must know them.
    ``INTERACTIVE`` is False unless a run says otherwise. ``only`` keeps the runs whose notebook or report has a name
    that starts with one of these.
    """
    shared = dict(parameters or {})
    runs: list[Run] = []
    known: Known = {}
    for entry in _entries(notebooks):
        try:
            made = _runs_of(entry, dict(offered or {}) | shared, known)
            _refuse_second_sweep(made, runs)
            runs += made
        except PlanError as error:
            raise PlanError(f"{entry.where}: {error}" if entry.where else str(error)) from None
    kept = _only(_with_distinct_names(runs), list(only))
    _refuse_unknown(shared, {run.notebook: known[run.notebook] for run in kept})
    return kept


def _entries(notebooks: Iterable | None) -> list[Entry]:
    if notebooks is None:
        notebooks = notebook_files()
    elif isinstance(notebooks, str | os.PathLike | Mapping | Entry):
        notebooks = [notebooks]
    entries = [_entry(item) for item in notebooks]
    if not entries:
        raise PlanError("there is no notebook to run")
    return entries


def _entry(item: str | os.PathLike | Mapping[str, Any] | Entry) -> Entry:
    if isinstance(item, Entry):
        return item
    return Entry.read(item) if isinstance(item, Mapping) else Entry(os.fspath(item))


def _runs_of(entry: Entry, shared: Mapping[str, Any], known: Known) -> list[Run]:
    """Return the runs of one entry: one, or one for each notebook of a pattern or each combination of a sweep."""
    paths = _matching(entry.notebook) if entry.is_pattern else [find_notebook(entry.notebook)]
    known |= {path: known_parameters(path) for path in paths if path not in known}
    _refuse_unknown([*entry.parameters, *entry.matrix], {path: known[path] for path in paths})
    runs = []
    for path in paths:
        for varied in _combinations(entry.matrix):
            values = {"INTERACTIVE": False, **shared, **entry.parameters, **varied}
            chosen = {key: _literal(key, value) for key, value in values.items() if key in known[path]}
            _refuse_out_of_range(path, chosen, known[path])
            run = Run(path, entry.name or path.stem, chosen)
            runs.append(_in_a_sweep(run, varied) if varied else run)
    return runs


def _matching(pattern: str) -> list[Path]:
    paths = [path.resolve() for path in notebook_files() if fnmatchcase(path.stem, pattern)]
    if not paths:
        raise PlanError(f"no notebook has a name like {pattern!r}")
    return paths


def _combinations(matrix: Mapping[str, list[Any]]) -> Iterator[dict[str, Any]]:
    """Yield all combinations of the values, the last parameter changing fastest; one empty one if nothing varies."""
    return (dict(zip(matrix, values, strict=True)) for values in product(*matrix.values()))


def _in_a_sweep(run: Run, varied: Mapping[str, Any]) -> Run:
    parts = [f"{key}={_for_a_name(value)}" for key, value in varied.items()]
    return replace(run, name="-".join([run.name, *parts]), sweep=run.name + COMPARISON, varied=tuple(varied))


def _for_a_name(value: Any) -> str:
    """Return a value as part of a file's name: the last part of a path, the items of a list.

    >>> _for_a_name("/home/me/my table.csv"), _for_a_name(["age", "zip"]), _for_a_name(0.05)
    ('my_table', 'age+zip', '0.05')
    """
    if isinstance(value, list):
        return "+".join(map(_for_a_name, value)) or "none"
    text = Path(value).stem if isinstance(value, str) and ("/" in value or "\\" in value) else str(value)
    return re.sub(r"[^\w.+-]+", "_", text) or "none"


def _refuse_second_sweep(made: list[Run], before: list[Run]) -> None:
    """Refuse a second sweep of the same name: a page can compare only one set of varied parameters."""
    taken = {run.sweep.casefold() for run in before if run.sweep}
    for run in made:
        if run.sweep.casefold() in taken:
            name = run.sweep.removesuffix(COMPARISON)
            raise PlanError(f"a sweep called {name!r} comes before this one; give one of them a name")


def _refuse_unknown(parameters: Iterable[str], known_by: Mapping[Path, Iterable[str]]) -> None:
    everything = sorted(set().union(*known_by.values()))
    for name in parameters:
        if name not in everything:
            where = ", ".join(path.stem for path in known_by)
            raise PlanError(f"{where}: unknown parameter {name!r}; known are {', '.join(everything) or 'none'}")


def _refuse_out_of_range(path: Path, chosen: Mapping[str, Any], known: Mapping[str, Parameter]) -> None:
    for name, value in chosen.items():
        if complaint := known[name].complaint(value):
            raise PlanError(f"{path.stem}: {complaint}")


def _literal(name: str, value: Any) -> Any:
    """Check a value: papermill writes parameters into a cell as text, so only plain values survive."""
    if isinstance(value, (list, tuple)):
        return [_literal(name, item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _literal(name, item) for key, item in value.items()}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise PlanError(
        f"parameter {name!r} is a {type(value).__name__}; use numbers, texts, truth values, lists or mappings"
    )


def _with_distinct_names(runs: list[Run]) -> list[Run]:
    """Number the names that occur again: 13_mondrian, 13_mondrian-2, ..."""
    total, seen = Counter(run.name.casefold() for run in runs), Counter[str]()
    result = []
    taken = {"index", *(run.sweep.casefold() for run in runs)}
    for run in runs:
        if not re.fullmatch(r"\w[\w .=+-]*", run.name) or run.name.casefold() in taken:
            others = " and ".join(f"'{name}'" for name in sorted(taken - {""}, key=len))
            raise PlanError(f"{run.name!r} cannot name a report; use letters, digits and . _ - = + (and not {others})")
        key = run.name.casefold()
        seen[key] += 1
        name = run.name if seen[key] == 1 else f"{run.name}-{seen[key]}"
        if name != run.name and name.casefold() in total:
            raise PlanError(f"two runs are called {name!r}; give each a name of its own")
        result.append(replace(run, name=name))
    return result


def _only(runs: list[Run], starts: list[str]) -> list[Run]:
    for start in starts:
        if not any(_is_meant(run, start) for run in runs):
            names = ", ".join(dict.fromkeys(run.notebook.stem for run in runs))
            raise PlanError(f"no run has a name that starts with {start!r}; there are {names}")
    return [run for run in runs if any(_is_meant(run, start) for start in starts)] if starts else runs


def _is_meant(run: Run, start: str) -> bool:
    return bool(start) and (run.name.startswith(start) or run.notebook.stem.startswith(start.removesuffix(".ipynb")))
