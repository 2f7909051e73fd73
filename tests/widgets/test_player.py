"""The player without a browser: its state, its panel, and the HTML that a report keeps."""

import re

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from IPython.display import HTML

from anonnb import steps, widgets
from anonnb.steps import Step, Steps
from anonnb.widgets.controls import BATCH_VARIABLE, FRAMES_VARIABLE
from anonnb.widgets.frames.grids import Budget
from anonnb.widgets.panel import PlayerPanel
from anonnb.widgets.player import MIN_STORED, Player, candidates_html

HOSTILE = '<img src=x onerror="alert(1)">'


def halving(start):
    while start > 1:
        scores = pd.DataFrame({"left": [start // 2, start - 1]}, index=["halve", "count down"])
        steps.note(f"Halve {start}", f"{start} is more than 1.", pd.DataFrame({"n": [start]}), scores, ["halve"])
        start //= 2
    return pd.DataFrame({"n": [start]})


@pytest.fixture
def run():
    return steps.of(halving, 16)


@pytest.fixture
def batch(monkeypatch):
    monkeypatch.setenv(BATCH_VARIABLE, "1")
    monkeypatch.setenv(FRAMES_VARIABLE, "0")


@pytest.fixture
def report(batch, monkeypatch):
    monkeypatch.setenv(FRAMES_VARIABLE, "1")


@pytest.fixture(autouse=True)
def _close(monkeypatch):
    """No figure open before, whatever ran in this process earlier, and none left behind."""
    monkeypatch.delenv(BATCH_VARIABLE, raising=False)
    plt.close("all")
    yield
    plt.close("all")


# ---- state -----------------------------------------------------------------------------------------------------------


def test_a_player_goes_back_and_forth_and_stays_within_the_run(run):
    player = Player(run)
    seen = []
    for move in ("back", "forward", "forward", "last", "forward", "first", 3, 99, -5):
        player.go(move)
        seen.append(player.position)
    assert seen == [0, 1, 2, 4, 4, 0, 3, 4, 0]
    with pytest.raises(
        ValueError, match="a player cannot go 'up'; choose from first, back, forward, last, or a number"
    ):
        player.go("up")


def test_a_frame_has_number_title_sentence_picture_and_candidates(run):
    player = Player(run)
    player.go(1)
    frame = player.frame
    assert frame.title == player.heading == "Step 2 of 5: Halve 8"
    assert frame.text == "8 is more than 1."
    assert frame.pictures[0].alt == "A table of 1 row: n. Changed: n of 0 is 8."
    assert "<td>✓</td>" in frame.tables[0]
    assert player.frame is frame, "a frame is drawn once"
    assert plt.get_fignums() == [], "and no cell shows its figure"


def test_what_is_no_run_is_refused():
    for given, name in (("text", "str"), (7, "int"), (pd.DataFrame(), "DataFrame")):
        with pytest.raises(TypeError, match=rf"such as method.steps\(table\), not {name}"):
            Player(given)
    with pytest.raises(TypeError, match="among these is a int"):
        Player([1])
    with pytest.raises(ValueError, match="there are no steps"):
        Player([])


def test_chosen_candidates_are_seen_among_very_many():
    scores = pd.DataFrame({"score": range(100)}, index=[f"c{n}" for n in range(100)])
    page = candidates_html(Step("Take c77", "It is the best.", None, scores, ["c77"], left_out=5))
    assert re.search(r"<td>✓</td><th[^>]*>c77</th><td>77</td>", page)
    assert page.count("<tr") == 21
    assert "… and 85 more" in page


# ---- in a batch ------------------------------------------------------------------------------------------------------


def test_a_report_keeps_every_step(run, report):
    page = widgets.play(run)
    assert isinstance(page, HTML)
    assert page.data.count('class="anonnb-frame"') == 5
    for number, title in enumerate(["Halve 16", "Halve 8", "Halve 4", "Halve 2", "The result"], 1):
        assert f"Step {number} of 5: {title}" in page.data
    assert page.data.count("✓</td>") == 4
    assert len(re.findall(r'alt="[^"]+"', page.data)) == 5
    # without a script the first frame shows, and on paper a strip
    frames = re.findall(r'<div class="anonnb-frame"[^>]*>', page.data)
    assert "hidden" not in frames[0]
    assert sum("data-strip" in frame for frame in frames) == 4


@pytest.mark.slow
def test_a_long_run_is_thinned_evenly_and_says_so(report):
    run = steps.of(halving, 2**59)
    player = Player(run)
    kept = player.stored(Budget(frames=60, size=1e9, seconds=0))
    assert len(kept) == MIN_STORED
    assert kept[0].title == "Step 1 of 60 (12 shown): Halve 576,460,752,303,423,488".replace(",", "")
    assert kept[-1].title == "Step 60 of 60 (12 shown): The result"
    assert len(player.stored(Budget(frames=3, size=1e9, seconds=9))) == 3


def test_what_is_marked_in_a_thinned_run_is_new_since_the_frame_before():
    lines = [Step("One more", "It grows.", pd.DataFrame({"n": range(n)}), number=n) for n in range(1, 8)]
    kept = Player(lines).stored(Budget(frames=3, size=1e9, seconds=9))
    assert [frame.pictures[0].alt for frame in kept][1:] == [
        "A table of 4 rows: n. New: 1, 2, 3.",
        "A table of 7 rows: n. New: 4, 5, 6.",
    ]


def test_values_are_text_and_nothing_else(report):
    scores = pd.DataFrame({HOSTILE: [HOSTILE]}, index=[HOSTILE])
    state = pd.DataFrame({HOSTILE: [HOSTILE]}, index=[HOSTILE])
    run = Steps([Step(HOSTILE, HOSTILE, state, scores, [HOSTILE])])
    page = widgets.play(run).data
    assert "<img src=x" not in page
    assert page.count("&lt;img src=x") >= 5


# ---- in the lab ------------------------------------------------------------------------------------------------------


def test_the_panel_follows_buttons_slider_and_speed(run):
    panel = widgets.play(run)
    assert isinstance(panel, PlayerPanel)
    assert "Step 1 of 5: Halve 16" in panel.heading.value
    assert _idle(panel) == ["first", "back"]
    pictures = {panel.picture.value}
    panel.buttons["forward"].click()
    pictures.add(panel.picture.value)
    assert "Step 2 of 5: Halve 8" in panel.heading.value
    assert (panel.slider.value, panel.play.value) == (2, 2)
    panel.slider.value = 4
    assert "Step 4 of 5: Halve 2" in panel.heading.value
    assert "✓" in panel.candidates.value
    panel.play.value = 5  # what the browser does while it plays
    pictures.add(panel.picture.value)
    assert "Step 5 of 5: The result" in panel.heading.value
    assert panel.candidates.value == ""
    assert _idle(panel) == ["forward", "last"]
    assert len(pictures) == 3
    panel.speed.value = "double"
    assert panel.play.interval == 1500
    panel.buttons["first"].click()
    assert panel.slider.value == 1
    assert not any(button.disabled for button in panel.buttons.values()), "a disabled button loses the focus"


def _idle(panel):
    return [name for name, button in panel.buttons.items() if "anonnb-idle" in button._dom_classes]


def test_a_step_shows_for_three_seconds_or_as_many_as_asked(run, monkeypatch):
    assert widgets.play(run).play.interval == 3000
    assert widgets.play(run, seconds=5).play.interval == 5000
    for seconds in (0, -1, float("inf"), "3", True):
        with pytest.raises(ValueError, match="give a number above 0: how long each step shows"):
            widgets.play(run, seconds=seconds)
    monkeypatch.setenv(BATCH_VARIABLE, "1")
    monkeypatch.setenv(FRAMES_VARIABLE, "1")
    assert 'data-milliseconds="5000"' in widgets.play(run, seconds=5).data


def test_the_panel_shows_values_as_text():
    scores = pd.DataFrame({"score": [1]}, index=[HOSTILE])
    panel = widgets.play([Step(HOSTILE, HOSTILE, pd.DataFrame({HOSTILE: [HOSTILE]}), scores, [HOSTILE])])
    for part in (panel.heading, panel.picture, panel.candidates):
        assert "<img src=x" not in part.value
