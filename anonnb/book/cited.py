"""Which works a text cites: ``pages/bibliography.bib`` is the one list, and an entry is found by its title.

Cards and notebooks name works in full, for readers without the book. So nobody has to know a key: where a text has the
title of an entry, in whatever letters, it cites that entry.
"""

import re
from functools import cache
from pathlib import Path

PAGES = Path(__file__).with_name("pages")
BIBLIOGRAPHY = PAGES / "bibliography.bib"
_ENTRY = re.compile(r"^@\w+\{(?P<key>\w+),\n(?P<fields>.*?)^\}", re.MULTILINE | re.DOTALL)
_TITLE = re.compile(r"^  title = \{\{(.+)\}\},$", re.MULTILINE)


def plain(text: str) -> str:
    """Normalize a text for comparing titles: small letters and digits, one space between words.

    >>> plain("*l-Diversity*: privacy beyond  k-anonymity.")
    'l diversity privacy beyond k anonymity'
    """
    return " ".join(re.findall(r"\w+", text.lower()))


@cache
def titles() -> dict[str, str]:
    """Return the key of every work by its plain title, the longest titles first.

    >>> titles()[plain("Mondrian multidimensional k-anonymity")]
    'lefevre2006mondrian'
    """
    text = BIBLIOGRAPHY.read_text(encoding="utf-8")
    entries = [(_TITLE.search(entry["fields"]), entry["key"]) for entry in _ENTRY.finditer(text)]
    works = {plain(title[1]): key for title, key in entries if title}
    return dict(sorted(works.items(), key=lambda item: -len(item[0])))


def keys(text: str) -> list[str]:
    """Return the works whose titles stand in a text, in the order of the text.

    >>> keys("Mondrian multidimensional k-anonymity, 2006; R. Karp, Reducibility among combinatorial problems.")
    ['lefevre2006mondrian', 'karp1972']
    """
    rest, positions = f" {plain(text)} ", {}
    for title, key in titles().items():
        if (position := rest.find(f" {title} ")) >= 0:
            positions[key] = position
            # a shorter title inside this one ("Rough sets") is none of its own
            rest = rest.replace(f" {title} ", " " + "_" * len(title) + " ")
    return sorted(positions, key=positions.__getitem__)


def with_citations(markdown: str) -> str:
    """Add citations to every item of a Markdown list that names works.

    >>> print(with_citations("- R. Karp, *Reducibility among combinatorial problems*, 1972."))
    - R. Karp, *Reducibility among combinatorial problems*, 1972. {cite}`karp1972`
    """
    items = re.split(r"(?m)^(?=- )", markdown)
    return "".join(map(_with_its_citations, items))


def _with_its_citations(item: str) -> str:
    body, gap, rest = item.partition("\n\n")
    works = keys(body) if body.startswith("- ") else []
    if not works:
        return item
    end = len(body.rstrip())
    return f"{body[:end]} {{cite}}`{','.join(works)}`{body[end:]}{gap}{rest}"
