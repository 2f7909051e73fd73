"""What every committed notebook must be. Their outputs are compared by nbval: ``make nbval``."""

import ast
import functools
import importlib.util
import os
import re
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager

from anonnb import attacks, methods
from anonnb.coursework import practice
from anonnb.reports import notebook_files, notebook_index
from anonnb.reports.catalogue import EXERCISE, TIME, navigated, question_of, title_of
from anonnb.reports.plan import known_parameters
from anonnb.reports.refreshing import MAX_BYTES, clean

FOLDER = Path(__file__).parents[2] / "notebooks"
TEMPLATE = FOLDER / "template.ipynb"
CHECKED = Path(__file__).with_name("checked_figures.py")  # what `make nbval` has kernels run first
NUMBERED = notebook_files(FOLDER)
EXERCISED = [path for path in NUMBERED if path.name[0] in "01236"]
MOST_LINES, MOST_STATEMENTS = 25, 12
WORDS_OF_THE_QUESTION, WORDS_OF_A_PARAGRAPH = 80, 110
FIRST_SIGHT = 6  # title, parameters, imports, a text: then something to look at
SECTIONS = ("What an attacker still learns", "Exercises", "Further reading")


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def texts(notebook):
    return [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]


@pytest.fixture(params=[*NUMBERED, TEMPLATE], ids=lambda path: path.stem)
def path(request):
    return request.param


@pytest.mark.slow
def test_what_it_imports_from_the_package_is_there(path):
    """A renamed class must not wait for the slow run of all notebooks to be noticed."""
    missing = [
        f"{node.module}.{alias.name}"
        for cell in code_cells(nbformat.read(path, as_version=4))
        for node in ast.walk(ast.parse(TransformerManager().transform_cell(cell.source)))
        if isinstance(node, ast.ImportFrom) and node.module.partition(".")[0] == "anonnb"
        for alias in node.names
        if not is_importable(node.module, alias.name)
    ]
    assert missing == []


def is_importable(module: str, name: str) -> bool:
    if hasattr(importlib.import_module(module), name):
        return True
    return importlib.util.find_spec(f"{module}.{name}") is not None


def test_the_index_is_up_to_date():
    assert (FOLDER / "README.md").read_text(encoding="utf-8") == notebook_index(FOLDER), "run `make index`"


def test_title_question_and_parameters(path):
    notebook = nbformat.read(path, as_version=4)
    assert title_of(notebook)
    assert question_of(notebook)
    tagged = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", [])]
    assert len(tagged) == 1
    assert known_parameters(path)


def test_it_opens_with_the_goal_the_time_and_what_to_read_before(path):
    notebook = nbformat.read(path, as_version=4)
    assert 10 <= len(question_of(notebook).split()) <= WORDS_OF_THE_QUESTION
    time = TIME.search(notebook.cells[0].source)
    assert time, "end the title cell with *About N minutes. Read before: ….*; `make index` computes N"
    before = links(time[2])
    assert before or time[2] == "nothing"
    assert all(name < path.name for name in before if path != TEMPLATE)


@pytest.mark.parametrize("path", NUMBERED, ids=lambda path: path.stem)
def test_time_and_links_to_the_neighbours_are_up_to_date(path):
    assert navigated(path, NUMBERED) == path.read_text(encoding="utf-8"), "run `make index`"


def test_links_point_to_files(path):
    notebook = nbformat.read(path, as_version=4)
    for text in texts(notebook):
        assert not [name for name in links(text) if not (FOLDER / name).is_file()]
        assert "<a " not in text, "a link in HTML is not led to the page of a report; write it in Markdown"


def links(text):
    return [target for target in re.findall(r"\]\(([^)#]+)", text) if "://" not in target]


def test_the_sections_that_every_notebook_has(path):
    headings = re.findall(r"^## (.+)$", "\n".join(texts(nbformat.read(path, as_version=4))), re.MULTILINE)
    assert [heading for heading in headings if heading in SECTIONS] == list(SECTIONS)


