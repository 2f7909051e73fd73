"""The report of one notebook: its texts and outputs, its code folded, on a page that opens anywhere.

Formulas become MathML, which browsers draw by themselves; pictures beside the notebook are put into the page. Figures
are numbered, headings have links, and there is a table of contents below the title.
"""

import base64
import io
import os
import re
import warnings
from collections.abc import Mapping
from html import escape
from typing import Any
from urllib.parse import quote

from markupsafe import Markup
from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from traitlets import default

from anonnb.reports.page import loads_from_outside, names_only, render
from anonnb.reports.page_parts import Headings, fold_code, leave_room, number_figures, with_contents
from anonnb.reports.results import Result
from anonnb.widgets.claims import FAILS

GLOSSARY = "GLOSSARY.md"  # beside the notebooks
_FAILED_CLAIM = re.compile(rf"(?<=\n){FAILS} [^\n<]+|(?<=<pre>){FAILS} [^\n<]+")
THUMBNAIL_PIXELS = (480, 320)
_SHOWABLE = ("text/html", "text/markdown", "image/svg+xml", "image/png", "image/jpeg", "text/latex", "text/plain")


class NotSelfContainedError(ValueError):
    """A report would need a file or the net when it is opened."""


def math(tex: str, display: str = "inline") -> str:
    """Translate a TeX formula to MathML; show what cannot be translated as it was written.

    >>> math("k < 3")[:46]
    '<math xmlns="http://www.w3.org/1998/Math/MathM'
    """
    from latex2mathml.converter import convert

    try:
        return convert(tex, display=display)
    except Exception:
        # The translator raises many kinds of errors for TeX it does not know; a readable report matters more.
        return f"<code>{escape(tex)}</code>"


class _Renderer(IPythonRenderer):
    pages: Mapping[str, str] = {}
    headings: Headings | None = None  # of the page; a heading that a cell shows is none of them

    def heading(self, text: str, level: int, **attrs: Any) -> str:
        return super().heading(text, level, **attrs) if self.headings is None else self.headings.add(text, level)

    def inline_math(self, body: str) -> str:
        return math(body)

    def block_math(self, body: str) -> str:
        return math(body, "block")

    def latex_environment(self, name: str, body: str) -> str:
        return math(f"\\begin{{{name}}}{body}\\end{{{name}}}", "block")

    def link(self, text: str, url: str, title: str | None = None) -> str:
        target = _among_reports(url, self.pages)
        return super().link(text, target, title) if target else text


def _among_reports(url: str, pages: Mapping[str, str]) -> str:
    """Return where a link leads from a report: a notebook to its page, the list of notebooks to the index.

    Empty for a notebook that is not in the batch: there is nothing to lead to.

    >>> links = ["13_mondrian.ipynb#idea", "12_k_optimize.ipynb", "README.md", "https://a.org/b.ipynb"]
    >>> [_among_reports(url, {"13_mondrian.ipynb": "13_mondrian-K=5"}) for url in links]
    ['13_mondrian-K%3D5.html#idea', '', 'index.html', 'https://a.org/b.ipynb']
    >>> _among_reports("GLOSSARY.md#class", {})
    'glossary.html#class'
    """
    path, hash_, fragment = url.partition("#")
    if path == "README.md":
        return "index.html"
    if path == GLOSSARY:
        return "glossary.html" + hash_ + fragment
    if "/" in path or not path.endswith(".ipynb"):
        return url
    return quote(f"{pages[path]}.html") + hash_ + fragment if path in pages else ""


class _Exporter(HTMLExporter):
    """The body of a notebook: no inputs, no prompts, local pictures embedded."""

    @default("template_name")
    def _basic(self) -> str:
        return "basic"

    def markdown2html(self, context: Any, source: str) -> str:
        resources = context.get("resources", {})
        path = resources.get("metadata", {}).get("path", "")
        attachments = context.get("cell", {}).get("attachments", {})
        renderer = _Renderer(
            escape=False, attachments=attachments, embed_images=True, path=path, exclude_anchor_links=True
        )
        renderer.pages = resources.get("pages", {})
        if context.get("cell", {}).get("cell_type") == "markdown":
            renderer.headings = resources.get("headings")
        return MarkdownWithMath(renderer=renderer).render(source)

    setattr(markdown2html, "jinja_pass_arg", HTMLExporter.markdown2html.jinja_pass_arg)  # noqa: B010


def report_page(notebook: Any, result: Result, folder: str | os.PathLike) -> str:
    """Return the report of an executed notebook; ``folder`` is where its local pictures are."""
    exporter = _Exporter(exclude_input=True, exclude_input_prompt=True, exclude_output_prompt=True)
    shown = without_machinery(notebook)
    number_figures(shown)
    fold_code(shown)
    leave_room(shown)
    resources: dict[str, Any] = {"metadata": {"path": os.fspath(folder)}, "pages": result.pages, "headings": Headings()}
    body, resources = exporter.from_notebook_node(shown, resources=resources)  # it fills a copy of the resources
    body = _FAILED_CLAIM.sub(r'<b class="failure">\g<0></b>', body)
    whole = render(
        "report.html",
        title=result.title,
        result=result,
        body=Markup(with_contents(body, resources["headings"])),
        made_with=result.versions,
    )
    outside = loads_from_outside(whole)
    if outside:
        raise NotSelfContainedError(f"The report would load {outside[0]}; put the file beside the notebook.")
    return whole


def glossary_page(source: str, pages: Mapping[str, str]) -> str:
    """Return the glossary, written in Markdown, as a page; ``pages`` are those of the notebooks."""
    renderer = _Renderer(escape=False, attachments={}, embed_images=True, path="", exclude_anchor_links=True)
    renderer.pages, renderer.headings = pages, Headings(lower=True)
    title, _, text = source.partition("\n")
    body = MarkdownWithMath(renderer=renderer).render(text)
    return render(
        "glossary.html", title=title.removeprefix("# "), body=Markup(body), contents=renderer.headings.html((2,))
    )


def without_machinery(notebook: Any) -> Any:
    """Copy a notebook without outputs that only a live one can show, and without folders in errors."""
    import copy

    notebook = copy.deepcopy(notebook)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if "data" in output:
                output.data = {mime: value for mime, value in output.data.items() if mime in _SHOWABLE}
            if output.output_type == "error":
                output.traceback = [names_only(line) for line in output.traceback]
            if output.get("name") == "stderr":
                output.text = names_only(output.text)
    return notebook


def thumbnail(notebook: Any) -> str:
    """Return the first readable PNG among the outputs, made small, in base64; empty if there is none."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            png = output.get("data", {}).get("image/png")
            if png and (small := _made_small(png)):
                return small
    return ""


def _made_small(png: str) -> str:
    """Shrink a PNG to fit a card, in base64; empty if it is broken, or so large that reading it would do harm."""
    from PIL import Image

    small = io.BytesIO()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            image = Image.open(io.BytesIO(base64.b64decode(png)))
            image.thumbnail(THUMBNAIL_PIXELS)
            image.save(small, "PNG", optimize=True)
    except Exception:  # Pillow raises whatever its readers raise: OSError, SyntaxError, ValueError, struct.error
        return ""
    return base64.b64encode(small.getvalue()).decode()
