"""Pages that open anywhere, offline, and run nothing: reports of notebooks and the index of a batch.

Formulas become MathML, which browsers draw by themselves; style and pictures are inside the page. A content policy
forbids scripts and anything from the net, so that even hostile text in a table stays text.
"""

import base64
import io
import os
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from traitlets import default

from anonnb.reports.worker import Result, versions

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:"
THUMBNAIL_PIXELS = (480, 320)
_SHOWABLE = ("text/html", "text/markdown", "image/svg+xml", "image/png", "image/jpeg", "text/latex", "text/plain")


class NotSelfContained(ValueError):
    """A report would need a file or the net when it is opened."""


def math(tex: str, display: str = "inline") -> str:
    """A TeX formula as MathML; what cannot be translated is shown as it was written.

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
    def inline_math(self, body: str) -> str:
        return math(body)

    def block_math(self, body: str) -> str:
        return math(body, "block")

    def latex_environment(self, name: str, body: str) -> str:
        return math(f"\\begin{{{name}}}{body}\\end{{{name}}}", "block")

    def link(self, text: str, url: str, title: str | None = None) -> str:
        return super().link(text, _among_reports(url), title)


def _among_reports(url: str) -> str:
    """Where a link leads from a report: another notebook is its report, the list of notebooks is the index.

    >>> _among_reports("13_mondrian.ipynb#idea"), _among_reports("README.md"), _among_reports("https://a.org/b.ipynb")
    ('13_mondrian.html#idea', 'index.html', 'https://a.org/b.ipynb')
    """
    path, hash_, place = url.partition("#")
    if "/" in path:
        return url
    if path == "README.md":
        return "index.html"
    return f"{path.removesuffix('.ipynb')}.html{hash_}{place}" if path.endswith(".ipynb") else url


class _Exporter(HTMLExporter):
    """The body of a notebook: no inputs, no prompts, local pictures embedded."""

    @default("template_name")
    def _basic(self) -> str:
        return "basic"

    def markdown2html(self, context: Any, source: str) -> str:
        path = context.get("resources", {}).get("metadata", {}).get("path", "")
        attachments = context.get("cell", {}).get("attachments", {})
        renderer = _Renderer(
            escape=False, attachments=attachments, embed_images=True, path=path, exclude_anchor_links=True
        )
        return MarkdownWithMath(renderer=renderer).render(source)

    markdown2html.jinja_pass_arg = HTMLExporter.markdown2html.jinja_pass_arg


def report_page(notebook: Any, result: Result, folder: str | os.PathLike) -> str:
    """The report of an executed notebook; ``folder`` is where its local pictures are."""
    exporter = _Exporter(exclude_input=True, exclude_input_prompt=True, exclude_output_prompt=True)
    shown = _without_machinery(notebook)
    body, _ = exporter.from_notebook_node(shown, resources={"metadata": {"path": os.fspath(folder)}})
    # The whole traceback is an output of the notebook, further down.
    last_line = result.error.rpartition("\n")[2]
    head = (
        '<header><nav><a href="index.html">All reports</a></nav>'
        f"<ul class='facts'>{_facts(result)}</ul>{_failure(result, last_line)}</header>"
    )
    page = _page(result.title, f"{head}<main>{body}</main>", result.versions)
    outside = loads_from_outside(page)
    if outside:
        raise NotSelfContained(f"The report would load {outside[0]}; put the file beside the notebook.")
    return page


def index_page(results: Iterable[Result]) -> str:
    """A card for each run: title, status, duration, parameters, first picture, and the error if there is one."""
    results = list(results)
    failed = sum(not result.ok for result in results)
    summary = f"{len(results)} notebooks, {failed} failed" if failed else f"{len(results)} notebooks, all of them ran"
    cards = "".join(_card(result) for result in results)
    return _page(
        "Reports", f"<header><h1>Reports</h1><p>{summary}.</p></header><main><ul class='cards'>{cards}</ul></main>"
    )


def _card(result: Result) -> str:
    link = escape(f"{result.name}.html")
    picture = f'<img alt="" src="data:image/png;base64,{result.thumbnail}">' if result.thumbnail else "no picture"
    return (
        f'<li class="card"><div class="thumb">{picture}</div><div class="body">'
        f'<h2><a href="{link}">{escape(result.title)}</a></h2>'
        f"<ul class='facts'>{_facts(result)}</ul>{_failure(result, result.error)}</div></li>"
    )


def _facts(result: Result) -> str:
    facts = [f'<span class="status {escape(result.status)}">{escape(result.status)}</span>', f"{result.seconds:.1f} s"]
    facts.append(escape(result.name))
    # INTERACTIVE is always off in a report: it would only be noise here.
    given = {key: value for key, value in result.parameters.items() if key != "INTERACTIVE"}
    facts += [f"<code>{escape(key)} = {escape(repr(value))}</code>" for key, value in given.items()]
    return "".join(f"<li>{fact}</li>" for fact in facts)


def _failure(result: Result, error: str) -> str:
    if result.ok:
        return ""
    where = f"Stopped in cell {result.cell}." if result.cell else "Stopped."
    return f"<p class='failure'>{where}</p><pre>{escape(error)}</pre>"


def _page(title: str, content: str, made_with: Mapping[str, str] | None = None) -> str:
    made = ", ".join(f"{name} {number}" for name, number in (made_with or versions()).items())
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_style()}</style></head>\n<body>{content}"
        f"<footer>Made with {escape(made)}.</footer></body></html>\n"
    )


@cache
def _style() -> str:
    return Path(__file__).with_name("style.css").read_text(encoding="utf-8")


def _without_machinery(notebook: Any) -> Any:
    """A copy without papermill's error banners and without outputs that only a live notebook can show."""
    import copy

    notebook = copy.deepcopy(notebook)
    notebook.cells = [
        cell for cell in notebook.cells if "papermill-error-cell-tag" not in cell.metadata.get("tags", [])
    ]
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if "data" in output:
                output.data = {mime: value for mime, value in output.data.items() if mime in _SHOWABLE}
    return notebook


def thumbnail(notebook: Any) -> str:
    """The first PNG among the outputs, made small, in base64; empty if there is none."""
    from PIL import Image

    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            png = output.get("data", {}).get("image/png")
            if png:
                image = Image.open(io.BytesIO(base64.b64decode(png)))
                image.thumbnail(THUMBNAIL_PIXELS)
                small = io.BytesIO()
                image.save(small, "PNG", optimize=True)
                return base64.b64encode(small.getvalue()).decode()
    return ""


class _Loads(HTMLParser):
    """Collects the addresses that a browser fetches by itself; a link that a reader may follow is none of them."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            fetched = name in ("src", "srcset", "poster", "data") or (
                name == "href" and tag in ("link", "use", "image")
            )
            if fetched and value and not value.strip().lower().startswith(("data:", "#")):
                self.found.append(value.strip())


def loads_from_outside(page: str) -> list[str]:
    """The addresses outside the page that opening it would fetch.

    >>> loads_from_outside('<a href="http://a.org">a</a><img src="http://b.org/c.png"><img src="data:,">')
    ['http://b.org/c.png']
    """
    parser = _Loads()
    parser.feed(page)
    return parser.found