@pytest.mark.parametrize("path", [*EXERCISED, TEMPLATE], ids=lambda path: path.stem)
def test_one_exercise_to_compute_and_one_to_think_about(path):
    notebook = nbformat.read(path, as_version=4)
    if practice.names(path.name.partition("_")[0]):
        return  # its exercises are in the bank
    kinds = [kind for text in texts(notebook) for kind in EXERCISE.findall(text)]
    assert {"Compute", "Think"} <= set(kinds)
    assert kinds.count("Compute") == sum(cell.source.count("check(") for cell in code_cells(notebook))
    assert kinds.count("Think") == sum(text.count("<details>") for text in texts(notebook))


@pytest.mark.parametrize("number", sorted({name.partition(".")[0] for name in practice.names()}))
def test_all_exercises_are_asked_and_checked(number):
    """Three or more; in notebooks on methods and attacks one is to build something."""
    [path] = [path for path in NUMBERED if path.name.startswith(f"{number}_")]
    code = "\n".join(cell.source for cell in code_cells(nbformat.read(path, as_version=4)))
    names = practice.names(number)
    assert len(names) >= 3
    assert re.findall(r'\bask\("([\w.]+)"\)', code) == names
    assert re.findall(r'\bcheck\("([\w.]+)", \w+\)', code) == names
    assert "lambda" not in code.partition("ask(")[2]
    if number[0] in "123":
        assert any(practice.find(name).function for name in names), "nothing to build"


def test_no_wall_of_text(path):
    for text in texts(nbformat.read(path, as_version=4)):
        paragraphs = re.split(r"\n\s*\n|\n(?=[-*] |\d+\. )", text)
        assert max(len(paragraph.split()) for paragraph in paragraphs) <= WORDS_OF_A_PARAGRAPH


def test_something_to_look_at_comes_soon(path):
    cells = nbformat.read(path, as_version=4).cells[: FIRST_SIGHT + 1]
    kinds = {kind for cell in cells for output in cell.get("outputs", []) for kind in output.get("data", {})}
    assert kinds & {"image/png", "text/html"}


def test_it_is_committed_executed_and_clean(path):
    text = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(text, as_version=4)
    counts = [cell.execution_count for cell in code_cells(notebook)]
    assert counts == list(range(1, len(counts) + 1)), "run `make notebooks`"
    assert nbformat.writes(clean(notebook)) + "\n" == text, "run `make notebooks`"
    outputs = [output for cell in code_cells(notebook) for output in cell.outputs]
    assert not any(output.output_type == "error" for output in outputs)
    assert not any("application/vnd.jupyter.widget-view+json" in output.get("data", {}) for output in outputs)


def test_it_is_not_too_large_to_be_committed(path):
    assert path.stat().st_size <= MAX_BYTES, "run `make notebooks`, which packs the pictures"


def test_no_cell_hides_its_value_by_a_semicolon(path):
    # nbval runs cells without history, where IPython cannot see the semicolon: write `_ = …` instead
    cells = code_cells(nbformat.read(path, as_version=4))
    assert not [cell.source for cell in cells if cell.source.rstrip().endswith(";")]


def test_widgets_can_be_switched_off(path):
    notebook = nbformat.read(path, as_version=4)
    for cell in code_cells(notebook):
        if "widgets.explore" in cell.source:
            assert "interactive=INTERACTIVE" in cell.source
            assert "nbval-ignore-output" in cell.metadata.get("tags", [])
            assert "INTERACTIVE" in known_parameters(path)


def test_what_is_to_be_moved_stands_above_something_that_moves(path):
    """That it moves in reports, too, is seen by tests/browser/test_reports.py."""
    cells = nbformat.read(path, as_version=4).cells
    for place, cell in enumerate(cells):
        if cell.cell_type == "markdown" and re.search(r"\b[Mm]ove (the sliders?|k)\b", cell.source):
            section = takewhile(lambda other: not other.source.startswith("## "), cells[place + 1 :])
            below = "\n".join(other.source for other in section if other.cell_type == "code")
            assert "widgets.explore(" in below or "widgets.play(" in below


