"""Pictures are sharp, small and true to their colours."""

import io

import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image

from anonnb.widgets.frames.describing import MAX_LETTERS, alternative_of, caption_of, described
from anonnb.widgets.frames.pictures import packed, picture


def drawn(**options):
    figure, ax = plt.subplots(figsize=(4, 3), dpi=100, **options)
    ax.plot(np.sin(np.linspace(0, 6, 200)), color="#0072B2")
    ax.scatter(range(200), np.cos(np.linspace(0, 6, 200)), c=range(200), cmap="viridis")
    plt.close(figure)
    return figure


def opened(png):
    return Image.open(io.BytesIO(png))


@pytest.mark.parametrize("beyond", [False, True])
def test_the_picture_is_what_matplotlib_saves(beyond):
    figure = drawn()
    if beyond:
        figure.axes[0].annotate("outside", (1.3, 0.5), xycoords="axes fraction")
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=200, bbox_inches="tight", pad_inches=0.1)
    ours, theirs = (opened(png).convert("RGB") for png in (picture(figure).png, file.getvalue()))
    assert all(abs(one - other) <= 2 for one, other in zip(ours.size, theirs.size, strict=True))
    width, height = (min(sizes) for sizes in zip(ours.size, theirs.size, strict=True))
    parts = [np.asarray(image.crop((0, 0, width, height))).astype(int) for image in (ours, theirs)]
    assert np.abs(parts[0] - parts[1]).mean() < 5  # a shift by one pixel
    assert figure.dpi == 100
    assert figure.canvas is not None


def test_packing_takes_half_of_the_bytes_and_no_colour():
    file = io.BytesIO()
    drawn().savefig(file, format="png", dpi=200)
    small = packed(file.getvalue())
    assert len(small) < len(file.getvalue()) / 2
    before, after = (np.asarray(opened(png).convert("RGB")).astype(int) for png in (file.getvalue(), small))
    assert np.abs(before - after).mean() < 0.5
    assert packed(small) == small


def test_a_sharp_picture_can_be_made_plain():
    sharp = picture(drawn())
    plain = packed(sharp.png, sharp.width)
    assert opened(plain).size == (sharp.width, sharp.height)
    assert len(plain) < 0.7 * len(sharp.png)


def test_the_same_figure_is_the_same_bytes():
    assert picture(drawn()).png == picture(drawn()).png


@pytest.fixture
def ax():
    made = plt.figure().subplots()
    yield made
    plt.close(made.figure)


def test_lines_are_told_by_their_ends(ax):
    ax.plot([2, 10, 50], [0.5, 0.25, 0.125], label="Mondrian")
    ax.plot([2, 50], [1, 1], label="_helper")
    ax.set(title="Larger k, less risk", xlabel="k", ylabel="risk (%)", xscale="log", xlim=(1, 100), ylim=(0, 1))
    assert caption_of(ax.figure) == "Larger k, less risk"
    assert alternative_of(ax.figure) == (
        "Larger k, less risk. Line chart; x axis: k, 1 to 100, logarithmic; y axis: risk (%), 0 to 1; "
        "Mondrian from 0.5 at 2 to 0.125 at 50."
    )


def test_points_maps_and_diagrams_have_their_kind(ax):
    ax.scatter([1, 2, 3], [1, 2, 3], label="people")
    assert "Points; " in alternative_of(ax.figure)
    assert "people: 3" in alternative_of(ax.figure)
    ax.imshow(np.zeros((2, 2)))
    assert "Heat map; " in alternative_of(ax.figure)
    ax.clear()
    ax.axis("off")
    ax.text(0, 0, "age < 35?\nyes")
    assert alternative_of(ax.figure) == "Diagram; labels: age < 35? yes."


def test_an_author_can_say_it_better_and_nothing_is_endless(ax):
    ax.set_title("x" * 5000)
    assert len(alternative_of(ax.figure)) == MAX_LETTERS
    described(ax, caption="A finding.", alt="A description.")
    assert (caption_of(ax.figure), alternative_of(ax.figure)) == ("A finding.", "A description.")
