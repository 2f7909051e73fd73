"""Reports live without a kernel: every control moves, every player plays to its end, with the net off.

Two small notebooks and the template are run for it. ``make moving`` looks at all pages of the last batch instead, which
the environment variable ANONNB_REPORTS names.
"""

import os
import re
from pathlib import Path
from statistics import median

import pytest
from playwright.sync_api import expect

from tests.browser.driving import WIDTHS, Seen, drive, opened

DATA = Path(__file__).parent / "data"

FINISHED = os.environ.get("ANONNB_REPORTS", "")
MOST_MILLISECONDS = 100
HOSTILE = "<img src=x onerror=alert(1)>"
EXPLORING = f"""
import matplotlib.pyplot as plt, pandas as pd
from anonnb import widgets

def draw(k, way, strict):
    print(f"k is {{k}}, {{way}}, strictly: {{strict}}")
    plt.bar([{HOSTILE!r}, "b"], [k, 3 + strict])
    plt.title(f"{{k}} {{way}} {{strict}}")
    plt.show()
    return pd.DataFrame({{"value": [{HOSTILE!r}, way], "k": [k, strict]}})

widgets.explore(draw, k=range(2, 12), way=[{HOSTILE!r}, "b", "c"], strict=True, start={{"k": 5}}, interactive=False)
"""
PLAYING = (DATA / "playing.py.txt").read_text(encoding="utf-8")
STEPS = """
import anonnb
from anonnb import widgets
from anonnb.methods import Mondrian

widgets.play(Mondrian(k=10).steps(anonnb.load("survey")))
"""
TABLE = """
import pandas as pd
pd.DataFrame({"name": ["b", "a", "c", "d"], "size": ["1,200", "30", "−4", "none"]})
"""

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    if FINISHED:
        return Path(FINISHED).resolve()
    import nbformat
    from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

    from anonnb import reports

    made, out = (tmp_path_factory.mktemp(name) for name in ("notebooks", "reports"))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    for name, codes in {"exploring": [EXPLORING, TABLE], "playing": [PLAYING, STEPS]}.items():
        cells = [new_markdown_cell(f"# {name}\n\n## The idea"), *map(new_code_cell, codes)]
        nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": kernel}), made / f"{name}.ipynb")
    template = Path(__file__).parents[2] / "notebooks" / "template.ipynb"
    batch = reports.run([made / "exploring.ipynb", made / "playing.ipynb", template], out=out, jobs=2, progress=False)
    assert batch.ok
    return out


@pytest.fixture(scope="module")
def seen(browser, folder):
    """Every page of the batch at both widths."""
    found = {}
    for path in sorted(folder.glob("*.html")):
        found[path.stem] = one = Seen()
        for width in WIDTHS:
            drive(browser, path, width, one)
        print(
            f"{path.stem}: {one.controls} controls, {one.players} players, {one.moves} moves, {one.changes} changes, ",
            end="",
        )
        print(f"{max(one.milliseconds, default=0):.0f} ms, {path.stat().st_size / 1e6:.2f} MB")
        print(*one.troubles, sep="\n", end="\n" if one.troubles else "")
    return found


def test_everything_moves_and_nothing_complains(seen):
    assert [trouble for one in seen.values() for trouble in one.troubles] == []
    assert all(one.changes for one in seen.values() if one.controls)
    assert sum(one.controls for one in seen.values()) > 0
    assert sum(one.players for one in seen.values()) > 0 or FINISHED


def test_a_move_takes_less_than_the_eye_notices(seen):
    slow = {name: one.milliseconds for name, one in seen.items() if one.milliseconds}
    assert slow
    assert {name: times for name, times in slow.items() if median(times) > MOST_MILLISECONDS} == {}


@pytest.mark.skipif(bool(FINISHED), reason="of the small notebooks")
def test_a_page_that_does_not_move_would_be_seen(browser, folder, tmp_path):
    """Without this, the tests above could pass because they look at nothing."""
    page = (folder / "exploring.html").read_text(encoding="utf-8")
    lost = re.sub(r'data-at="[ \d]+" hidden', 'data-at="lost" hidden', page)
    assert lost != page
    (tmp_path / "lost.html").write_text(lost, encoding="utf-8")
    seen = Seen()
    drive(browser, tmp_path / "lost.html", 1280, seen)
    assert any("the frame stays at" in trouble for trouble in seen.troubles)


