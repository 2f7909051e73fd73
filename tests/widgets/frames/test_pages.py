"""The HTML of frames: the first shows without a script, and what comes from data is text."""

from html.parser import HTMLParser

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from anonnb.widgets.frames.frame import Frame, captured, captured_or_why
from anonnb.widgets.frames.grids import Budget, grown
from anonnb.widgets.frames.moving import script
from anonnb.widgets.frames.pages import explored, played
from anonnb.widgets.frames.pictures import Picture

HOSTILE = """"'><script>alert(1)</script><img src=x onerror=alert(2)>{{ 7 * 7 }}"""


class Elements(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.found, self.texts = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.texts.append(data)

    def having(self, **wanted):
        return [a for _, a in self.found if all(a.get(k.replace("_", "-")) == v for k, v in wanted.items())]


def page_of(options, start, kinds, most=60):
    drawn = grown(lambda values: Frame(text=str(values)), options, start, Budget(frames=most))
    return explored(drawn, start, kinds)


def test_the_first_frame_shows_and_the_controls_wait_for_the_script():
    page = Elements(page_of({"k": range(2, 5), "strict": (True, False)}, {"k": 3, "strict": False}, KINDS))
    frames = [attrs for _, attrs in page.found if attrs.get("class") == "anonnb-frame"]
    assert len(frames) == 6
    assert frames[0]["data-at"] == "1 1"
    assert ["hidden" in frame for frame in frames] == [False] + [True] * 5
    assert "hidden" in page.having(**{"class": "anonnb-controls"})[0]
    slider = page.having(type="range")[0]
    assert (slider["min"], slider["max"], slider["value"], slider["data-labels"]) == ("0", "2", "1", '["2", "3", "4"]')
    assert "checked" not in page.having(type="checkbox")[0]


KINDS = {"k": "slider", "strict": "check"}


@pytest.mark.parametrize("kind", ["menu", "slider"])
def test_hostile_names_values_and_texts_stay_text(kind):
    picture = Picture(b"png", 1, 1, caption=HOSTILE, alt=HOSTILE)
    frame = Frame(title=HOSTILE, text=HOSTILE, pictures=(picture,))
    options = {HOSTILE: [HOSTILE, "b"]}
    drawn = grown(lambda values: frame, options, {HOSTILE: HOSTILE}, Budget())
    for text in (explored(drawn, {HOSTILE: HOSTILE}, {HOSTILE: kind}), played([frame, frame], label=HOSTILE)):
        page = Elements(text)
        assert "script" not in [tag for tag, _ in page.found]
        assert not [attrs for _, attrs in page.found if any(name.startswith("on") for name in attrs)]
        assert {attrs["alt"] for tag, attrs in page.found if tag == "img"} == {HOSTILE}
        assert HOSTILE in page.texts


def test_a_player_has_its_buttons_and_a_strip_without_script():
    page = Elements(played([Frame(title=f"step {place}") for place in range(10)]))
    assert [attrs["data-go"] for tag, attrs in page.found if tag == "button"] == [
        "first",
        "back",
        "play",
        "forward",
        "last",
    ]
    shown = [
        attrs["data-at"] for _, attrs in page.found if attrs.get("class") == "anonnb-frame" and "hidden" not in attrs
    ]
    assert shown == ["0", "3", "6", "9"]
    with pytest.raises(ValueError, match="nothing to play"):
        played([])


@pytest.mark.parametrize(
    "word", ["fetch", "eval(", "Function(", "innerHTML", "XMLHttpRequest", "import(", "http", "</"]
)
def test_the_script_asks_for_nothing_and_makes_no_code_of_texts(word):
    assert word not in script()


def plotted(title, show=False):
    ax = plt.subplots(figsize=(2, 1))[1]
    ax.set_title(title)
    if show:
        plt.show()
    return ax


@pytest.mark.parametrize("show", [True, False])
def test_figures_are_kept_whether_shown_or_not_and_closed(show):
    before = plt.get_fignums()
    frame = captured(lambda: (print("two figures"), plotted("a", show), plotted("b", show)))
    assert [picture.caption for picture in frame.pictures] == ["a", "b"]
    assert frame.text == "two figures"
    assert plt.get_fignums() == before


def test_a_returned_table_is_shown_and_its_values_are_text():
    frame = captured(lambda: pd.DataFrame({"a": ["<script>alert(1)</script>"]}))
    assert "&lt;script&gt;" in frame.tables[0]
    assert "<script" not in frame.tables[0]
    assert captured(lambda: plotted("Axes are no table")).tables == ()


def test_a_choice_that_cannot_be_had_says_why():
    def draw():
        plotted("half a figure")
        raise ValueError("k = 9 needs at least 9 rows")

    before = plt.get_fignums()
    assert captured_or_why(draw).text == "Not possible with these values: k = 9 needs at least 9 rows"
    assert plt.get_fignums() == before
    with pytest.raises(ValueError, match="k = 9"):
        captured(draw)
