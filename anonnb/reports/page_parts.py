"""The parts of a report's page that a notebook does not have by itself.

Code is folded. Every picture becomes a figure with a number, a caption and an alternative text, which come from the
kernel that drew it (``anonnb.widgets.frames.kernel``); if there are none, from the cell's claim or the title of its
section. Headings get their addresses, and the page lists them.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Any, NamedTuple
from urllib.parse import quote

from markupsafe import Markup, escape

from anonnb.reports.execution import INJECTED
from anonnb.reports.page import names_only

# ---- code ----------------------------------------------------------------------------------------------------------


def fold_code(notebook: Any) -> None:
    """Put the source of every code cell before its outputs, as HTML that a reader unfolds.

    A batch writes parameters into a cell of their own: there, files are named without their folders.
    """
    from nbformat.v4 import new_output

    for cell in notebook.cells:
        if cell.cell_type == "code" and cell.source.strip():
            injected = INJECTED in cell.metadata.get("tags", [])
            source = names_only(cell.source) if injected else cell.source
            cell.outputs.insert(0, new_output("display_data", {"text/html": str(folded(source))}))


def folded(source: str) -> Markup:
    """Fold code behind a word.

    >>> print(folded("a < b"))
    <details class="code"><summary>Code</summary><pre><code>a &lt; b</code></pre></details>
    """
    return Markup('<details class="code"><summary>Code</summary><pre><code>{}</code></pre></details>').format(
        _coloured(source.strip())
    )


# Words of the language, comments, texts and numbers: more colours would say less.
_CLASSES = {"Keyword": "k", "Operator.Word": "k", "Comment": "c", "Literal.String": "s", "Literal.Number": "m"}


def _coloured(source: str) -> Markup:
    from pygments import lex
    from pygments.lexers import PythonLexer

    parts = []
    for kind, text in lex(source, PythonLexer(ensurenl=False, stripnl=False)):
        name = str(kind).removeprefix("Token.")
        style = next((short for long, short in _CLASSES.items() if name.startswith(long)), "")
        parts.append(Markup('<span class="{}">{}</span>').format(style, text) if style else escape(text))
    return Markup("").join(parts)


# ---- figures -------------------------------------------------------------------------------------------------------


_SLOT = re.compile(r'<b class="anonnb-number">[^<]*</b>')  # moving cells leave this place for their number
# what nbconvert would show of an output instead of its picture
_BEFORE = ("text/html", "text/markdown")
_KINDS = ("image/svg+xml", "image/png", "image/jpeg")


def number_figures(notebook: Any) -> int:
    """Turn the pictures among the outputs into numbered figures; return how many there are."""
    count = 0
    for place, output in _outputs(notebook):
        data = output.data
        if (page := data.get("text/html")) and _SLOT.search(page):
            count += 1
            data["text/html"] = _SLOT.sub(f'<b class="anonnb-number">Figure {count}.</b>', page)
        kind = next((kind for kind in _KINDS if kind in data), None)
        if kind and not any(other in data for other in _BEFORE):
            count += 1
            output.data = type(data)({"text/html": str(_figure(count, kind, output, place))})
    return count


class _Place(NamedTuple):
    """The place of a picture: the heading above it, and what its cell claims."""

    section: str
    claim: str


def _outputs(notebook: Any) -> Iterator[tuple[_Place, Any]]:
    """Yield every output that has data, with its place."""
    section = ""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            titles = re.findall(r"^#+\s+(.+?)\s*$", cell.source, re.MULTILINE)
            section = titles[-1] if titles else section
        outputs = cell.get("outputs", [])
        printed = "\n".join(output.text for output in outputs if output.get("name") == "stdout")
        claims = re.findall(r"^✓ (.+)$", printed, re.MULTILINE)
        for output in outputs:
            if "data" in output:
                yield _Place(section, claims[0] if claims else ""), output


def _figure(number: int, kind: str, output: Any, place: _Place) -> Markup:
    about = output.get("metadata", {}).get(kind, {})
    alt = about.get("alt") or (f"Figure in the section {place.section}" if place.section else "Figure")
    size = Markup("").join(
        Markup(' {}="{}"').format(name, about[name]) for name in ("width", "height") if about.get(name)
    )
    content = output.data[kind]
    if kind == "image/svg+xml":
        content = base64.b64encode(content.encode()).decode()
    image = Markup('<img alt="{}"{} src="data:{};base64,{}">').format(alt, size, kind, "".join(content.split()))
    caption = Markup('<b class="anonnb-number">Figure {}.</b> {}').format(
        number, about.get("caption") or place.claim or place.section
    )
    return Markup('<figure id="figure-{}">{}<figcaption>{}</figcaption></figure>').format(number, image, caption)


# ---- headings ------------------------------------------------------------------------------------------------------


_TAGS = re.compile(r"<[^>]+>")
_PLACE = "anonnb: here is the table of contents"
LISTED = (2, 3)  # the first level is the title


@dataclass
class Headings:
    """The headings of a page in their order; ids are those that JupyterLab gives, and never the same twice.

    >>> headings = Headings()
    >>> print(headings.add("By <em>hand</em>", 2))
    <h2 id="By-hand">By <em>hand</em> <a class="anchor" href="#By-hand" aria-label="Link to this section">#</a></h2>
    >>> headings.add("By hand", 2)[:17], headings.html().count("<li ")
    ('<h2 id="By-hand-2', 2)
    """

    lower: bool = False  # ids in small letters, as on GitHub
    entries: list[tuple[int, str, Markup]] = field(default_factory=list)
    _ids: set[str] = field(default_factory=set)

    def add(self, text: str, level: int) -> str:
        """Add a heading whose inner HTML is ``text`` and return its HTML."""
        plain = " ".join(unescape(_TAGS.sub("", text)).split())
        plain_id = re.sub(r"[^\w\- ]", "", plain.lower()) if self.lower else plain
        name = self._unique(plain_id.replace(" ", "-") or "section")
        self.entries.append((level, name, Markup("{}").format(plain)))
        link = Markup('<a class="anchor" href="#{}" aria-label="Link to this section">#</a>').format(quote(name))
        return str(Markup('<h{} id="{}">{} {}</h{}>\n').format(level, name, Markup(text), link, level)).strip("\n")

    def html(self, listed: tuple[int, ...] = LISTED) -> Markup:
        """Return the table of contents of some levels; empty if there is nothing to list."""
        lines = [
            Markup('<li class="level-{}"><a href="#{}">{}</a></li>').format(level, quote(name), text)
            for level, name, text in self.entries
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