@pytest.mark.skipif(bool(FINISHED), reason="of the small notebooks")
def test_a_script_that_is_not_ours_does_not_run(browser, folder, tmp_path):
    page = (folder / "exploring.html").read_text(encoding="utf-8")
    foreign = "<script>document.title = 'foreign'</script><img src='data:,' onerror=\"document.title = 'foreign'\">"
    (tmp_path / "foreign.html").write_text(page.replace("<main>", f"<main>{foreign}"), encoding="utf-8")
    seen = Seen()
    with opened(browser, tmp_path / "foreign.html", 1280, seen) as shown:
        assert shown.title() == "exploring"
    assert any("Content Security Policy" in trouble for trouble in seen.troubles)


@pytest.mark.skipif(bool(FINISHED), reason="of the small notebooks")
class TestOnePage:
    def test_values_of_a_table_are_text(self, browser, folder):
        seen = Seen()
        with opened(browser, folder / "exploring.html", 1280, seen) as page:
            expect(page.locator(".anonnb-frame:visible td").first).to_have_text(HOSTILE)
            assert page.locator('img[src="x"]').count() == 0
            page.locator("select[data-control]").select_option(index=1)
            page.locator("select[data-control]").select_option(HOSTILE)
        assert seen.troubles == []

    def test_code_unfolds_one_by_one_and_all_at_once(self, browser, folder):
        with opened(browser, folder / "exploring.html", 400, Seen()) as page:
            codes = page.locator("details.code pre")
            assert codes.count() >= 2
            expect(codes.first).to_be_hidden()
            page.locator("details.code summary").first.click()
            expect(codes.first).to_be_visible()
            page.get_by_role("button", name="Show all code").press("Enter")
            assert all(code.is_visible() for code in codes.all())
            page.get_by_role("button", name="Hide all code").click()
            assert not any(code.is_visible() for code in codes.all())

    def test_tables_sort_numbers_as_numbers(self, browser, folder):
        with opened(browser, folder / "exploring.html", 1280, Seen()) as page:
            table = page.locator("main table").last
            sizes = table.locator("tbody td:last-child")
            table.get_by_role("button", name="size").click()
            assert sizes.all_inner_texts() == ["−4", "30", "1,200", "none"]
            table.get_by_role("button", name="size").press("Enter")
            assert sizes.all_inner_texts() == ["none", "1,200", "30", "−4"]
            table.get_by_role("button", name="name").click()
            assert sizes.all_inner_texts()[0] == "30"

    def test_headings_are_listed_and_linked(self, browser, folder):
        with opened(browser, folder / "exploring.html", 1280, Seen()) as page:
            page.get_by_role("navigation", name="Contents").get_by_role("link", name="The idea").click()
            assert page.url.endswith("#The-idea")

    @pytest.mark.parametrize(
        ("name", "shown"), [("exploring", ["5 <img"]), ("playing", ["step 0", "step 2", "step 4", "step 6"])]
    )
    def test_without_scripts_and_on_paper_the_first_frame_or_the_strip_shows(self, browser, folder, name, shown):
        for scripts in (False, True):
            context = browser.new_context(java_script_enabled=scripts, offline=True)
            page = context.new_page()
            page.goto((folder / f"{name}.html").as_uri())
            page.emulate_media(media="print" if scripts else "screen")
            first = page.locator(".anonnb-frames").first
            words = first.locator(".anonnb-frame:visible figcaption").all_inner_texts()
            assert len(words) == len(shown)
            assert all(part in text for part, text in zip(shown, words, strict=True))
            expect(first.locator(".anonnb-controls")).to_be_hidden()
            context.close()

    def test_every_picture_has_a_number_and_words(self, browser, folder):
        with opened(browser, folder / "template.html", 1280, Seen()) as page:
            pictures = page.locator("main img").all()
            assert pictures
            assert all(len(picture.get_attribute("alt")) > 20 for picture in pictures)
            numbers = page.locator("figure:visible .anonnb-number").all_inner_texts()
            assert numbers == [f"Figure {number}." for number in range(1, len(numbers) + 1)]
