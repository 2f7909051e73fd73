"""Figures that outlive their notebook: ``record`` in a cell, ``results.json`` after the batch.

A record is an ordinary output with a mime type of its own, so it travels inside the notebook file.
"""

import math
from typing import Any

MIME = "application/vnd.anonnb.record+json"


def record(name: str, value: Any) -> None:
    """Show ``name: value`` and keep it for the ``results.json`` of a batch run.

    A value is a number, a text, a truth value or None; numpy's numbers are taken, too. Round what is not exact, for the
    committed output of a notebook is compared to the letter.

    >>> record("ncp", 0.125)
    ncp: 0.125
    """
    if not isinstance(name, str) or not name:
        raise TypeError(f"a record needs a name, a text that is not empty; got {name!r}")
    plain = value.item() if hasattr(value, "item") and getattr(value, "ndim", None) == 0 else value
    if plain is not None and not isinstance(plain, (bool, int, float, str)):
        raise TypeError(
            f"record {name!r}: a value is a number, a text, a truth value or None, not {type(value).__name__}"
        )
    # JSON knows no infinity and no NaN; their names are kept instead.
    kept = str(plain) if isinstance(plain, float) and not math.isfinite(plain) else plain
    _show({MIME: {"name": name, "value": kept}, "text/plain": f"{name}: {plain}"})


def _show(bundle: dict[str, Any]) -> None:
    from IPython.core.getipython import get_ipython

    if get_ipython() is None:
        print(bundle["text/plain"])
    else:
        from IPython.display import display

        display(bundle, raw=True)


def collect(notebook: Any) -> dict[str, Any]:
    """All records among the outputs of a notebook; the last of a name counts."""
    found = {}
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            entry = output.get("data", {}).get(MIME)
            if entry:
                found[entry["name"]] = entry["value"]
    return found
