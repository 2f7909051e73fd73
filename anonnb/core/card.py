"""Guarantee cards: what is proved about a method or an attack, what is tested and how far, what is a heuristic.

The section *Guarantees* at the end of a class's docstring is the one source; ``anonnb list NAME`` and the notebooks
show it as a card. A class may also have an attribute ``card``, from which the section is then made.
"""

from __future__ import annotations

import html
import inspect
import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

WIDTH = 100
# JupyterLab aligns the cells of tables to the right; a report has a style of its own, which this does not contradict
_HTML_TABLE = 'style="max-width: 56rem"'
_HTML_CELL = 'style="text-align: left; vertical-align: top"'
_HTML_NAME = 'style="text-align: left; padding-top: 1em"'


@dataclass(frozen=True, repr=False)
class Card:
    """Three sentences or more, and the paper; a part that is empty is not shown.

    >>> Card(proved="Every class has k rows.", heuristic="The loss is not the least.")
    proved     Every class has k rows.
    heuristic  The loss is not the least.
    """

    proved: str = ""
    tested: str = ""
    heuristic: str = ""
    paper: str = ""

    def parts(self) -> dict[str, str]:
        """Return the parts that say something, by name."""
        return {part.name: text for part in fields(self) if (text := getattr(self, part.name))}

    def text(self, width: int = WIDTH) -> str:
        """Return the card in two columns, with lines of at most ``width`` characters."""
        column = max(len(part.name) for part in fields(self)) + 2
        parts = [f"{name:<{column}}{text}" for name, text in self.parts().items()]
        return "\n".join(textwrap.fill(part, width, subsequent_indent=" " * column) for part in parts)

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return _table(self._html_rows())

    def _html_rows(self) -> str:
        return "\n".join(
            f"<tr><th {_HTML_CELL}>{name}</th><td {_HTML_CELL}>{html.escape(text, quote=False)}</td></tr>"
            for name, text in self.parts().items()
        )


@dataclass(frozen=True, repr=False)
class Cards:
    """Cards of several classes, one below the other; made by :func:`cards`."""

    by_name: dict[str, Card]

    def __repr__(self) -> str:
        return "\n\n".join(f"{name}\n{card}" for name, card in self.by_name.items())

    def _repr_html_(self) -> str:
        rows = [
            f'<tr><th colspan="2" {_HTML_NAME}>{html.escape(name)}</th></tr>\n{card._html_rows()}'
            for name, card in self.by_name.items()
        ]
        return _table("\n".join(rows))


@dataclass(frozen=True)
class Claim:
    """One promise about every class of a release, stated without objects so that it can be recounted from a file.

    ``model`` is the name of a privacy model, ``text`` how people write it; without ``columns`` it concerns every
    sensitive column.
    """

    model: str
    parameters: Mapping[str, Any]
    text: str
    columns: tuple[str, ...] | None = None


def cards(*classes: type) -> Cards:
    """Gather the cards of several methods or attacks, to be shown together.

    >>> class Careful:
    ...     card = Card(proved="Nothing is published.")
    >>> cards(Careful)
    Careful
    proved     Nothing is published.
    """
    return Cards({cls.__name__: cls.card for cls in classes})  # type: ignore[attr-defined]


def with_card(cls: type) -> type:
    """Make the card of a class from the section *Guarantees* of its docstring, or that section from its own card."""
    doc, _, section = inspect.cleandoc(cls.__doc__ or "").partition("\n\nGuarantees\n----------\n")
    if texts := re.findall(r"^(proved|tested|heuristic|paper):((?:\n +.*)+)", section, re.MULTILINE):
        cls.card = Card(**{name: " ".join(text.split()) for name, text in texts})  # type: ignore[attr-defined]
    card = vars(cls).get("card")  # an inherited card does not count
    if isinstance(card, Card) and card.parts():
        guarantees = "\n".join(f"{name}:\n{_indented(text)}" for name, text in card.parts().items())
        cls.__doc__ = f"{doc}\n\nGuarantees\n----------\n{guarantees}\n"
    return cls


def _indented(text: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)


def _table(rows: str) -> str:
    return f'<table class="anonnb-card" {_HTML_TABLE}>\n{rows}\n</table>'
