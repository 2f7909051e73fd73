"""A notebook is one sitting: how many words, cells and names it may ask of its reader, and what its claims must say."""

import ast
import re
from pathlib import Path

import nbformat
import pytest

from anonnb.reports import notebook_files
from anonnb.reports.plan import known_parameters

NUMBERED = notebook_files(Path(__file__).parents[2] / "notebooks")
MAX_WORDS, MAX_CELLS, MAX_NAMES = 1200, 20, 14
# Notebooks that are still too long. Whoever shortens one takes it off; nothing is added.
TOO_LONG = re.compile("^$")
BY_HAND = re.compile(r"^## (By hand|Exercises).*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)


@pytest.fixture(params=NUMBERED, ids=lambda path: path.stem)
def path(request):
    return request.param


def economy(path):
    """Count words, visible code cells, names of the package in them and claims without an otherwise."""
    notebook = nbformat.read(path, as_version=4)
    trees = {cell.id: ast.parse(cell.source) for cell in notebook.cells if cell.cell_type == "code"}
    visible = [
        trees[cell.id]
        for cell in notebook.cells
        if cell.id in trees and not cell.metadata.get("jupyter", {}).get("source_hidden") and cell.source.strip()
    ]
    imported = {
        alias.asname or alias.name
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module.partition(".")[0] == "anonnb"
        for alias in node.names
    }
    names = {name for tree in visible for node in ast.walk(tree) if (name := _package_name(node, imported))}
    rooms = {name.partition(".")[0] for name in names if "." in name}
    calls = [node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.Call)]
    claims = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "claim"]
    bare = [
        call for call in claims if len(call.args) < 3 and not any(word.arg == "otherwise" for word in call.keywords)
    ]
    return len(_prose(notebook).split()), len(visible), len(names - rooms), len(bare)


def _package_name(node, imported):
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in imported:
        return f"{node.value.id}.{node.attr}"
    return node.id if isinstance(node, ast.Name) and node.id in imported else ""


def _prose(notebook):
    cells = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
    text = "\n".join(cell.source for cell in cells if "navigation" not in cell.metadata.get("tags", []))
    text = re.sub(r"<details>.*?</details>|```.*?```|^## Further reading.*", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"\$\$.*?\$\$|\$[^$]*\$", "x", re.sub(r"\]\([^)]*\)", "]", text), flags=re.DOTALL)


def test_it_is_one_sitting(path):
    words, cells, names, bare = economy(path)
    short = words <= MAX_WORDS and cells <= MAX_CELLS and names <= MAX_NAMES and not bare
    if not TOO_LONG.match(path.stem):
        assert short, f"{words} words, {cells} visible cells, {names} names, {bare} claims without otherwise="


def test_no_value_of_a_parameter_stands_in_the_prose(path):
    """What depends on K is computed where it is said; an example by hand may have a k of its own."""
    if TOO_LONG.match(path.stem):
        return
    k = known_parameters(path).get("K")
    text = BY_HAND.sub("", _prose(nbformat.read(path, as_version=4)))
    assert k is None or not re.findall(rf"[^.\n]*\bk = {k.default}\b[^.\n]*", text)
