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
    """A text as titles are compared: small letters and digits, one space between words.

    >>> plain("*l-Diversity*: privacy beyond  k-anonymity.")
    'l diversity privacy beyond k anonymity'
    """
    return " ".join(re.findall(r"\w+", text.lower()))


@cache
def titles() -> dict[str, str]:
    """The key of every work by its plain title, the longest titles first.

    >>> titles()[plain("Mondrian multidimensional k-anonymity")]
    'lefevre2006mondrian'
    """
    text = BIBLIOGRAPHY.read_text(encoding="utf-8")
    found = {plain(_TITLE.search(entry["fields"])[1]): entry["key"] for entry in _ENTRY.finditer(text)}
    return dict(sorted(found.items(), key=lambda item: -len(item[0])))


def keys(text: str) -> list[str]:
    """The works whose titles stand in a text, in the order of the text.

    >>> keys("Mondrian multidimensional k-anonymity, 2006; R. Karp, Reducibility among combinatorial problems.")
    ['lefevre2006mondrian', 'karp1972']
    """
    rest, found = f" {plain(text)} ", {}
    for title, key in titles().items():
        if (place := rest.find(f" {title} ")) >= 0:
            found[key] = place
            # a shorter title inside this one ("Rough sets") is none of its own
            rest = rest.replace(f" {title} ", " " + "_" * len(title) + " ")
    return sorted(found, key=found.get)


def with_citations(markdown: str) -> str:
    """Markdown in which every item of a list that names works ends with citations of them.

    >>> print(with_citations("- R. Karp, *Reducibility among combinatorial problems*, 1972."))
    - R. Karp, *Reducibility among combinatorial problems*, 1972. {cite}`karp1972`
    """
    items = re.split(r"(?m)^(?=- )", markdown)
    return "".join(map(_with_its_citations, items))


def _with_its_citations(item: str) -> str:
    body, gap, rest = item.partition("\n\n")
    found = keys(body) if body.startswith("- ") else []
    if not found:
        return item
    end = len(body.rstrip())
    return f"{body[:end]} {{cite}}`{','.join(found)}`{body[end:]}{gap}{rest}"
