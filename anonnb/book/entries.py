"""A page for every method and every attack: what is proved, and where its notebook, module, tests and paper are."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from anonnb.book.cited import keys
from anonnb.book.public_names import PublicName, inherited_methods
from anonnb.book.reference import OWN_PAGES, entry, path_of, summary

ROOT = Path(__file__).parents[2]


def registered() -> dict[str, dict[str, type]]:
    """Return the classes of this package that have pages of their own, by room."""
    classes_by_room = {room: importlib.import_module(f"anonnb.{room}").all() for room in OWN_PAGES}
    return {
        room: {name: cls for name, cls in classes.items() if cls.__module__.startswith("anonnb.")}
        for room, classes in classes_by_room.items()
    }


@cache
def _uses(notebook: Path) -> str:
    import nbformat

    cells = nbformat.read(notebook, as_version=4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "code")


def notebook_of(cls: type, notebooks: Mapping[str, Path]) -> str:
    """Find the notebook that explains a method or an attack, among those of its part of the course.

    Its folder names it ("Notebook 13."), or it is called like the module, or it shows the card of the class, or it is
    the first that uses the class, or the card is in a notebook of another part.
    """
    part = ("1", "2") if cls.__module__.startswith("anonnb.methods.") else ("3",)
    candidates = {name: path for name, path in notebooks.items() if name.startswith(part)}
    folder = importlib.import_module(cls.__module__.rpartition(".")[0])
    named = re.search(r"Notebook (\d\d[a-z]?)\.", folder.__doc__ or "")
    word = cls.__module__.rpartition(".")[2]
    ways = [
        [name for name in candidates if named and name.startswith(named[1])],
        [name for name in candidates if word in name],
        [name for name, path in candidates.items() if re.search(rf"\bcards\([^)]*\b{cls.__name__}\b", _uses(path))],
        [name for name, path in candidates.items() if re.search(rf"\b{cls.__name__}\b", _uses(path))],
        [name for name, path in notebooks.items() if re.search(rf"\bcards\([^)]*\b{cls.__name__}\b", _uses(path))],
    ]
    return next((names[0] for names in ways if names), "")


def tests_of(cls: type) -> list[Path]:
    """Return the test files that are named like a class, below the top of the repository."""
    parts = cls.__module__.split(".")[1:]
    folder = ROOT / "tests" / Path(*parts[:-1])
    stem = cls.__name__.removesuffix("Attack").lower()
    files = sorted(folder.glob("test_*.py"))
    matches = [path for path in files if path.stem.removeprefix("test_").replace("_", "") == stem]
    return [path.relative_to(ROOT) for path in matches]


def entry_page(cls: type, notebook: str, title: str) -> str:
    """Return the page of a method or an attack, which the notebook of that name and title explains."""
    public = PublicName(cls)
    lines = [f"# {cls.__name__}", "", summary(cls), "", *_links(cls, notebook, title), ""]
    card = getattr(cls, "card", None)
    if card is not None and card.parts():
        lines += ["## Guarantee card", "", "| part | what it says |", "| --- | --- |"]
        lines += [f"| **{name}** | {_escaped(text)}{_cited(name, text)} |" for name, text in card.parts().items()]
        lines += [""]
    return "\n".join([*lines, "## Reference", "", *entry(public)]) + "\n"


def _links(cls: type, notebook: str, title: str) -> list[str]:
    lines = [f"- Notebook: [{notebook.partition('_')[0]} {title}](../../tutorials/{notebook}.ipynb)"] * bool(notebook)
    source = f"_modules/{cls.__module__.replace('.', '/')}.html"
    lines.append(f'- Module: <a class="reference" href="../../{source}"><code>{cls.__module__}</code></a>')
    tests = tests_of(cls)
    lines += [f"- Tests: {', '.join(f'[{path.name}](../../tests/{page_of(path)}.md)' for path in tests)}"] * bool(tests)
    lines.append(f"- Import: `from anonnb.{path_of(PublicName(cls)).split('.')[1]} import {cls.__name__}`")
    inherited = [
        f"{path_of(PublicName(public.owner))}.{public.thing.__name__}"
        for public in inherited_methods(cls)
        if public.owner is not None
    ]
    lines.append(f"- Inherited methods: {', '.join(f'{{py:meth}}`~{path}`' for path in inherited)}")
    return lines


def page_of(test: Path) -> str:
    """Return the name of the page that shows a test file.

    >>> page_of(Path("tests/methods/mondrian/test_mondrian.py"))
    'methods-mondrian-test_mondrian'
    """
    return "-".join(test.with_suffix("").parts[1:])


def test_page(test: Path) -> str:
    """Return the page that shows a test file."""
    source = (ROOT / test).read_text(encoding="utf-8")
    return (
        f"---\norphan: true\n---\n\n# {test.name}\n\n`{test.as_posix()}`\n\n~~~~{{code-block}} python\n{source}~~~~\n"
    )


def _cited(part: str, text: str) -> str:
    works = keys(text) if part == "paper" else []
    return f" {{cite}}`{','.join(works)}`" if works else ""


def _escaped(text: Any) -> str:
    return re.sub(r"([\\`*_{}\[\]<>|$])", r"\\\1", str(text)).replace("\n", " ")
