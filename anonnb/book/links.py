"""Check that all links of a finished site lead somewhere and that no page loads anything from the net."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from anonnb.reports.page import Loads


class _Addresses(Loads):
    """The places of a page and the addresses that it links to, beside those that a browser loads with it."""

    def __init__(self) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.linked: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        for name, value in attrs:
            if value and (name == "id" or (name == "name" and tag == "a")):
                self.places.add(value)
            elif value and name == "href" and tag == "a":
                self.linked.add(value)


class _BrokenLink(NamedTuple):
    page: str
    address: str
    reason: str

    def __str__(self) -> str:
        return f"{self.page}: {self.address} {self.reason}"


def broken_links(site: Path) -> list[str]:
    """Return what is wrong with the links of a site: a line for each page and address.

    Returns
    -------
    list of str
        Empty where every link inside the site leads to a page and a place that is there, and where no page loads
        anything from outside. Links to other sites are not followed.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.html").write_text('<a href="a.html#here">a</a><a href="b.html">b</a><p id="there">')
    ...     broken_links(Path(folder))
    ['a.html: a.html#here has no such place', 'a.html: b.html is not there']
    """
    paths = {path.relative_to(site).as_posix(): path for path in sorted(site.rglob("*.html"))}
    pages = {name: _read(path) for name, path in paths.items() if not name.startswith("_static/")}  # parts of the theme
    files = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    return sorted(str(link) for name, page in pages.items() for link in _broken(name, page, pages, files))


def _read(path: Path) -> _Addresses:
    page = _Addresses()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def _broken(name: str, page: _Addresses, pages: dict[str, _Addresses], files: set[str]) -> Iterator[_BrokenLink]:
    for address in page.linked.union(page.addresses):
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            if address in page.addresses:
                yield _BrokenLink(name, address, "would be loaded from the net")
            continue
        target = _joined(name, unquote(parts.path)) if parts.path else name
        if target not in files:
            yield _BrokenLink(name, address, "is not there")
        elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].places:
            yield _BrokenLink(name, address, "has no such place")


def _joined(page: str, path: str) -> str:
    """Return the file that an address names, seen from a page."""
    parts = page.split("/")[:-1]
    for part in path.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
