"""The script that moves frames, and their style: all that a page of frames made before needs, and no matplotlib."""

from functools import cache
from pathlib import Path


@cache
def script() -> str:
    """Return the script that moves frames, for a page that has some."""
    return _beside("frames.js")


@cache
def style() -> str:
    """Return the style of frames and their controls."""
    return _beside("frames.css")


def _beside(name: str) -> str:
    return (Path(__file__).parents[1] / "templates" / name).read_text(encoding="utf-8").strip()
