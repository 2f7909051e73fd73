"""The code of a report: folded, cell by cell, above what the cell shows; a button of the page unfolds all."""

from typing import Any

from markupsafe import Markup, escape

from anonnb.reports.execution import INJECTED
from anonnb.reports.page import names_only


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
    """Code behind a word.

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
        found = next((short for long, short in _CLASSES.items() if name.startswith(long)), "")
        parts.append(Markup('<span class="{}">{}</span>').format(found, text) if found else escape(text))
    return Markup("").join(parts)
