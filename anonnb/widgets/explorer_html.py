"""What the explorer shows, as HTML: numbers, the gate's verdict, a picture, rows, and the page of all of them.

Each function takes what an exploration has found and gives a piece for a widget or a report. The pieces are macros of
``templates/explorer.html``, which escapes every text: a value of somebody's table never becomes part of the page.
"""

from __future__ import annotations

import base64
import html
import io
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup

import anonnb
from anonnb.core.templates import templates
from anonnb.files.gate import GateVerdict
from anonnb.tables.descriptions import html_block
from anonnb.tables.table import Table


def numbers_html(numbers: Mapping[str, str], remarks: Sequence[str]) -> str:
    """Numbers in large print, each with its name and a remark."""
    return _fragment("numbers", [(*line, remark) for line, remark in zip(numbers.items(), remarks, strict=True)])


def verdict_html(verdict: GateVerdict) -> str:
    """A verdict of the gate: one sentence, and all that was recounted below it."""
    lines = [("failed", verdict.failures), ("passed", verdict.passed), ("not checked", verdict.unchecked)]
    findings = [(word, str(sentence)) for word, sentences in lines for sentence in sentences]
    return _fragment("gate", bool(verdict), len(verdict.passed), findings)


def drawn_html(draw: Callable[[], Any], words: str) -> str:
    """A picture with an alternative text; or, where drawing it raises an error, why there is none."""
    try:
        picture = _png(draw)
    except ValueError as error:
        return _no_picture(f"{error}. Choose another one.")
    except Exception as error:  # the numbers and the rows must not be lost because of a picture
        return _no_picture(f"this should not happen, please report it: {type(error).__name__}: {error}")
    return _fragment("picture", words, base64.b64encode(picture).decode())


def _png(draw: Callable[[], Any]) -> bytes:
    from anonnb.plots.style import detached

    file = io.BytesIO()
    with detached(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the picture itself shows a hierarchy that was made up
        draw().figure.savefig(file, format="png", dpi=90, metadata={"Software": None})
    return file.getvalue()


def _no_picture(reason: str) -> str:
    return f'<p class="anonnb-no-picture">No picture: {html.escape(reason)}</p>'


def exposed_html(attack: str, cases: pd.DataFrame) -> str:
    """The cases in which an attack is most certain, if there are any."""
    return html_block(f"Most exposed to {attack}", cases) if len(cases) else "<p>Nobody is exposed.</p>"


def rows_html(published: pd.DataFrame, most: int) -> str:
    """The first published rows, in a box that scrolls."""
    title = f"The published rows ({min(most, len(published)):,} of {len(published):,})"
    return _fragment("rows", title, Markup(html_block(title, published.head(most))))


def page_html(title: str, table: Table, parts: Sequence[str]) -> str:
    """A page of its own about a table, from pieces of HTML."""
    facts = f"{len(table):,} rows; quasi-identifier: {', '.join(map(str, table.quasi))}"
    facts += f"; sensitive: {', '.join(map(str, table.sensitive)) or 'none'}; anonnb {anonnb.__version__}."
    return _fragment("page", title, facts, list(map(Markup, parts)))


def _fragment(name: str, *values: Any) -> str:
    """A piece of HTML from the templates; texts in it are escaped."""
    return str(getattr(templates(Path(__file__)).get_template("explorer.html").module, name)(*values))
