"""The rooms: imports go one way, no two modules tie each other up, and no module is too long."""

import ast
import warnings
from pathlib import Path

import pytest

import anonnb
from anonnb import attacks, methods
from tests import floor_plan
from tests.conftest import HERE, LONGEST

MANY_MODULES, MOST_LINES = 16, 400
INTERFACES = {"matplotlib", "seaborn", "ipywidgets", "papermill", "IPython", "nbformat", "nbconvert", "nbclient"}


@pytest.fixture(scope="module")
def graph():
    return floor_plan.imports()


def test_every_folder_is_in_the_plan():
    folders = {path.name for path in (floor_plan.ROOT / "anonnb").iterdir() if (path / "__init__.py").is_file()}
    assert folders == set(anonnb.ROOMS)


def test_the_files_that_go_first_are_there():
    assert [name for name in LONGEST if not (HERE / f"{name}.py").is_file()] == []


def test_the_tests_have_the_same_folders():
    """Beside them are tests of what is no room of the package: notebooks, documents, benchmarks, a browser, chance."""
    tested, package = (
        {path.parent.relative_to(floor_plan.ROOT / top).as_posix() for path in (floor_plan.ROOT / top).rglob("*.py")}
        for top in ("tests", "anonnb")
    )
    assert package <= tested
    assert tested - package == {"benchmarks", "browser", "documents", "fuzz", "notebooks"}


@pytest.mark.parametrize("registry", [methods, attacks], ids=["methods", "attacks"])
def test_every_method_and_attack_has_a_test_file_of_its_own(registry):
    """In the folder of its family: Mondrian in tests/methods/mondrian/test_mondrian.py."""
    lacking = []
    for name, cls in registry.all().items():
        folder = floor_plan.ROOT / "tests" / Path(*cls.__module__.split(".")[1:-1])
        words = name.removesuffix("Attack").lower()
        files = {path.stem.removeprefix("test_").replace("_", "") for path in folder.glob("test_*.py")}
        if cls.__module__.startswith("anonnb.") and words not in files:
            lacking.append(name)
    assert lacking == []


@pytest.mark.slow
def test_imports_go_one_way(graph):
    assert floor_plan.upward(graph) == []


def test_an_upward_import_is_found():
    assert floor_plan.upward({"anonnb.tables.table": {"anonnb.cluster"}}) == [
        "anonnb.tables.table imports anonnb.cluster"
    ]


def test_no_modules_import_each_other_in_a_circle(graph):
    assert floor_plan.cycle(floor_plan.without_folders(graph)) == []


def test_only_publishing_is_reached_through_the_front_door():
    """Names of ``anonnb`` that live above the caller's room would undo the order of the rooms."""
    order = {name: number for number, name in enumerate(anonnb.ROOMS)}
    upward = set()
    for module, path in floor_plan.sources().items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr
            if name in anonnb.__all__ and node.value.id == "anonnb":
                home = floor_plan.room(getattr(anonnb, name).__module__)
                if order.get(floor_plan.room(module), len(order)) < order[home]:
                    upward.add((module, name))
    assert upward == {("anonnb.tables.release", "publish"), ("anonnb.tables.mined_results", "publish_mined")}


def test_a_circle_is_found():
    assert floor_plan.cycle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})[0] in "abc"


def test_lazy_imports_and_those_for_types_count(tmp_path):
    (tmp_path / "anonnb").mkdir()
    (tmp_path / "anonnb" / "__init__.py").touch()
    (tmp_path / "anonnb" / "one.py").write_text("def f():\n    from anonnb.two import g\n")
    (tmp_path / "anonnb" / "two.py").write_text("if TYPE_CHECKING:\n    from anonnb import one\n")
    found = floor_plan.imports(tmp_path)
    assert found == {"anonnb": set(), "anonnb.one": {"anonnb.two"}, "anonnb.two": {"anonnb.one"}}


def test_methods_and_attacks_do_not_know_each_other(graph):
    rooms = floor_plan.between_rooms(graph)
    assert "attacks" not in rooms["methods"]
    assert "methods" not in rooms["attacks"]


def test_families_of_methods_do_not_depend_on_each_other_in_a_circle(graph):
    families = {}
    for module, others in graph.items():
        parts = module.split(".")
        if parts[1:2] == ["methods"] and len(parts) > 3:
            inner = {
                other.split(".")[2] for other in others if other.startswith("anonnb.methods.") and other.count(".") > 2
            }
            families.setdefault(parts[2], set()).update(inner - {parts[2]})
    assert floor_plan.cycle(families) == []


def test_only_the_command_line_knows_the_cluster(graph):
    rooms = floor_plan.between_rooms(graph)
    assert {name for name, others in rooms.items() if "cluster" in others} <= {"cli", "testing"}


@pytest.mark.slow
def test_nothing_below_the_plots_needs_a_screen():
    below = anonnb.ROOMS[: anonnb.ROOMS.index("plots")]
    found = {
        name: floor_plan.libraries(path) & INTERFACES
        for name, path in floor_plan.sources().items()
        if floor_plan.room(name) in below
    }
    assert {name: libraries for name, libraries in found.items() if libraries} == {}


@pytest.mark.slow
def test_no_module_is_too_long():
    folders = {}
    for path in floor_plan.sources().values():
        if path.name != "__init__.py":
            folders.setdefault(path.parent, []).append(path)
        lines = code_lines(path.read_text(encoding="utf-8"))
        assert lines <= MOST_LINES, f"{path.name} has {lines} lines beside its docstrings"
    for folder, files in folders.items():
        if len(files) > MANY_MODULES:
            warnings.warn(f"{folder.name} has {len(files)} modules: do some belong together?", stacklevel=1)


def test_docstrings_do_not_make_a_module_long():
    assert code_lines('"""One."""\n\ndef f():\n    """Two,\n    three."""\n    return 1\n') == 3


def code_lines(text):
    """The lines of a module without its docstrings: to document parameters must not make a module too long."""
    nodes = [
        node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
    ]
    documented = [node.body[0] for node in nodes if ast.get_docstring(node, clean=False) is not None]
    return text.count("\n") - sum(doc.end_lineno - doc.lineno + 1 for doc in documented)


def test_every_folder_says_what_lives_there():
    for name, path in floor_plan.sources().items():
        if path.name == "__init__.py":
            assert path.read_text(encoding="utf-8").startswith('"""'), name


def test_the_picture_is_up_to_date(graph):
    text = floor_plan.GUIDE.read_text(encoding="utf-8")
    assert floor_plan.drawn(text, graph) == text, "run make picture"


@pytest.mark.parametrize("registry", [methods, attacks], ids=["methods", "attacks"])
def test_a_star_import_brings_every_class(registry):
    names = {}
    exec(f"from {registry.__name__} import *", names)
    assert set(registry.all()) <= set(names)
