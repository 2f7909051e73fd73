"""The bibliography is the one list of works: cards and notebooks cite from it, and nothing stands in it for nothing."""

import json
import re
from pathlib import Path

import pytest

from anonnb import attacks, methods
from anonnb.book import cited
from anonnb.reports.plan import notebook_files

ROOT = Path(__file__).parents[2]
CLASSES = {**methods.all(), **attacks.all()}


def further_reading(path: Path) -> list[str]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    listed = [text.partition("## Further reading")[2] for text in texts]
    items = [item for text in listed for item in re.split(r"(?m)^- ", text)[1:]]
    return [item for item in items if re.search(r"\*[^*]+\*", item)]


def test_what_cards_cite_is_found_by_its_title():
    """A card may also name a work that nobody has put into the bibliography yet; it is then cited as text."""
    assert cited.keys(methods.get("Mondrian").card.paper) == ["lefevre2006mondrian"]
    assert cited.keys("N. Nobody, A work that is not there, 2026.") == []


@pytest.mark.parametrize("path", notebook_files(), ids=lambda path: path.stem)
def test_every_work_of_a_notebook_is_in_the_bibliography(path):
    lacking = [item for item in further_reading(path) if not cited.keys(item)]
    assert lacking == []


def test_every_work_of_the_bibliography_is_cited():
    texts = [card for cls in CLASSES.values() if (card := cls.card.paper)]
    texts += [item for path in notebook_files() for item in further_reading(path)]
    used = {key for text in texts for key in cited.keys(text)}
    assert set(cited.titles().values()) - used == set()


def test_years_agree():
    """A year that a card or a notebook gives is that of the bibliography, where one work is named."""
    text = cited.BIBLIOGRAPHY.read_text(encoding="utf-8")
    years = dict(re.findall(r"@\w+\{(\w+),(?:(?!\n\}).)*?  year = \{(\d+)\}", text, re.DOTALL))
    texts = [card for cls in CLASSES.values() if (card := cls.card.paper) and ";" not in card]
    texts += [item for path in notebook_files() for item in further_reading(path)]
    wrong = []
    for text in texts:
        found, said = cited.keys(text), re.findall(r"\b(?:19|20)\d\d\b", text)
        if len(found) == 1 and said and years.get(found[0]) not in (None, *said):
            wrong.append((found[0], years[found[0]], text))
    assert wrong == []


def test_a_title_inside_another_is_not_cited():
    both = "Z. Pawlak: *Rough sets: theoretical aspects of reasoning about data*. Kluwer, 1991."
    assert cited.keys(both) == ["pawlak1991"]
    assert cited.keys("Z. Pawlak: *Rough sets*. 1982.") == ["pawlak1982"]


def test_citations_stand_at_the_end_of_their_items():
    text = "## Further reading\n\n- *Search through systematic set\n  enumeration*, 1992.\n- Nothing.\n\nAfter.\n"
    assert cited.with_citations(text) == text.replace("1992.\n", "1992. {cite}`rymon1992`\n")


def test_volumes_are_printed_without_pages_too():
    from pybtex.backends.plaintext import Backend
    from pybtex.database import parse_file

    from anonnb.book.extension import Works

    entries = parse_file(str(cited.BIBLIOGRAPHY)).entries
    texts = {entry.key: entry.text.render(Backend()) for entry in Works().format_entries(entries.values())}
    assert texts["clark1989"].endswith("Machine Learning, 3, 1989.")
    assert texts["samarati2001"].endswith("Engineering, 13(6): 1010–1027, 2001.")
    assert set(texts) == set(entries)
