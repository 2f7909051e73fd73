"""The book in a real browser with the net off: search finds, pages fit a phone, stored frames move.

`make test` builds the book before it comes here; without one, only the page with frames is looked at.
"""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from anonnb.book import building, tutorials
from tests.book.one_page import one_page
from tests.browser.driving import OVERFLOW, WIDTHS, Seen, drive, opened

BOOK = Path(__file__).parents[2] / building.OUT
PAGES = [
    *("index", "glossary", "bibliography", "comparison", "changelog", "guides/publish-a-table", "tutorials/index"),
    *(
        "tutorials/13_mondrian",
        "tutorials/63_fuzzy_rough_sets",
        "reference/methods/Mondrian",
        "reference/attacks",
        "reference/utility",
        "reference/command-line",
    ),
]
FRAMES = """
from anonnb import widgets

def draw(k):
    print(f"k is {k}")

widgets.explore(draw, k=range(2, 6), interactive=False)
"""

pytestmark = pytest.mark.browser
built = pytest.mark.skipif(not (BOOK / "index.html").is_file(), reason="run make book first")


def troubles(seen: Seen) -> list[str]:
    """Without the lines in which the theme tells what it does."""
    return [trouble for trouble in seen.troubles if "[PST]" not in trouble and "theme" not in trouble]


@built
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", PAGES)
def test_pages_fit_and_ask_for_nothing(browser, name, width):
    seen = Seen()
    with opened(browser, BOOK / f"{name}.html", width, seen) as page:
        assert page.evaluate(OVERFLOW) <= 0
        expect(page.locator(".bd-article h1").first).to_be_visible()
    assert troubles(seen) == []


@built
@pytest.mark.parametrize(
    ("words", "target"), [("Mondrian", "reference/methods/Mondrian"), ("deFinetti", "37_definetti")]
)
def test_search_finds_without_a_net(browser, words, target):
    context = browser.new_context(offline=True)
    page = context.new_page()
    errors = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.goto(f"{(BOOK / 'search.html').as_uri()}?q={words}")
    expect(page.locator(f'ul.search a[href*="{target}"]').first).to_be_visible(timeout=30_000)
    expect(page.locator("#search-results .search-summary")).to_contain_text("found", timeout=30_000)
    context.close()
    assert errors == []


def test_stored_frames_move(browser, tmp_path):
    import nbformat
    from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

    from anonnb import reports

    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    cells = [new_markdown_cell("# Frames"), new_code_cell(FRAMES)]
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": kernel}), tmp_path / "frames.ipynb")
    assert reports.run([tmp_path / "frames.ipynb"], out=tmp_path / "batch", progress=False).ok
    ran = nbformat.read(tmp_path / "batch" / "runs" / "frames.ipynb", as_version=4)

    page = nbformat.writes(tutorials.prepared(ran, {}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building, "lay_out", one_page("index.ipynb", page))
        out = building.build(tmp_path / "book", None, jobs=1)
    seen = Seen()
    drive(browser, out / "index.html", 1280, seen)
    assert troubles(seen) == []
    assert seen.controls == 1
    assert seen.changes
