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
from math import isnan
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup

import anonnb
from anonnb.attacks.base import Attack, AttackResult
from anonnb.core.errors import Infeasible
from anonnb.core.templates import templates
from anonnb.publishing.verification import VerificationReport
from anonnb.tables.descriptions import html_block
from anonnb.tables.release import Release
from anonnb.tables.table import Table


def numbers_html(numbers: Mapping[str, str], remarks: Sequence[str]) -> str:
    """Return numbers in large print, each with its name and a remark."""
    return _fragment("numbers", [(*line, remark) for line, remark in zip(numbers.items(), remarks, strict=True)])


def verdict_html(verdict: VerificationReport) -> str:
    """Return a verdict of the gate: one sentence, and all that was recounted below it."""
    lines = [("failed", verdict.failures), ("passed", verdict.passed), ("not checked", verdict.unchecked)]
    findings = [(word, str(sentence)) for word, sentences in lines for sentence in sentences]
    return _fragment("gate", bool(verdict), len(verdict.passed), findings)


def drawn_html(draw: Callable[[], Any], alt: str) -> str:
    """Return a picture with an alternative text; or, if drawing it raises an error, why there is none."""
    try:
        picture = _png(draw)
    except ValueError as error:
        return _no_picture(f"{error}. Choose another one.")
    except Exception as error:  # the numbers and the rows must not be lost because of a picture
        return _no_picture(f"this should not happen, please report it: {type(error).__name__}: {error}")
    return _fragment("picture", alt, base64.b64encode(picture).decode())


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
    """Return the cases in which an attack is most certain, if there are any."""
    return html_block(f"Most exposed to {attack}", cases) if len(cases) else "<p>Nobody is exposed.</p>"


def rows_html(published: pd.DataFrame, limit: int) -> str:
    """Return the first published rows, in a box that scrolls."""
    title = f"The published rows ({min(limit, len(published)):,} of {len(published):,})"
    return _fragment("rows", title, Markup(html_block(title, published.head(limit))))


def page_html(title: str, table: Table, parts: Sequence[str]) -> str:
    """Return a page of its own about a table, from pieces of HTML."""
    facts = f"{len(table):,} rows; quasi-identifier: {', '.join(map(str, table.quasi))}"
    facts += f"; sensitive: {', '.join(map(str, table.sensitive)) or 'none'}; anonnb {anonnb.__version__}."
    return _fragment("page", title, facts, list(map(Markup, parts)))


def _fragment(name: str, *values: Any) -> str:
    """Return a piece of HTML from the templates; texts in it are escaped."""
    return str(getattr(templates(Path(__file__)).get_template("explorer.html").module, name)(*values))


# ---- how strong an attack is -----------------------------------------------------------------------------------------


FAILURES = (ValueError, TypeError, KeyError, Infeasible)  # raised if half of the people are too few


def against_control(
    attack: Attack, halves: tuple[Table, Table], publish: Callable[[Table], Release]
) -> AttackResult | None:
    """Attack a published half of the people with the other half as control; return None if that is impossible."""
    inside, outside = halves
    if attack.no_control:
        return None
    try:
        result = attack.run(publish(inside), inside, control=outside)
    except FAILURES:
        return None
    return None if isnan(result.excess) else result


def gain(result: AttackResult) -> tuple[str, str]:
    """Return name and text of what is learnt: the excess over the control, or the advantage over a guess."""
    name = "advantage" if isnan(result.excess) else "excess"
    low, high = (100 * end for end in getattr(result, f"{name}_interval"))
    return name, f"{100 * getattr(result, name):.1f} % ({low:.1f} to {high:.1f} %)"


def beside_success(result: AttackResult) -> str:
    """Say what success is compared with: baseline, control, and how often a claim is made and right."""
    text = f"a guess without the release: {result.baseline:.1%}"
    if not isnan(result.control):
        text = f"of a published half; of the other half {result.control:.1%}, {text}"
    return "; ".join(filter(None, [text, result.claimed]))
