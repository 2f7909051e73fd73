"""What Sphinx is taught for the book: formulas as MathML, the script that moves stored frames, no card twice.

The bibliography prints the volume of every article: the plain style leaves it out where no pages are given.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from pybtex.plugin import register_plugin
from pybtex.style.formatting import toplevel
from pybtex.style.formatting.plain import Style as Plain
from pybtex.style.formatting.unsrt import pages
from pybtex.style.template import Node, field, join, optional, sentence, tag
from sphinx.application import Sphinx

import anonnb
from anonnb.reports.html import math
from anonnb.widgets.frames import moving as frames

FRAMES = "anonnb-frames"


class Works(Plain):
    """The style of the bibliography."""

    def get_article_template(self, entry: Any) -> Node:
        volume = optional[join[field("volume"), optional["(", field("number"), ")"]]]
        location = join(sep=": ")[volume, optional[pages]]
        journal = sentence(sep=", ")[tag("em")[field("journal")], location, field("year")]
        return toplevel[self.format_names("author"), self.format_title(entry, "title"), journal]


register_plugin("pybtex.style.formatting", "anonnb", Works)


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    app.connect("builder-inited", _write_frames)
    app.connect("autodoc-process-docstring", _readable, priority=100)  # before napoleon reads the sections
    app.connect("autodoc-skip-member", _skip_foreign)
    app.connect("html-page-context", _without_back_links)
    app.add_js_file(f"{FRAMES}.js", loading_method="defer")
    app.add_css_file(f"{FRAMES}.css")
    app.add_css_file("book.css")
    return {"version": anonnb.__version__, "parallel_read_safe": True, "parallel_write_safe": True}


def _write_frames(app: Sphinx) -> None:
    folder = app.outdir / "_static"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{FRAMES}.css").write_text(frames.style(), encoding="utf-8")
    (folder / f"{FRAMES}.js").write_text(frames.script(), encoding="utf-8")


def _readable(app: Sphinx, what: str, name: str, thing: object, options: Any, lines: list[str]) -> None:
    """Remove the card from a docstring, since the page of its class shows it as a table, and keep |E| as a size."""
    if "Guarantees" in lines:
        del lines[lines.index("Guarantees") :]
    lines[:] = [line if line.lstrip().startswith((">>>", "...")) else _bars_as_text(line) for line in lines]


def _bars_as_text(line: str) -> str:
    """Escape the bars outside of code in a line; reST would take them for substitutions.

    >>> print(_bars_as_text("|E| rows, ``a | b``"))
    \\|E\\| rows, ``a | b``
    """
    parts = re.split(r"(``.*?``|\\\|)", line)
    return "".join(part if index % 2 else part.replace("|", r"\|") for index, part in enumerate(parts))


def _skip_foreign(app: Sphinx, what: str, name: str, thing: object, skip: bool, options: Any) -> bool | None:
    """Leave out the methods that a library puts into our classes."""
    return True if not (getattr(thing, "__module__", None) or "anonnb").startswith("anonnb") else None


def _without_back_links(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    """Remove links from sources to the reference, since viewcode takes all names of a module to be documented alike."""
    if page.startswith("_modules/"):
        context["body"] = re.sub(r'<a class="viewcode-back".*?</a>', "", context["body"])


def _inline(writer: Any, node: nodes.math) -> None:
    writer.body.append(math(node.astext()))
    raise nodes.SkipNode


def _block(writer: Any, node: nodes.math_block) -> None:
    writer.body.append(f'<div class="math">{math(node.astext(), "block")}</div>')
    raise nodes.SkipNode
