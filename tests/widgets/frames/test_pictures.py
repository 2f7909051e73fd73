"""Pictures are sharp, small and true to their colours."""

import io

import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image

from anonnb.widgets.frames.pictures import packed, picture


def drawn(**options):
    figure, ax = plt.subplots(figsize=(4, 3), dpi=100, **options)
    ax.plot(np.sin(np.linspace(0, 6, 200)), color="#0072B2")
    ax.scatter(range(200), np.cos(np.linspace(0, 6, 200)), c=range(200), cmap="viridis")
    plt.close(figure)
    return figure


def opened(png):
    return Image.open(io.BytesIO(png))


def test_a_picture_has_twice_the_pixels_and_a_palette():
    made = picture(drawn(layout="constrained"))
    assert opened(made.png).size == (800, 600)
    assert (made.width, made.height) == (400, 300)
    assert opened(made.png).mode == "P"


def test_a_figure_without_layout_is_trimmed():
    made = picture(drawn())
    assert made.width < 400


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


def test_a_plain_picture_can_do_with_few_colours():
    plain = packed(picture(drawn()).png)
    fewer = packed(plain, colours=16)
    assert len(fewer) < len(plain)
    assert len(opened(fewer).convert("RGB").getcolors()) <= 16


def test_what_is_transparent_stays_so():
    file = io.BytesIO()
    drawn().savefig(file, format="png", transparent=True)
    assert opened(packed(file.getvalue())).convert("RGBA").getextrema()[3][0] == 0


def test_the_same_figure_is_the_same_bytes():
    assert picture(drawn()).png == picture(drawn()).png
