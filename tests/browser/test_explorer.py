"""The explorer in a real lab: numbers and picture follow method and k, the export is written, nothing leaves."""

import shutil
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import expect

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("name", ["00_start_here", "50_your_own_data"])
def test_the_explorer_answers_and_exports(lab, name):
    shutil.copy(ROOT / "notebooks" / f"{name}.ipynb", lab.folder)
    with lab.open(f"{name}.ipynb") as notebook:
        page = notebook.page
        notebook.run_all()
        assert notebook.failed_cells() == []
        explorer = page.locator(".anonnb-explorer")
        numbers, picture = explorer.locator(".anonnb-numbers"), explorer.locator(".anonnb-picture")
        expect(numbers).to_contain_text("k reached", timeout=60_000)
        numbers.scroll_into_view_if_needed()
        page.screenshot(path=_screenshot(f"{name}-before"))

        before = (numbers.inner_text(), picture.get_attribute("src"))
        k = int(explorer.locator(".widget-readout").inner_text())
        explorer.locator(".widget-slider .noUi-handle").focus()
        page.keyboard.press("ArrowRight")  # by the keyboard: nobody needs a mouse
        expect(explorer.locator(".widget-readout")).to_have_text(str(k + 1))
        expect(picture).not_to_have_attribute("src", before[1], timeout=60_000)
        expect(picture).to_have_attribute("alt", f"class sizes of Mondrian with k = {k + 1}")
        assert numbers.inner_text() != before[0]

        before = (numbers.inner_text(), picture.get_attribute("src"))
        explorer.get_by_label("method").select_option("LocalSuppression")
        expect(picture).to_have_attribute("alt", f"class sizes of LocalSuppression with k = {k + 1}", timeout=60_000)
        assert picture.get_attribute("src") != before[1]
        assert numbers.inner_text() != before[0]

        explorer.get_by_label("attack").select_option("HomogeneityAttack")
        expect(numbers).to_contain_text("success of HomogeneityAttack", timeout=60_000)

        explorer.get_by_role("button", name="Export").focus()
        page.keyboard.press("Enter")
        expect(explorer.get_by_text("Written: ")).to_be_visible(timeout=60_000)
        numbers.scroll_into_view_if_needed()
        page.screenshot(path=_screenshot(f"{name}-after"))
        published = pd.read_csv(lab.folder / f"LocalSuppression-k{k + 1}.csv", dtype=str)
        report = (lab.folder / f"LocalSuppression-k{k + 1}-report.html").read_text(encoding="utf-8")
        assert len(published) > 0
        assert f"LocalSuppression with k = {k + 1}" in report
        assert notebook.errors == []
        assert notebook.outside == []


def _screenshot(name: str) -> Path:
    """For a person to look at; the folder is not part of the repository."""
    folder = ROOT / "reports" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{name}.png"
