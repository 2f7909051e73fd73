"""Figures that are kept after a notebook has run: ``record`` in a cell, ``results.json`` after the batch.

A record is an ordinary output with a mime type of its own, so it is part of the notebook file. A table may have a kind,
which says how the index of a batch draws it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

MIME = "application/vnd.anonnb.record+json"
# What the columns of a table of each kind must be, at least.
KINDS = {
    "table": (),
    "reproduction": ("quantity", "ours", "paper", "difference"),
    "arena": ("method", "k", "seed", "kind", "name", "value"),
    "rivals": ("method", "family", "attack", "risk", "risk low", "risk high", "loss", "loss low", "loss high", "front"),
    "gains": ("run", "method", "figure", "gain", "low", "high"),
    "own table": ("what", "figure"),
}
MAX_ROWS_SHOWN = 40


def record(name: str, value: Any, *, kind: str = "", caption: str = "") -> None:
    """Show a figure or a table and keep it for the ``results.json`` of a batch run.

    Round what is not exact, since the committed output of a notebook is compared to the letter. The index of a batch
    also counts a DataFrame "verdicts" with the columns verdict, checked, chosen and input.

    Parameters
    ----------
    value:
        A number, a text, a truth value, None, or a DataFrame of these; numpy's numbers are accepted too.
    kind:
        For a DataFrame that the index of a batch shows: "reproduction" (a paper's figures beside ours), "arena" (the
        rows of ``arena.compare``), "rivals" (risk and loss with their intervals), "gains" (the largest gains of two
        runs) or "own table" (what was published of a user's table).

    Examples
    --------
    >>> record("ncp", 0.125)
    ncp: 0.125
    """
    if not isinstance(name, str) or not name:
        raise TypeError(f"a record needs a name, a text that is not empty; got {name!r}")
    if hasattr(value, "columns") and hasattr(value, "itertuples"):
        _record_table(name, value, kind or "table", caption)
        return
    if kind or caption:
        raise TypeError(f"record {name!r}: only a DataFrame has a kind and a caption, not {type(value).__name__}")
    plain = _plain(value, f"record {name!r}: a value")
    # JSON knows no infinity and no NaN; their names are kept instead.
    kept = str(plain) if isinstance(plain, float) and not math.isfinite(plain) else plain
    _show({MIME: {"name": name, "value": kept}, "text/plain": f"{name}: {plain}"})


def _record_table(name: str, frame: pd.DataFrame, kind: str, caption: str) -> None:
    if kind not in KINDS:
        raise ValueError(f"record {name!r}: kind={kind!r} is not known; use one of {', '.join(KINDS)}")
    named = frame.reset_index() if any(level is not None for level in frame.index.names) else frame
    missing = [column for column in KINDS[kind] if column not in named]
    if missing:
        raise ValueError(f"record {name!r}: a table of the kind {kind!r} needs the column {missing[0]!r}")
    rows = [
        [_cell(item, f"record {name!r}, column {column!r}: a value") for column, item in zip(named, row, strict=True)]
        for row in named.itertuples(index=False, name=None)
    ]
    entry = {"kind": kind, "caption": caption, "columns": [str(column) for column in named], "rows": rows}
    text = f"{name}: {len(rows)} rows × {len(entry['columns'])} columns"
    shown = {"text/html": _html(entry)} if len(rows) <= MAX_ROWS_SHOWN else {}
    _show({MIME: {"name": name, "value": entry}, **shown, "text/plain": text})


def _html(entry: dict[str, Any]) -> str:
    from anonnb.reports.page import render_table

    return render_table(entry["columns"], entry["rows"])


def _plain(value: Any, what: str) -> Any:
    plain = value.item() if hasattr(value, "item") and getattr(value, "ndim", None) == 0 else value
    if plain is not None and not isinstance(plain, (bool, int, float, str)):
        raise TypeError(f"{what} is a number, a text, a truth value or None, not {type(value).__name__}")
    return plain


def _cell(value: Any, what: str) -> Any:
    """Return a cell as JSON keeps it; what is missing is None, and infinity is named."""
    from pandas import NA, NaT

    plain = None if value is NA or value is NaT else _plain(value, what)
    if isinstance(plain, float) and not math.isfinite(plain):
        return None if math.isnan(plain) else str(plain)
    return plain


def _show(bundle: dict[str, Any]) -> None:
    from IPython.core.getipython import get_ipython

    if get_ipython() is None:
        print(bundle["text/plain"])
    else:
        from IPython.display import display

        display(bundle, raw=True)


def collect(notebook: Any) -> dict[str, Any]:
    """Collect the records among the outputs of a notebook; the last one of a name counts."""
    records = {}
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            entry = output.get("data", {}).get(MIME)
            if entry:
                records[entry["name"]] = entry["value"]
    return records


def figures(records: dict[str, Any]) -> dict[str, Any]:
    """Return the records that are single values, not tables."""
    return {name: value for name, value in records.items() if not isinstance(value, dict)}


def tables(records: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """Return the recorded tables of a kind: mappings with ``caption``, ``columns`` and ``rows``."""
    return [value for value in records.values() if isinstance(value, dict) and value["kind"] == kind]
