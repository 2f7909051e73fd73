"""Notebooks in the lab: they run, a failing cell is seen, reports open without it, and nothing leaves the machine."""

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"

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
