"""Keys in the lab: Tab reaches every control of a panel, each has a name, and its keys do not command the notebook."""

from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import expect

DATA = Path(__file__).parent / "data"

PATIENCE = 60_000  # milliseconds, on a busy machine
CELLS = [
    """import pandas as pd
from anonnb import load, widgets
from anonnb.methods import Samarati
from anonnb.publishing.own_table import OwnTable
widgets.explore(lambda k, letter, sure: print(k, letter, sure), k=range(2, 9), letter=list("abdx"), sure=True)""",
    'widgets.play(Samarati(k=5).steps(load("survey")))',
    'widgets.explorer("survey")',
    'widgets.own_table(OwnTable(pd.DataFrame({"age": [30, 40], "sex": ["F", "M"]})))',
    "print('the end')",
]
NOTEBOOK = "jupyterapp.shell.currentWidget"
CELLS_NOW = f"() => {NOTEBOOK}.content.widgets.map(cell => cell.model.sharedModel.getSource())"
ACTIVE_CELL = f"() => {NOTEBOOK}.content.activeCellIndex"
UNSAVED = f"() => {NOTEBOOK}.context.model.dirty"
# True as soon as the focus stays there: the lab may still be scrolling back, and takes it away then.
FOCUS_ON_THE_FIRST_CELL = f"""() => {{
  {NOTEBOOK}.content.activeCellIndex = 0;
  const cell = {NOTEBOOK}.content.activeCell.node;
  if (document.activeElement === cell && cell.querySelector(".anonnb-panel select")) return true;
  cell.focus();
  return false;
}}"""
# What has the focus, if it is in a panel: what a reader aloud calls it, and the line around it.
FOCUSED = (DATA / "focused.js").read_text(encoding="utf-8")
EXPLORED = ["k", "k", "letter", "sure"]
PLAYED = ["First", "Back", "Play or pause", "Stop", "Forward", "Last", "step", "step", "speed"]
EXPLORER = ["table", "method", "k", "k", "require", "attack", "picture", "column", "hierarchy of the column", "Export"]

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def notebook(lab):
    """A notebook with every panel there is."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    cells = [new_code_cell(cell) for cell in CELLS]
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": kernel}), lab.folder / "keys.ipynb")
    with lab.open("keys.ipynb") as opened:
        opened.run_all()
        assert opened.failed_cells() == []
        expect(opened.page.locator(".anonnb-explorer .anonnb-rows")).to_be_visible(timeout=PATIENCE)
        expect(opened.page.locator(".anonnb-own-table select")).to_have_count(2, timeout=PATIENCE)
        yield opened
        assert opened.page.evaluate(CELLS_NOW) == CELLS
        assert opened.errors == []
        assert opened.outside == []


@pytest.fixture
def page(notebook):
    notebook.page.wait_for_function(FOCUS_ON_THE_FIRST_CELL, polling=300, timeout=PATIENCE)
    return notebook.page


def test_tab_reaches_every_control_and_each_has_a_name_and_a_line_around_it(page):
    reached = []
    for _ in range(60):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused is not None:
            reached.append(focused)
        elif reached:
            break  # before the first panel there are the buttons of the active cell, as soon as the lab has made them
    names = [name for name, *_ in reached]
    assert names[:23] == EXPLORED + PLAYED + EXPLORER
    assert names[23].startswith("The gate lets it pass")
    assert names[24].startswith("The published rows")
    assert names[25].startswith("Upload a table")
    assert names[26:] == ["age", "sex"]
    assert {(style, width) for _, style, width in reached} == {("solid", "2px")}


def test_arrows_and_letters_choose_in_a_menu_and_leave_the_cells_alone(page):
    panel = page.locator(".anonnb-panel").first
    panel.locator("select").focus()
    for key, letter in [*_arrows("ArrowDown", "bdx"), *_arrows("ArrowUp", "dba"), ("End", "x"), ("Home", "a")]:
        page.keyboard.press(key)
        expect(panel.locator(".widget-output")).to_have_text(f"2 {letter} True", timeout=PATIENCE)
    for letter in "xbad":  # cut, below, above, delete: the notebook's commands
        page.keyboard.press(letter)
        expect(panel.locator(".widget-output")).to_have_text(f"2 {letter} True", timeout=PATIENCE)
        page.wait_for_timeout(1100)  # else a menu takes two letters for the start of one word
    assert page.evaluate(CELLS_NOW) == CELLS
    assert page.evaluate(ACTIVE_CELL) == 0


def test_keys_that_belong_to_the_lab_still_reach_it_from_a_menu(page):
    menu = page.locator(".anonnb-panel select").first
    page.evaluate(f"() => {{ {NOTEBOOK}.context.model.dirty = true; }}")
    menu.press("ArrowDown")
    menu.press("Control+s")
    page.wait_for_function(f"() => !({UNSAVED})()", timeout=PATIENCE)
    menu.press("Shift+Enter")
    page.wait_for_function(f"() => ({ACTIVE_CELL})() === 1", timeout=PATIENCE)


def test_sliders_boxes_and_buttons_obey_their_keys(page):
    panel = page.locator(".anonnb-panel").first
    output, player = panel.locator(".widget-output"), page.locator(".anonnb-player")
    panel.locator("select").press("Home")
    slider = panel.locator(".noUi-handle")
    for key, k in [("ArrowRight", 3), ("ArrowUp", 4), ("ArrowDown", 3), ("End", 8), ("Home", 2)]:
        slider.press(key)
        expect(output).to_have_text(f"{k} a True", timeout=PATIENCE)
    for sure in (False, True):
        panel.locator(".widget-checkbox input").press("Space")
        expect(output).to_have_text(f"2 a {sure}", timeout=PATIENCE)
    forward, heading = player.get_by_role("button", name="Forward"), player.locator(".anonnb-title")
    for key, step in [("Space", 2), ("Enter", 3)]:
        forward.press(key)
        expect(heading).to_contain_text(f"Step {step} of 13: ", timeout=PATIENCE)
    player.get_by_label("speed").press("ArrowDown")
    expect(player.get_by_label("speed")).to_have_value("double")


def test_a_button_into_the_last_or_first_step_keeps_the_focus(page):
    player = page.locator(".anonnb-player")
    handle, heading = player.get_by_role("slider"), player.locator(".anonnb-title")
    for end, button, opposite, step in [("End", "Forward", "Back", 13), ("Home", "Back", "Forward", 1)]:
        handle.press(end)
        expect(heading).to_contain_text(f"Step {step} of 13: ", timeout=PATIENCE)
        player.get_by_role("button", name=opposite, exact=True).press("Enter")
        expect(heading).not_to_contain_text(f"Step {step} of 13: ", timeout=PATIENCE)
        pressed = player.get_by_role("button", name=button, exact=True)
        expect(pressed).to_have_attribute("aria-disabled", "false", timeout=PATIENCE)
        pressed.press("Enter")
        expect(heading).to_contain_text(f"Step {step} of 13: ", timeout=PATIENCE)
        expect(pressed).to_have_attribute("aria-disabled", "true", timeout=PATIENCE)
        expect(pressed).to_be_focused()


def test_arrows_scroll_the_rows_that_tab_has_reached(page):
    rows = page.locator(".anonnb-explorer .anonnb-rows")
    rows.press("ArrowDown")
    page.wait_for_function("rows => rows.scrollTop > 0", arg=rows.element_handle(), timeout=PATIENCE)
    assert page.evaluate(ACTIVE_CELL) == 2


def test_letters_in_a_text_box_are_text(page):
    box = page.get_by_label("hierarchy of the column")
    box.press_sequentially("abddx")
    expect(box).to_have_value("abddx")


def _arrows(key: str, letters: str) -> list[tuple[str, str]]:
    return [(key, letter) for letter in letters]
