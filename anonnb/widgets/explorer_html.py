"""What the explorer shows, as HTML: figures, the gate's verdict, a picture, rows, and the page of all of them.

Each function takes what an exploration has found and gives a piece for a widget or a report. The pieces are macros of
``templates/explorer.html``, which escapes every text: a value of somebody's table never becomes part of the page.
"""

from __future__ import annotations

import base64
import html
import io
import warnings
from collections.abc import Callable, Sequence
from math import isnan
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup

import anonnb
from anonnb.attacks.base import Attack, AttackResult
from anonnb.attacks.findings import by_secret
from anonnb.attacks.result import SecretResult
from anonnb.attacks.result_kinds import LinkageResult, MembershipResult
from anonnb.core.errors import Infeasible
from anonnb.core.templates import templates
from anonnb.core.wording import percent
from anonnb.publishing.verification import VerificationReport
from anonnb.tables.descriptions import html_block
from anonnb.tables.release import Release
from anonnb.tables.table import Table

Figure = tuple[str, str, str]  # a name, a value as text, and a remark


def numbers_html(figures: Sequence[Figure]) -> str:
    """Return figures in large print, each with its name and a remark."""
    return _fragment("numbers", figures)


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
    if len(cases):
        return html_block(f"Most exposed to {attack}", cases)
    return f"<p>{attack} exposes nobody in this release; other attacks may.</p>"


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
    return None if result.outside is None else result


def attack_figures(result: AttackResult) -> list[Figure]:
    """Return what an attack found, by its kind: each figure with its name and what it is compared with."""
    if isinstance(result, LinkageResult):
        return [
            (
                "linked to their own row",
                percent(result.success),
                f"by picking a row at random: {percent(result.baseline, 2)}",
            ),
            ("false links", percent(result.false_links), "outsiders who are linked to some row"),
            ("precision of a link", percent(result.precision), "in a list of which half are members"),
        ]
    if isinstance(result, MembershipResult):
        low, high = result.auc_interval
        return [
            ("AUC", f"{result.auc:.3f} ({low:.3f} to {high:.3f})", "0.5 is guessing"),
            ("members found", percent(result.tpr_at(0.01)), "at 1 % false positives"),
        ]
    if isinstance(result, SecretResult):
        known = "" if isnan(result.control_precision) else f"; outsiders: right in {percent(result.control_precision)}"
        excess, _, interval = result.excess_text.partition(" (")
        right = f"right about {result.sure_right:,.0f} of them{known}" if result.sure else "less is safer"
        return [
            (f"sure about {result.secret}", f"{result.sure:,.0f} of {result.attempts:,} people", right),
            ("excess", excess, f"{interval.removesuffix(')')}; less is safer" if interval else "over the control"),
            ("success", percent(result.success), _compared(result)),
        ]
    return [("success", percent(result.success), f"by chance: {percent(result.figures['baseline'])}")]


def _compared(result: SecretResult) -> str:
    """Say what success is compared with, and whether it is any better than guessing."""
    text = f"control {percent(result.control)}, baseline {percent(result.baseline)}"
    return text if result.better_than_guessing else f"{text}: no better than guessing"


def secrets_html(result: AttackResult, attack: str) -> str:
    """Say whom an attack's figures are about and, if it is after several secrets, list them for each."""
    half = "a release of one half of the people, with the other half as outsiders"
    title = f"{attack} on {half if result.outside is not None else 'this release, without outsiders to compare with'}"
    rows = [
        {
            "secret": one.secret,
            "sure": f"{one.sure:,.0f} of {one.attempts:,} ({percent(one.sure / max(one.attempts, 1))})",
            "of these right": f"{one.sure_right:,.0f}",
            "strongest beliefs about the same share of outsiders": percent(one.control_precision),
            "success": percent(one.success),
            "control": percent(one.control),
            "baseline": percent(one.baseline),
            "excess": one.excess_text,
        }
        for one in by_secret(result)
        if isinstance(one, SecretResult)
    ]
    return html_block(title, pd.DataFrame(rows)) if len(rows) > 1 else f"<p>{html.escape(title)}.</p>"
