"""What moves in a notebook in the lab moves by mouse and by keyboard, and each move changes what is shown."""

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
PATIENCE = 60_000  # milliseconds, on a busy machine
# sliders over a range and over a list, a menu, a cell that only prints; each move changes a number that is shown
MOVING = [
    "08_decision_trees",
    "61_variable_precision_and_missing_values",
    "25_perturbation",
    "42_three_routes",
    "44_chase_experiment",
]
# Pictures and words, without the frame around them, whose style changes by itself; nothing while a picture still loads,
# which would push the next control away from under the mouse.
SHOWN = """output => {
  const parts = [...output.querySelectorAll("img, pre")];
  return parts.every(part => part.complete ?? true) ? parts.map(part => part.src ?? part.textContent).join() : "";
}"""
CHANGED = f"([output, before]) => !['', before].includes(({SHOWN})(output))"

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("name", MOVING)
def test_every_control_changes_what_is_shown(lab, name):
    shutil.copy(NOTEBOOKS / f"{name}.ipynb", lab.folder)
    with lab.open(f"{name}.ipynb") as notebook:
        notebook.run_all()
        assert notebook.failed_cells() == []
        root = notebook.page.locator(".widget-vbox:has(> .widget-output)").first
        root.scroll_into_view_if_needed()
        controls = root.locator(".widget-slider, .widget-dropdown select, .widget-checkbox input")
        expect(controls.first).to_be_visible(timeout=PATIENCE)
        for control in reversed(controls.all()):  # menus first: at the end of a slider some of them change nothing
            for move in (_by_keyboard, _by_mouse):
                output = root.locator(".widget-output")
                notebook.page.wait_for_function(CHANGED, arg=[output.element_handle(), ""], timeout=PATIENCE)
                before = output.evaluate(SHOWN)
                move(notebook.page, control)
                notebook.page.wait_for_function(CHANGED, arg=[output.element_handle(), before], timeout=PATIENCE)
        assert notebook.failed_cells() == []
        assert notebook.errors == []
        assert notebook.outside == []


def _by_keyboard(page, control) -> None:
    kind = control.evaluate("control => control.type ?? 'slider'")
    if kind == "checkbox":
        control.press("Space")
    elif kind == "select-one":
        control.press("ArrowDown" if control.evaluate("menu => menu.selectedIndex") == 0 else "ArrowUp")
    else:
        handle = control.locator(".noUi-handle")
        at_the_end = handle.get_attribute("aria-valuenow") == handle.get_attribute("aria-valuemax")
        handle.press("ArrowLeft" if at_the_end else "ArrowRight")


def _by_mouse(page, control) -> None:
    kind = control.evaluate("control => control.type ?? 'slider'")
    if kind == "checkbox":
        control.click()
    elif kind == "select-one":
        control.select_option(index=(control.evaluate("menu => menu.selectedIndex") + 1) % 2)
    else:
        handle, track = control.locator(".noUi-handle"), control.locator(".noUi-base")
        width = track.bounding_box()["width"]
        low = float(handle.get_attribute("aria-valuenow")) * 2 < float(handle.get_attribute("aria-valuemax"))
        track.click(position={"x": width * (0.95 if low else 0.05), "y": 2}, force=True)
