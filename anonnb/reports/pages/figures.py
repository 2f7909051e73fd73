"""Every picture of a report becomes a figure: with a number, a caption, and an alternative text.

Caption and words come from the kernel that drew it (``anonnb.widgets.frames.kernel``). Where there are none (a
figure without a title, a notebook that ran elsewhere), the cell's claim or the title of its section is used.
"""

import base64
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from markupsafe import Markup

_SLOT = re.compile(r'<b class="anonnb-number">[^<]*</b>')  # moving cells leave this place for their number
# what nbconvert would show of an output instead of its picture
_BEFORE = ("text/html", "text/markdown")
_KINDS = ("image/svg+xml", "image/png", "image/jpeg")


def number_figures(notebook: Any) -> int:
    """Turn the pictures among the outputs into numbered figures; return how many there are."""
    count = 0
    for place, output in _outputs(notebook):
        data = output.data
        if (page := data.get("text/html")) and _SLOT.search(page):
            count += 1
            data["text/html"] = _SLOT.sub(f'<b class="anonnb-number">Figure {count}.</b>', page)
        kind = next((kind for kind in _KINDS if kind in data), None)
        if kind and not any(other in data for other in _BEFORE):
            count += 1
            output.data = type(data)({"text/html": str(_figure(count, kind, output, place))})
    return count


class _Place(NamedTuple):
    """The place of a picture: the heading above it, and what its cell claims."""

    section: str
    claim: str


def _outputs(notebook: Any) -> Iterator[tuple[_Place, Any]]:
    """Every output that has data, with its place."""
    section = ""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            titles = re.findall(r"^#+\s+(.+?)\s*$", cell.source, re.MULTILINE)
            section = titles[-1] if titles else section
        outputs = cell.get("outputs", [])
        printed = "\n".join(output.text for output in outputs if output.get("name") == "stdout")
        claims = re.findall(r"^✓ (.+)$", printed, re.MULTILINE)
        for output in outputs:
            if "data" in output:
                yield _Place(section, claims[0] if claims else ""), output


def _figure(number: int, kind: str, output: Any, place: _Place) -> Markup:
    about = output.get("metadata", {}).get(kind, {})
    alt = about.get("alt") or (f"Figure in the section {place.section}" if place.section else "Figure")
    size = Markup("").join(
        Markup(' {}="{}"').format(name, about[name]) for name in ("width", "height") if about.get(name)
    )
    content = output.data[kind]
    if kind == "image/svg+xml":
        content = base64.b64encode(content.encode()).decode()
    image = Markup('<img alt="{}"{} src="data:{};base64,{}">').format(alt, size, kind, "".join(content.split()))
    caption = Markup('<b class="anonnb-number">Figure {}.</b> {}').format(
        number, about.get("caption") or place.claim or place.section
    )
    return Markup('<figure id="figure-{}">{}<figcaption>{}</figcaption></figure>').format(number, image, caption)
