"""What all pages share: one self-contained file that opens anywhere, offline, and runs no script but ours.

The style, the pictures and our script are inside the page. Values are escaped, and a content policy forbids anything
from the net and every script that is not ours to the letter, so that even hostile text in a table stays text.
"""

import base64
import hashlib
import io
import re
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from jinja2 import Environment
from markupsafe import Markup

from anonnb.core.templates import templates
from anonnb.reports.results import Result, versions
from anonnb.widgets.frames import moving as frames

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; script-src 'sha256-{}'"
TEMPLATES = Path(__file__).with_name("templates")
NARROW = "(max-width: 40rem)"  # as in style.css


class Drawing(NamedTuple):
    """A picture inside a page, and what it shows."""

    image: Markup
    caption: str


def render(template: str, **values: Any) -> str:
    """Render a whole page from a template; ``title`` is needed, ``made_with`` are the versions in its last line."""
    made_with = values.pop("made_with", None) or versions()
    return _environment().get_template(template).render(made_with=made_with, **values)


def render_table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Render a table as pages show it: escaped, rounded, numbers to the right."""
    macros: Any = _environment().get_template("macros.html").module
    return str(macros.table(columns, rows))


@cache
def _environment() -> Environment:
    environment = templates(Path(__file__))
    environment.filters |= {
        "address": address,
        "complaint": complaint,
        "numeric": is_numeric,
        "parameters": shown_parameters,
        "readable": readable,
    }
    style = (TEMPLATES / "style.css").read_text(encoding="utf-8") + frames.style()
    environment.globals |= {"policy": Markup(policy()), "style": Markup(style), "script": Markup(script())}
    return environment


@cache
def script() -> str:
    """Return the one script of a page: it moves frames, unfolds code and sorts tables."""
    return (TEMPLATES / "report.js").read_text(encoding="utf-8") + frames.script()


def policy() -> str:
    """Return what a page may do: load nothing from outside and run no script but ours."""
    return POLICY.format(base64.b64encode(hashlib.sha256(script().encode()).digest()).decode())


def address(item: Any) -> str:
    """Return the page of a run or a sweep, as a link from its neighbours.

    >>> address(type("Named", (), {"name": "a b-K=2"}))
    'a%20b-K%3D2.html'
    """
    return quote(f"{item.name}.html")


def shown_parameters(result: Result, varied: Sequence[str] | None = None) -> dict[str, str]:
    """Return the given parameters of a run as text, or only the ``varied`` ones; INTERACTIVE is always off."""
    names = [name for name in result.parameters if name != "INTERACTIVE"] if varied is None else varied
    return {name: repr(without_folder(result.parameters.get(name))) for name in names}


def without_folder(value: Any) -> Any:
    """Return a parameter as it may be shown: files without their folders, which are private.

    >>> without_folder(5), without_folder("/home/me/people.csv"), without_folder(["/home/me/people.csv", "car"])
    (5, 'people.csv', ['people.csv', 'car'])
    """
    if isinstance(value, list | tuple):
        return [without_folder(item) for item in value]
    if isinstance(value, Mapping):
        return {key: without_folder(item) for key, item in value.items()}
    return Path(value).name if isinstance(value, str) and Path(value).is_absolute() else value


# The folders of an absolute path, or of one below the home folder: in quotes they may have spaces. Colours of a
# terminal, which tracebacks have, may stand before a path; a letter, as in a/b/c or in a web address, may not.
_FOLDERS = re.compile(
    r"""(?P<before>\x1b\[[\d;]*m|(?<![\w.~:/\\<]))(?:~|[A-Za-z]:)?
    (?: (?<=['"])[/\\](?![/\\])[^'"\n]*[/\\] | [/\\](?:[^\s/\\:'"<>|,;()\[\]]+[/\\])+ | (?<=~)[/\\] )""",
    re.VERBOSE,
)


def names_only(text: str) -> str:
    """Remove the folders of files from a text, such as a traceback.

    >>> names_only("File /home/me/lib/own.py:12, no '/home/me/my data/people.csv', a / b, https://a.org/b/c")
    "File own.py:12, no 'people.csv', a / b, https://a.org/b/c"
    """
    return _FOLDERS.sub(r"\g<before>", text)


def complaint(result: Result) -> str:
    """Return the last line of a run's error, which says what happened."""
    return names_only(result.error.rpartition("\n")[2])


def readable(value: Any) -> str:
    """Format a value as a person writes it: whole numbers whole, others with about three digits.

    >>> [readable(value) for value in (0.12345, 3.4, -3.0, 30169, 1234.56, 12.34, None, True, "a")]
    ['0.123', '3.40', '−3', '30,169', '1,235', '12.3', '–', 'yes', 'a']
    """
    if value is None or value != value:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        size = abs(value)
        digits = 0 if float(value).is_integer() or size >= 1000 else 1 if size >= 10 else 2 if size >= 1 else 3
        text = f"{round(value, digits) or 0:,.{digits}f}"
        return text.replace("-", "−")
    return str(value)


def is_numeric(rows: Sequence[Sequence[Any]], column: int) -> bool:
    """Return whether a column is mostly numbers; a few words such as "below 0.2" do not change that."""
    kinds = [isinstance(row[column], int | float) and not isinstance(row[column], bool) for row in rows]
    return sum(kinds) * 2 >= len(kinds) > 0


def as_percent(share: float) -> str:
    """Format a share as a percentage with one decimal, and an unknown one as a dash.

    >>> as_percent(0.125), as_percent(-0.5), as_percent(float("nan"))
    ('12.5 %', '−50.0 %', '–')
    """
    return "–" if share != share else f"{100 * share:.1f} %".replace("-", "−")


def drawing(figure: Any, caption: str, narrow: Any = None) -> Drawing:
    """Turn a matplotlib figure into an image inside the page; ``narrow`` is the figure for small screens."""
    image = f'<img alt="{escape(caption)}" src="{_svg(figure)}">'
    if narrow is not None:
        image = f'<picture><source media="{NARROW}" srcset="{_svg(narrow)}">{image}</picture>'
    return Drawing(Markup(image), caption)


def _svg(figure: Any) -> str:
    """Return a drawing as an address inside the page: sharp on paper, and the same bytes each time."""
    import matplotlib

    file = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "anonnb", "svg.fonttype": "path"}):
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return f"data:image/svg+xml;base64,{base64.b64encode(file.getvalue()).decode()}"


class Loads(HTMLParser):
    """Collect the addresses that a browser fetches by itself, without links that a reader may follow."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            fetched = name in ("src", "srcset", "poster", "data") or (
                name == "href" and tag in ("link", "use", "image")
            )
            if fetched and value and not value.strip().lower().startswith(("data:", "#")):
                self.addresses.append(value.strip())


def loads_from_outside(text: str) -> list[str]:
    """Return the addresses outside the page that opening it would fetch.

    >>> loads_from_outside('<a href="http://a.org">a</a><img src="http://b.org/c.png"><img src="data:,">')
    ['http://b.org/c.png']
    """
    parser = Loads()
    parser.feed(text)
    return parser.addresses
