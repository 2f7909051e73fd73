"""A player of steps by mouse and by keyboard: in the lab with a kernel, in a report without one, and on paper."""

from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from playwright.sync_api import expect

from anonnb import reports

PATIENCE = 60_000  # milliseconds, on a busy machine
SHOTS = Path(__file__).parents[2] / "reports" / "screenshots"
CELL = """import pandas as pd
from anonnb import load, widgets
from anonnb.methods import Samarati
run = Samarati(k=5).steps(load("survey"))
widgets.play(run)"""

pytestmark = pytest.mark.browser


def notebook_with_a_player(path):
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    cells = [
        new_markdown_cell("# Steps\n\nA search, step by step."),
        new_code_cell(CELL),
        new_code_cell("print('done')"),
    ]
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": kernel}), path)


def test_a_player_in_the_lab(lab):
    notebook_with_a_player(lab.folder / "player.ipynb")
    with lab.open("player.ipynb") as notebook:
        notebook.run_all()
        assert notebook.failed_cells() == []
        page, player = notebook.page, notebook.page.locator(".anonnb-player")
        title, picture = player.locator(".anonnb-title"), player.locator(".anonnb-picture")
        expect(title).to_contain_text("Step 1 of 13: ", timeout=PATIENCE)
        _screenshot(page, player, "player-lab")
        seen = [picture.get_attribute("src")]

        player.get_by_role("button", name="Forward").click()
        expect(title).to_contain_text("Step 2 of 13: ", timeout=PATIENCE)
        seen.append(picture.get_attribute("src"))
        player.get_by_role("button", name="Last").press("Enter")
        expect(title).to_contain_text("Step 13 of 13: The release", timeout=PATIENCE)
        seen.append(picture.get_attribute("src"))

        player.locator(".noUi-handle").focus()
        page.keyboard.press("Home")
        expect(title).to_contain_text("Step 1 of 13: ", timeout=PATIENCE)
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        expect(title).to_contain_text("Step 3 of 13: ", timeout=PATIENCE)
        expect(player.locator(".anonnb-candidates")).to_contain_text("✓")
        _screenshot(page, player, "player-lab-3")
        assert len(set(seen)) == 3

        player.get_by_label("speed").select_option("fourfold")
        player.locator(".widget-play button").first.press("Enter")
        expect(title).to_contain_text("Step 13 of 13: The release", timeout=PATIENCE)
        _screenshot(page, player, "player-lab-end")
        assert notebook.errors == []
        assert notebook.outside == []


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """A report with a player, made as `anonnb report` makes it."""
    folder = tmp_path_factory.mktemp("player")
    notebook_with_a_player(folder / "player.ipynb")
    reports.run([folder / "player.ipynb"], out=folder / "out", progress=False)
    return (folder / "out" / "player.html").as_uri()


@pytest.mark.parametrize("width", [1280, 400])
def test_a_player_in_a_report_without_a_kernel(browser, report, width):
    context = browser.new_context(offline=True, viewport={"width": width, "height": 900})
    page = context.new_page()
    troubles = []
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.goto(report)
    player = page.locator(".anonnb-frames")
    shown = player.locator(".anonnb-frame:visible")
    expect(shown.locator(".anonnb-title")).to_contain_text("Step 1 of 13: ")
    _screenshot(page, player, f"player-report-{width}")
    player.get_by_role("button", name="Forward").click()
    expect(shown.locator(".anonnb-title")).to_contain_text("Step 2 of 13: ")
    player.focus()
    page.keyboard.press("End")
    expect(shown.locator(".anonnb-title")).to_contain_text("Step 13 of 13: The release")
    page.keyboard.press("Home")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(shown.locator(".anonnb-title")).to_contain_text("Step 3 of 13: ")
    expect(shown.locator(".anonnb-candidates")).to_contain_text("✓")
    _screenshot(page, player, f"player-report-{width}-3")
    player.get_by_label("speed").select_option("fourfold")
    player.get_by_role("button", name="Play").press("Enter")
    expect(shown.locator(".anonnb-title")).to_contain_text("Step 13 of 13: The release", timeout=30_000)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert troubles == []
    context.close()


def test_tab_reaches_every_control_of_a_player_in_a_report(browser, report):
    page = browser.new_context(offline=True).new_page()
    page.goto(report)
    player = page.locator(".anonnb-frames")
    player.focus()
    buttons, fields = ["First", "Back", "Play", "Forward", "Last"], [("slider", "step"), ("combobox", "speed")]
    named = [("button", name) for name in buttons] + fields + [("region", "Table")]
    named += [("button", name) for name in ("chosen", "candidate", "from the middle")]  # they sort the table
    for role, name in named:
        page.keyboard.press("Tab")
        control = player.get_by_role(role, name=name, exact=True)
        expect(control).to_be_focused()
        assert control.evaluate("control => getComputedStyle(control).outlineStyle") != "none", name
    page.context.close()


def test_a_report_shows_each_step_for_three_seconds_at_normal_speed(browser, report):
    page = browser.new_context(offline=True).new_page()
    page.clock.install()
    page.goto(report)
    player = page.locator(".anonnb-frames")
    player.get_by_role("button", name="Play").press("Enter")
    for speed, milliseconds, first in [("normal", 3000, 1), ("double", 1500, 3)]:
        player.get_by_label("speed").select_option(speed)
        page.clock.run_for(milliseconds)  # the step under way keeps the speed it began with
        for step in (first + 1, first + 2):
            expect(player.locator(".anonnb-title:visible")).to_contain_text(f"Step {step} of 13: ")
            page.clock.run_for(milliseconds - 100)
            expect(player.locator(".anonnb-title:visible")).to_contain_text(f"Step {step} of 13: ")
            page.clock.run_for(100)
    page.context.close()


def test_without_scripts_and_on_paper_a_strip_of_steps_shows(browser, report):
    context = browser.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    page.goto(report)
    titles = page.locator(".anonnb-frame:visible .anonnb-title")
    assert [text.split(":")[0] for text in titles.all_inner_texts()] == [
        "Step 1 of 13",
        "Step 5 of 13",
        "Step 9 of 13",
        "Step 13 of 13",
    ]
    page.emulate_media(media="print")
    assert titles.count() == 4
    expect(page.locator(".anonnb-controls")).to_be_hidden()
    context.close()


def _screenshot(page, part, name):
    """For a person to look at; the folder is not part of the repository."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    part.evaluate("element => element.scrollIntoView({block: 'start'})")
    page.screenshot(path=SHOTS / f"{name}.png")
