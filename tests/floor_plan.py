"""The floor plan as the sources have it: which module imports which, lazily or not, and the picture of the rooms.

    python -m tests.floor_plan        # writes the picture into CONTRIBUTING.md; `make picture` does

Imports inside functions and under TYPE_CHECKING count: they tie modules together just the same.
"""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import anonnb

ROOT = Path(__file__).resolve().parents[1]
GUIDE = ROOT / "CONTRIBUTING.md"
BEGIN, END = "<!-- the rooms: written by make picture -->", "<!-- end of the rooms -->"

Graph = dict[str, set[str]]


def sources(root: Path = ROOT) -> dict[str, Path]:
    """Every module of the package by its dotted name; a package is named like its folder."""
    files = sorted((root / "anonnb").rglob("*.py"))
    return {".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path for path in files}


def imports(root: Path = ROOT) -> Graph:
    """For every module the modules of the package that it imports.

    ``from anonnb.methods import register`` leads to the folder's ``__init__``, ``from anonnb import privacy`` to
    that of privacy; names that a folder looks up late (``from anonnb import Table``) are not followed further.
    """
    known = sources(root)
    return {name: set(_imported(path, known)) - {name} for name, path in known.items()}


def _imported(path: Path, known: dict[str, Path]) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.level:
            raise AssertionError(f"{path.name} imports relatively in line {node.lineno}; write the whole name")
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in known else node.module


def libraries(path: Path) -> set[str]:
    """The top names of everything that a module imports, lazily or not."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found


def room(module: str) -> str:
    """The folder that a module is in; empty for the package itself."""
    return module.partition(".")[2].partition(".")[0]


def upward(graph: Graph) -> list[str]:
    """Imports from a room that comes later in the list."""
    place = {name: number for number, name in enumerate(anonnb.ROOMS)}
    return [
        f"{module} imports {other}"
        for module, others in graph.items()
        for other in sorted(others)
        if room(module) in place and room(other) in place and place[room(other)] > place[room(module)]
    ]


def cycle(graph: Graph) -> list[str]:
    """Modules that import each other in a circle, or nothing."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def without_folders(graph: Graph) -> Graph:
    """The graph of the files: a folder's ``__init__``, which only names what is in it, ties nothing together."""
    files = {name for name, path in sources().items() if path.name != "__init__.py"}
    return {name: others & files for name, others in graph.items() if name in files}


def between_rooms(graph: Graph) -> Graph:
    """For every room the rooms it imports from."""
    found: Graph = {name: set() for name in anonnb.ROOMS}
    for module, others in graph.items():
        if room(module) in found:
            found[room(module)] |= {room(other) for other in others if room(other) in found} - {room(module)}
    return found


def picture(graph: Graph) -> str:
    """The rooms as a mermaid graph; an arrow that follows from others is left out."""
    rooms = between_rooms(graph)
    below = {name: _below(rooms, name) for name in rooms}
    arrows = [
        f"    {name} --> {other}"
        for name in reversed(anonnb.ROOMS)
        for other in sorted(rooms[name], key=anonnb.ROOMS.index, reverse=True)
        if not any(other in below[step] for step in rooms[name] - {other})
    ]
    return "\n".join(["```mermaid", "graph TD", *arrows, "```"])


def _below(rooms: Graph, name: str) -> set[str]:
    return rooms[name].union(*(_below(rooms, other) for other in rooms[name]))


def drawn(text: str, graph: Graph) -> str:
    """A page with its picture of the rooms brought up to date."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{picture(graph)}\n\n{END}{after}"


if __name__ == "__main__":
    GUIDE.write_text(drawn(GUIDE.read_text(encoding="utf-8"), imports()), encoding="utf-8")