def test_algorithms_live_in_the_package(path):
    for cell in code_cells(nbformat.read(path, as_version=4)):
        assert len(cell.source.splitlines()) <= MOST_LINES
        statements = [node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.stmt)]
        assert (
            len([node for node in statements if not isinstance(node, ast.Import | ast.ImportFrom)]) <= MOST_STATEMENTS
        )


@pytest.mark.parametrize("cls", [*methods.all().values(), *attacks.all().values()], ids=lambda cls: cls.__name__)
def test_notebooks_show_guarantee_cards_as_they_are_now(cls):
    """A class that no notebook is about yet has its card in the book."""
    for path in NUMBERED:
        if any(re.search(rf"\bcards\([^)]*\b{cls.__name__}\b", cell.source) for cell in code_cells(read(path))):
            assert str(cls.card) in "\n".join(outputs(path)), f"run `make notebooks ARGS={path.stem}`"


@functools.cache
def read(path):
    return nbformat.read(path, as_version=4)


def outputs(path):
    cells = code_cells(read(path))
    return [output.get("data", {}).get("text/plain", "") for cell in cells for output in cell.outputs]


@pytest.mark.slow
def test_a_tampered_number_fails_the_strict_run(tmp_path):
    """A notebook whose outputs are not really compared would pass whatever it says."""
    text = TEMPLATE.read_text(encoding="utf-8")
    as_it_is, tampered = tmp_path / "template.ipynb", tmp_path / "tampered.ipynb"
    as_it_is.write_text(text, encoding="utf-8")
    tampered.write_text(text.replace("148    3", "148    4"), encoding="utf-8")
    assert tampered.read_text(encoding="utf-8") != text
    assert nbval(as_it_is, tampered) == {"template": "passed", "tampered": "failed"}


def nbval(*paths, startup=None):
    """What the strict run says of each notebook, in one run for all of them."""
    options = ["-q", "-rpfE", "--tb=no", "-o", "addopts=", "--nbval", "--nbval-current-env"]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    settings = {"ANONNB_BATCH": "1"} | ({"PYTHONSTARTUP": os.fspath(startup)} if startup else {})
    command = [sys.executable, "-m", "pytest", *options, *paths]
    told = subprocess.run(command, env=environment | settings, stdout=subprocess.PIPE, text=True).stdout
    found = dict.fromkeys((path.stem for path in paths), "not run")
    for word, stem in sorted(re.findall(r"^(PASSED|FAILED|ERROR) .*?(\w+)\.ipynb::", told, re.MULTILINE), reverse=True):
        found[stem] = word.lower()  # of all cells, the worst comes last
    return found


@pytest.mark.slow
def test_a_figure_that_cannot_be_read_fails_the_strict_run(tmp_path):
    """`make nbval` runs kernels with a check of every figure; here is one with a text upon another."""
    notebooks = {"plain": "", "spoilt": '\n_ = ax.text(0.5, 0.5, "two")'}
    cells = ["from anonnb import plots", 'ax = plots.axes(size=(4, 3))\n_ = ax.text(0.5, 0.5, "one")']
    for name, more in notebooks.items():
        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        book.cells[1].source += more
        for count, cell in enumerate(book.cells, 1):
            cell.execution_count = count
        figure = {"image/png": "", "text/plain": "<Figure size 400x300 with 1 Axes>"}
        book.cells[1].outputs = [nbformat.v4.new_output("display_data", figure)]
        nbformat.write(book, tmp_path / f"{name}.ipynb")
    told = nbval(*(tmp_path / f"{name}.ipynb" for name in notebooks), startup=CHECKED)
    assert told == {"plain": "passed", "spoilt": "failed"}
