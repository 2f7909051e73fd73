"""The pages of a batch in a real browser: no sideways scrolling on any screen, a whole PDF, nothing from outside.

The pages are made from the committed notebooks with the outputs they have, so no kernel is needed.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest

from anonnb.reports.html import report_page, thumbnail
from anonnb.reports.plan import notebook_files
from anonnb.reports.records import collect
from anonnb.reports.results import Result
from anonnb.reports.runs import make_runs
from anonnb.reports.summary import write_summary
from tests.reports.records import ARENA

DATA = Path(__file__).parent / "data"

NOTEBOOKS = notebook_files(Path(__file__).parents[2] / "notebooks")
SCREENS = {"desk": 1280, "tablet": 768, "phone": 400}
A4_PIXELS = round((210 - 2 * 15) / 25.4 * 96)  # the width between the margins
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
# Text elements whose colour is too near to their background (WCAG AA asks for 4.5).
PALE = (DATA / "pale.js").read_text(encoding="utf-8")

pytestmark = pytest.mark.browser


@dataclass
class Pages:
    """A folder of pages and a browser to look at them."""

    folder: Path
    browser: object
    swept: list[str]

    def open(self, name: str, width: int):
        page = self.browser.new_page(viewport={"width": width, "height": 900})
        page.goto((self.folder / f"{name}.html").as_uri())
        return page


@pytest.fixture(scope="module")
def pages(tmp_path_factory, browser):
    """All reports, a sweep of made-up figures, and the index with every part of the summary."""
    folder = tmp_path_factory.mktemp("pages")
    sweep = {"notebook": "45_arena", "matrix": {"DATA": ["survey", "car"], "K": [2, 5, 10]}}
    runs = make_runs([*NOTEBOOKS, sweep])
    results = []
    for run in runs:
        notebook = nbformat.read(run.notebook, as_version=4)
        records = {"NCP, median of the methods": len(results) / 100, "LinkageAttack, median of the methods": 0.05}
        records |= {"arena": ARENA} if run.sweep else collect(notebook)
        result = Result(run.name, str(run.notebook), run.notebook.stem, run.parameters, "", records=records)
        result.thumbnail, result.question = thumbnail(notebook), "Does it fit? " * 20
        result.pages = {path.name: path.stem for path in NOTEBOOKS}
        results.append(result)
        if not run.sweep:
            (folder / f"{run.name}.html").write_text(report_page(notebook, result, run.notebook.parent), "utf-8")
    results[3].status, results[3].cell, results[3].error = "failed", 4, "ValueError: " + "a_very_long_name" * 20
    write_summary(folder, runs, results, "anonnb report --plan " + "a-long-name" * 20)
    return Pages(folder, browser, [run.name for run in runs if run.sweep])


EVERY_PAGE = ["index", "45_arena-comparison", *(path.stem for path in NOTEBOOKS)]


@pytest.fixture(scope="module")
def visited(pages):
    """For each page: how many pixels it is too wide on three screens and on paper, and where its links lead."""
    page = pages.open("index", 1280)
    found = {}
    for name in EVERY_PAGE:
        page.emulate_media(media="screen")
        page.goto((pages.folder / f"{name}.html").as_uri())
        links = page.eval_on_selector_all("a[href]", "links => links.map(link => link.getAttribute('href'))")
        found[name] = {"links": links}
        for kind, width in {**SCREENS, "paper": A4_PIXELS}.items():
            # On paper nobody can scroll a table, so there the boxes of wide tables do not scroll.
            page.emulate_media(media="print" if kind == "paper" else "screen")
            page.set_viewport_size({"width": width, "height": 900})
            found[name][kind] = page.evaluate(OVERFLOW)
    page.close()
    return found


@pytest.mark.parametrize("kind", [*SCREENS, "paper"])
def test_no_page_is_wider_than_screen_or_paper(visited, kind):
    assert {name: seen[kind] for name, seen in visited.items() if seen[kind] > 0} == {}


def test_links_between_the_pages_lead_somewhere(visited, pages):
    there = {f"{result}.html" for result in (*EVERY_PAGE, *pages.swept)} | {"results.json", "glossary.html"}
    near = {
        name: {unquote(link.partition("#")[0]) for link in seen["links"] if not urlsplit(link).scheme} - {""}
        for name, seen in visited.items()
    }
    assert {name: sorted(links - there) for name, links in near.items() if links - there} == {}
    # Links to notebooks that are not in the batch would be plain text; here all of them are.
    assert "14_cell_suppression.html" in near["13_mondrian"]


def test_a_wide_page_would_be_seen(pages):
    """Without this, the test above could pass because it measures nothing."""
    page = pages.open("index", 400)
    page.evaluate("() => document.querySelector('h1').style.width = '500px'")
    assert page.evaluate(OVERFLOW) > 50
    page.close()


@pytest.mark.parametrize("name", ["index", "45_arena-comparison", "41_migration_experiment"])
def test_printing_gives_a_pdf_with_all_pages(pages, name):
    page = pages.open(name, 1280)
    pdf = page.pdf(prefer_css_page_size=True)
    page.close()
    assert pdf.startswith(b"%PDF")
    sheets = len(re.findall(rb"/Type\s*/Page\b", pdf))
    assert sheets >= {"index": 5, "45_arena-comparison": 1, "41_migration_experiment": 3}[name]
    assert re.search(rb"/MediaBox\s*\[\s*0 0 59[45]", pdf)


@pytest.mark.parametrize("name", ["index", "45_arena-comparison", "13_mondrian"])
def test_text_is_dark_enough(pages, name):
    page = pages.open(name, 1280)
    pale = page.evaluate(PALE)
    page.close()
    assert pale == []


def test_pale_text_would_be_seen(pages):
    """Without this, the test above could pass because it measures nothing."""
    page = pages.open("index", 1280)
    page.evaluate("() => document.querySelector('h1').style.color = '#aaa'")
    pale = page.evaluate(PALE)
    page.close()
    assert len(pale) == 1


def test_pages_ask_for_nothing_and_complain_about_nothing(pages):
    page = pages.open("index", 1280)
    asked, complaints = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    for name in ("index", "45_arena-comparison", "13_mondrian"):
        page.goto((pages.folder / f"{name}.html").as_uri())
    page.close()
    assert [url for url in asked if not url.startswith(("data:", "file:"))] == []
    assert len([url for url in asked if url.startswith("file:")]) == 3
    assert complaints == []
