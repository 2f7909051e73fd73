"""The headings of a report: each has an address of its own and a link to it, and the page lists them."""

import re
from dataclasses import dataclass, field
from html import unescape
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

_TAGS = re.compile(r"<[^>]+>")
_PLACE = "anonnb: here is the table of contents"
LISTED = (2, 3)  # the first level is the title


@dataclass
class Headings:
    """Collects the headings of a page in their order; ids are those that JupyterLab gives, and never the same twice.

    >>> headings = Headings()
    >>> print(headings.add("By <em>hand</em>", 2))
    <h2 id="By-hand">By <em>hand</em> <a class="anchor" href="#By-hand" aria-label="Link to this section">#</a></h2>
    >>> headings.add("By hand", 2)[:17], headings.html().count("<li ")
    ('<h2 id="By-hand-2', 2)
    """

    lower: bool = False  # ids in small letters, as on GitHub
    found: list[tuple[int, str, Markup]] = field(default_factory=list)
    _ids: set[str] = field(default_factory=set)

    def add(self, text: str, level: int) -> str:
        """The HTML of a heading whose inner HTML is ``text``."""
        plain = " ".join(unescape(_TAGS.sub("", text)).split())
        plain_id = re.sub(r"[^\w\- ]", "", plain.lower()) if self.lower else plain
        name = self._unique(plain_id.replace(" ", "-") or "section")
        self.found.append((level, name, Markup("{}").format(plain)))
        link = Markup('<a class="anchor" href="#{}" aria-label="Link to this section">#</a>').format(quote(name))
        return str(Markup('<h{} id="{}">{} {}</h{}>\n').format(level, name, Markup(text), link, level)).strip("\n")

    def html(self, listed: tuple[int, ...] = LISTED) -> Markup:
        """The table of contents of some levels; empty where there is nothing to list."""
        lines = [
            Markup('<li class="level-{}"><a href="#{}">{}</a></li>').format(level, quote(name), text)
            for level, name, text in self.found
            if level in listed
        ]
        if not lines:
            return Markup("")
        body = Markup("\n").join(lines)
        return Markup(
            '<nav class="contents" aria-label="Contents"><details open><summary>Contents</summary><ol>{}</ol>'
            "</details></nav>"
        ).format(body)

    def _unique(self, name: str) -> str:
        tried, number = name, 1
        while tried in self._ids:
            number += 1
            tried = f"{name}-{number}"
        self._ids.add(tried)
        return tried


def leave_room(notebook: Any) -> None:
    """Add a cell for the table of contents below the title."""
    from nbformat.v4 import new_markdown_cell

    titled = bool(notebook.cells) and notebook.cells[0].cell_type == "markdown"
    notebook.cells.insert(int(titled), new_markdown_cell(_PLACE))


def with_contents(body: str, headings: Headings) -> str:
    """Put the table of contents where ``leave_room`` has left room for it."""
    return body.replace(f"<p>{_PLACE}</p>", str(headings.html()), 1)
