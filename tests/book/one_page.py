"""A book of one page, so that building one takes seconds."""

from collections.abc import Callable
from pathlib import Path


def one_page(name: str, text: str) -> Callable[[Path, Path | None], None]:
    """What takes the place of ``building.lay_out``: the page, and what every book has."""

    def lay_out(folder: Path, batch: Path | None) -> None:
        (folder / "static").mkdir(parents=True)
        for name_of_all in ("book.css", "search.js"):
            (folder / "static" / name_of_all).write_text("")
        (folder / "bibliography.bib").write_text("")
        (folder / name).write_text(text, encoding="utf-8")

    return lay_out
