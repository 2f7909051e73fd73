"""Notebooks in the lab: they run, what moves there moves by mouse and by keyboard, and nothing leaves the machine."""

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
PATIENCE = 60_000  # milliseconds, on a busy machine
# sliders over a range and over a list, a menu, a cell that only prints; each move changes a number that is shown
MOVING = ["08_decision_trees", "09_incomplete_tables", "25_perturbation", "42_three_routes", "44_chase_experiment"]
# A picture that is still loading would push the next control away from under the mouse.
CHANGED = """([output, before]) => output.innerHTML !== before && output.querySelector("img, pre")
  && [...output.querySelectorAll("img")].every(picture => picture.complete)"""

pytestmark = pytest.mark.browser


def test_the_template_runs_and_its_widget_answers(lab):
    shutil.copy(NOTEBOOKS / "template.ipynb", lab.folder)
    with lab.open("template.ipynb") as notebook:
        notebook.run_all()
        assert notebook.failed_cells() == []
        # The last cell runs after the widget, so the kernel is free to answer it.
        picture = notebook.page.locator(".widget-output img")
        expect(picture).to_be_attached(timeout=30_000)
        before = picture.get_attribute("src")
        notebook.page.locator(".widget-slider .noUi-handle").first.focus()
        notebook.page.keyboard.press("ArrowRight")
        expect(notebook.page.locator(".widget-readout").first).to_have_text("3")
        expect(picture).not_to_have_attribute("src", before, timeout=30_000)
        assert notebook.errors == []
        assert notebook.outside == []


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
        for control in controls.all():
            for move in (_by_keyboard, _by_mouse):
                output = root.locator(".widget-output")
                before = output.inner_html()
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


def test_a_failing_cell_would_be_seen(lab):
    """Without this, the test above could pass because it looks in the wrong place."""
    import nbformat
    from nbformat.v4 import new_code_cell, new_notebook

    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    cells = [new_code_cell("1 / 0")]
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": kernel}), lab.folder / "bad.ipynb")
    with lab.open("bad.ipynb") as notebook:
        notebook.run_all()
        expect(notebook.page.get_by_text("ZeroDivisionError").first).to_be_visible(timeout=30_000)
        assert any("ZeroDivisionError" in text for text in notebook.failed_cells())


def test_reports_open_without_the_lab_or_the_net(browser, tmp_path):
    from anonnb import reports

    reports.run([NOTEBOOKS / "template.ipynb"], out=tmp_path, progress=False)
    context = browser.new_context(offline=True)
    page = context.new_page()
    troubles, requests = [], []
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto((tmp_path / "index.html").as_uri())
    page.get_by_role("link", name="Title: a question or a name").click()
    expect(page.get_by_role("heading", name="The idea")).to_be_visible()
    expect(page.locator("math").first).to_be_visible()
    assert page.locator("img:visible").count() == 2
    assert troubles == []
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []
    context.close()
