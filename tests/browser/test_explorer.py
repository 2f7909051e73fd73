"""The explorer and the upload in a real lab: what is shown follows what is chosen, and nothing leaves the machine."""

import shutil
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import expect

ROOT = Path(__file__).parents[2]
PATIENCE = 60_000  # milliseconds, on a busy machine

pytestmark = pytest.mark.browser


def test_the_explorer_answers_and_exports(lab):
    """By the keyboard where a person without a mouse would need it."""
    with _opened(lab, "00_start_here") as notebook:
        page = notebook.page
        notebook.run_all()
        assert notebook.failed_cells() == []
        explorer = page.locator(".anonnb-explorer")
        numbers, picture = explorer.locator(".anonnb-numbers"), explorer.locator(".anonnb-picture")
        expect(numbers).to_contain_text("k reached", timeout=PATIENCE)
        _screenshot(page, explorer, "00_start_here-before")

        before = (numbers.inner_text(), picture.get_attribute("src"))
        explorer.locator(".widget-slider .noUi-handle").focus()
        for _ in range(5):  # a storm: the last state counts
            page.keyboard.press("ArrowRight")
        expect(explorer.locator(".widget-readout")).to_have_text("15")
        expect(picture).to_have_attribute("alt", "class sizes of FullDomain with k = 15 on adult", timeout=PATIENCE)
        assert picture.get_attribute("src") != before[1]
        assert numbers.inner_text() != before[0]

        before = (numbers.inner_text(), picture.get_attribute("src"))
        explorer.get_by_label("method").select_option("TopDown")
        expect(picture).to_have_attribute("alt", "class sizes of TopDown with k = 15 on adult", timeout=PATIENCE)
        explorer.get_by_label("column", exact=True).select_option("education")
        explorer.get_by_label("picture").select_option("hierarchy cut")
        expect(picture).to_have_attribute("alt", "hierarchy cut of TopDown with k = 15 on adult", timeout=PATIENCE)
        assert picture.get_attribute("src") != before[1]
        assert numbers.inner_text() != before[0]
        _screenshot(page, explorer, "00_start_here-cut")

        explorer.get_by_label("method").select_option("Forest")  # takes seconds: a bar shows that it works
        expect(explorer.locator("progress")).to_be_visible(timeout=PATIENCE)
        explorer.get_by_label("table").select_option("survey")  # and another choice drops it
        expect(explorer.locator(".anonnb-rows")).to_contain_text("of 66", timeout=PATIENCE)
        explorer.get_by_label("attack").select_option("HomogeneityAttack")
        expect(numbers).to_contain_text("HomogeneityAttack: success", timeout=PATIENCE)

        _tab_to(page, explorer.get_by_role("button", name="Export"))
        page.keyboard.press("Enter")
        expect(explorer.get_by_text("Written to ")).to_be_visible(timeout=PATIENCE)
        _screenshot(page, explorer, "00_start_here-after")
        published = pd.read_csv(lab.folder / "survey-Forest-k15.csv", dtype=str)
        report = (lab.folder / "survey-Forest-k15-report.html").read_text(encoding="utf-8")
        assert len(published) > 0
        assert "survey: Forest with k = 15" in report
        assert notebook.errors == []
        assert notebook.outside == []


def test_an_uploaded_table_goes_through_the_notebook(lab):
    with _opened(lab, "50_your_own_data") as notebook:
        page = notebook.page
        notebook.run_above("table = own.table")
        panel = page.locator(".anonnb-own-table")
        expect(panel.get_by_role("status")).to_contain_text("example: ", timeout=PATIENCE)
        _screenshot(page, panel, "50_your_own_data-example")

        _upload(panel, "broken.csv", b"age,zip\n30,01234\n40\n")
        expect(panel.get_by_role("alert")).to_contain_text("broken.csv, line 3: 1 fields, but the header has 2")
        _upload(panel, "people.csv", _people())
        expect(panel.get_by_role("status")).to_contain_text("people.csv: ", timeout=PATIENCE)
        expect(panel.get_by_label("member")).to_have_value("identifier")
        expect(panel.get_by_label("illness")).to_have_value("sensitive")
        panel.get_by_label("shoe").focus()
        page.keyboard.press("l")  # "left out", as in any menu
        expect(panel.get_by_role("status")).not_to_contain_text("shoe")
        _screenshot(page, panel, "50_your_own_data-upload")

        notebook.run_below("table = own.table")
        assert notebook.failed_cells() == []
        explorer = page.locator(".anonnb-explorer")
        expect(explorer.locator(".anonnb-rows")).to_contain_text("of 120", timeout=PATIENCE)
        explorer.get_by_label("picture").select_option("boxes")
        picture = explorer.locator(".anonnb-picture")
        expect(picture).to_have_attribute("alt", "boxes of Mondrian with k = 5 on people.csv", timeout=PATIENCE)
        _screenshot(page, explorer, "50_your_own_data-boxes")
        explorer.get_by_role("button", name="Export").click()
        expect(explorer.get_by_text("Written to ")).to_be_visible(timeout=PATIENCE)
        published = pd.read_csv(lab.folder / "people-Mondrian-k5.csv", dtype=str)
        assert list(published.columns) == ["zip", "age", "illness"]
        assert published.groupby(["zip", "age"]).size().min() >= 5
        assert not list(lab.folder.rglob("people.csv"))  # the upload itself is written nowhere
        assert notebook.errors == []
        assert notebook.outside == []


def _opened(lab, name: str):
    shutil.copy(ROOT / "notebooks" / f"{name}.ipynb", lab.folder)
    return lab.open(f"{name}.ipynb")


def _people() -> bytes:
    """120 people; semicolons, an umlaut in Windows-1252 and ZIP codes with a leading zero."""
    lines = [
        f"m{row};0{1234 + row % 3};{20 + row * 7 % 40};{36 + row % 9};{['Erkältung', 'flu', 'asthma'][row % 3]}"
        for row in range(120)
    ]
    return "\n".join(["member;zip;age;shoe;illness", *lines]).encode("cp1252")


def _upload(panel, name: str, raw: bytes) -> None:
    with panel.page.expect_file_chooser() as chooser:
        panel.get_by_role("button", name="Upload a table").press("Enter")
    chooser.value.set_files({"name": name, "mimeType": "text/csv", "buffer": raw})


def _tab_to(page, target) -> None:
    """Reach a control by the Tab key alone, from the slider on."""
    page.locator(".anonnb-explorer .widget-slider .noUi-handle").focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        if target.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError("the Tab key does not reach the control")


def _screenshot(page, part, name: str) -> None:
    """For a person to look at; the folder is not part of the repository."""
    folder = ROOT / "reports" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    part.evaluate("element => element.scrollIntoView({block: 'start'})")
    page.screenshot(path=folder / f"{name}.png")
