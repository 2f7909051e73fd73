"""A figure as a picture that is sharp and small: twice the pixels, at most 256 colours, an alternative text.

A chart has few colours: a palette stores it in a third of the bytes, and no colour changes by more than the eye sees.
"""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from anonnb.widgets.frames.describing import alternative_of, caption_of

SCALE = 2  # pixels of the picture for each pixel of the page
COLOURS = 256
PADDING = 0.1  # inches around what is drawn


@dataclass(frozen=True)
class Picture:
    """PNG, its size on the page in pixels, the finding it shows and its alternative text."""

    png: bytes
    width: int
    height: int
    caption: str = ""
    alt: str = ""

    @property
    def base64(self) -> str:
        """The PNG as pages and notebooks hold it."""
        return base64.b64encode(self.png).decode()


def picture(figure: Figure, *, smallest: bool = True) -> Picture:
    """Draw a figure; ``smallest`` takes longer for the last tenth of its bytes.

    >>> import matplotlib.pyplot as plt
    >>> ax = plt.figure(figsize=(3, 2), dpi=100).subplots()
    >>> _ = ax.set_title("Nothing")
    >>> made = picture(ax.figure)
    >>> made.caption, made.png[:4], made.width < 300
    ('Nothing', b'\\x89PNG', True)
    >>> plt.close(ax.figure)
    """
    image = _drawn(figure)
    width, height = (round(pixels / SCALE) for pixels in image.size)
    return Picture(_packed(image, smallest), width, height, caption_of(figure), alternative_of(figure))


def _drawn(figure: Figure) -> Any:
    """Return the figure as an image, drawn once; ``savefig`` draws it twice to find out how large it is."""
    shown, dpi = figure.canvas, figure.dpi
    try:
        figure.dpi = SCALE * dpi
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        size, pixels = canvas.get_width_height(), canvas.buffer_rgba()
        image = Image.frombuffer("RGBA", size, pixels, "raw", "RGBA", 0, 1).copy()
        box = None if figure.get_layout_engine() else _trimmed(figure, canvas)
    finally:
        figure.dpi = dpi
        figure.set_canvas(shown)
    if box is None:
        return image
    left, top, right, bottom = box
    if left < 0 or top < 0 or right > image.width or bottom > image.height:  # something is drawn beyond the canvas
        return _saved(figure)
    return image.crop(box)


def _trimmed(figure: Figure, canvas: Any) -> tuple[int, int, int, int]:
    """Return the box on which something is drawn; a figure that lays itself out needs no trimming."""
    inches = figure.get_tightbbox(canvas.get_renderer()).padded(PADDING)
    left, bottom, right, top = (round(edge * figure.dpi) for edge in inches.extents)
    height = canvas.get_width_height()[1]
    return left, height - top, right, height - bottom


def _saved(figure: Figure) -> Any:
    file = io.BytesIO()
    options: dict[str, Any] = {"facecolor": figure.get_facecolor(), "bbox_inches": "tight", "pad_inches": PADDING}
    figure.savefig(file, format="png", dpi=SCALE * figure.dpi, **options, pil_kwargs={"compress_level": 1})
    return Image.open(file)


def packed(png: bytes, width: int | None = None, colours: int = COLOURS) -> bytes:
    """Return a PNG with a palette of at most ``colours``, and at most ``width`` pixels wide.

    Unchanged if that is not smaller, or if it is not a readable PNG.

    >>> packed(b"no picture")
    b'no picture'
    """
    try:
        image: Image.Image = Image.open(io.BytesIO(png))
        if width and image.width > width:
            size = (width, round(image.height * width / image.width))
            image = image.convert("RGBA" if "transparency" in image.info else "RGB").resize(
                size, Image.Resampling.LANCZOS
            )
        if colours < COLOURS and "transparency" not in image.info:
            image = image.convert("RGB").quantize(colours, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        small = _packed(image)
    except Exception:  # Pillow raises whatever its readers raise: OSError, SyntaxError, ValueError, struct.error
        return png
    return small if len(small) < len(png) else png


def _packed(image: Any, smallest: bool = True) -> bytes:
    file = io.BytesIO()
    if image.mode == "RGBA" and image.getextrema()[3] == (255, 255):
        image = image.convert("RGB")
    if image.mode == "RGB":
        image = image.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    image.save(file, "PNG", optimize=smallest)
    return file.getvalue()
