"""Guarantee cards: what is proved about a method or an attack, what is tested and how far, what is a heuristic.

The card is the one source: ``anonnb list NAME``, the docstring and the notebook all show it.
"""

from __future__ import annotations

import html
import textwrap
from dataclasses import dataclass, fields

WIDTH = 100


@dataclass(frozen=True)
class Card:
    """Three sentences or more, and the paper; a part that is empty is not shown.

    >>> print(Card(proved="Every class has k rows.", heuristic="The loss is not the least."))
    proved     Every class has k rows.
    heuristic  The loss is not the least.
    """

    proved: str = ""
    tested: str = ""
    heuristic: str = ""
    paper: str = ""

    def parts(self) -> dict[str, str]:
        """The parts that say something, by name."""
        return {part.name: text for part in fields(self) if (text := getattr(self, part.name))}

    def __str__(self) -> str:
        parts = self.parts()
        width = max(map(len, parts), default=0) + 2
        hanging = {"width": WIDTH, "subsequent_indent": " " * width}
        return "\n".join(textwrap.fill(f"{name:<{width}}{text}", **hanging) for name, text in parts.items())

    def _repr_html_(self) -> str:
        lines = [f"<tr><th>{name}</th><td>{html.escape(text)}</td></tr>" for name, text in self.parts().items()]
        return f'<table class="anonnb-card">{"".join(lines)}</table>'


def with_card(cls: type) -> type:
    """Put a class's card at the end of its docstring; an inherited card is no card of its own."""
    card = vars(cls).get("card")
    if card and "Guarantees\n" not in (cls.__doc__ or ""):
        cls.__doc__ = f"{(cls.__doc__ or '').rstrip()}\n\n    Guarantees\n    ----------\n" + textwrap.indent(
            "\n".join(f"{name}:\n    {text}" for name, text in card.parts().items()), "    "
        )
    return cls
