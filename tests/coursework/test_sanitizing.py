"""A notebook is rebuilt from the source: only answers are taken from the submission, and nothing in them acts."""

import os

import bs4
import nbformat
import pytest
from nbconvert.filters import markdown2html
from nbformat.v4 import new_code_cell, new_markdown_cell

from anonnb.coursework.assignment import cleared, grade_id
from anonnb.coursework.autograding import set_strange_files_aside
from anonnb.coursework.sanitizing import harmless, rebuild, steps
from tests.coursework.hostile import cell
from tests.coursework.tiny import NAME, RIGHT, submission, write_source


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return write_source(tmp_path_factory.mktemp("source"))


ACTIVE = [
    "<script>x</script>",
    "a <img src=x onerror=x>",
    "</div><b>x",
    "<!-- x -->",
    "<?x?>",
    "<https://example.org> <javascript:x>",
    "[x](javascript:x)",
    "[x](&#106;avascript:x)",
    "[x](\njavascript:x)",
    "![x](attachment:x.svg)",
    "![x](https://example.org/x.png)",
    "[x][y]\n\n[y]: javascript:x",
    "[y]\n\n[y]: javascript:x",
    "[^1]\n\n[^1]: x",
    "```<b>\n<b>x</b>\n```",
    "    <b>x</b>",
    "`<b>x</b>`",
    "| <b>x</b> | y |\n|---|---|\n| <i>x</i> | [z](javascript:x) |",
    "# <b>x</b> [z](javascript:x)",
]


@pytest.mark.parametrize("text", ACTIVE)
def test_nothing_in_a_text_acts(text):
    allowed = {"p", "em", "code", "pre", "table", "thead", "tbody", "tr", "th", "td", "h1", "div", "span", "a"}
    tags = bs4.BeautifulSoup(markdown2html(harmless(text)), "html.parser").find_all(True)
    assert {tag.name for tag in tags} <= allowed
    assert not [name for tag in tags for name in tag.attrs if name.startswith("on")]
    assert not [tag for tag in tags if not tag.get("href", "#").startswith(("#", "https://example.org"))]


def test_a_plain_text_reads_the_same():
    text = "Some *words*, `a < b`, $a < b$, 3 <= 4, x[0], and\n\n- a list\n- of two\n\n| a | b |\n|---|---|\n| 1 | 2 |"
    assert harmless(text) == text


def test_only_answers_are_taken(tiny):
    def change(notebook):
        notebook.metadata["title"] = notebook.metadata["widgets"] = "x"
        for one in notebook.cells:
            one.metadata["tags"] = ["x"]
            one["attachments"] = {"x.svg": {"image/svg+xml": "x"}}
        cell(notebook, "c1").source = "pass"
        cell(notebook, "c1").metadata["nbgrader"]["points"] = 1000
        cell(notebook, "given").source = "NUMBERS = [7]"
        notebook.cells.reverse()

    rebuilt = rebuild(tiny, submission(tiny, RIGHT, then=change), "ann")
    assert [grade_id(one) for one in rebuilt.notebook.cells] == [grade_id(one) for one in tiny.notebook.cells]
    assert cell(rebuilt.notebook, "c1").metadata["nbgrader"]["points"] == 3
    assert cell(rebuilt.notebook, "c1").source == next(one for one in tiny.checks if one.id == "c1").source
    assert cell(rebuilt.notebook, "a1").source == RIGHT["a1"]
    assert cell(rebuilt.notebook, "think").source == "Because it is < b>so< /b>."
    assert not any("attachments" in one or "tags" in one.metadata for one in rebuilt.notebook.cells)
    assert set(rebuilt.notebook.metadata) <= {"kernelspec", "language_info"}
    changed = "the locked cell {} was changed; the original was used"
    assert sorted(rebuilt.notes) == [changed.format("c1"), changed.format("given")]
    nbformat.validate(rebuilt.notebook)


def test_cells_of_ones_own_follow_the_cell_that_they_followed(tiny):
    def add(notebook):
        place = notebook.cells.index(cell(notebook, "a2"))
        notebook.cells.insert(place, new_code_cell("helper = 1"))
        notebook.cells.insert(place, new_markdown_cell("<b>why</b>"))
        notebook.cells.insert(0, new_code_cell("first = 1"))

    notebook = rebuild(tiny, submission(tiny, RIGHT, then=add), "ann").notebook
    assert [one.source for one in notebook.cells if one.id.startswith("added")] == [
        "first = 1",
        "< b>why< /b>",
        "helper = 1",
    ]
    assert [step["code"] for step in steps(tiny, notebook) if not step["id"]] == ["first = 1", "helper = 1"]


@pytest.mark.parametrize("answer", ["", "  \n", None, "YOUR ANSWER HERE"])
def test_what_was_not_answered_is_as_it_was_handed_out(tiny, answer):
    """nbgrader then gives 0 points by itself."""
    from nbgrader.utils import determine_grade

    answers = RIGHT | {"think": answer} if answer is not None else {}
    notebook = rebuild(tiny, submission(tiny, answers), "ann").notebook
    assert cell(notebook, "think").source == cleared(tiny.texts[0])
    assert determine_grade(cell(notebook, "think")) == (0, 5)
    answered = rebuild(tiny, submission(tiny, RIGHT), "ann").notebook
    assert determine_grade(cell(answered, "think")) == (None, 5)


def test_strange_files_are_set_aside(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "submitted" / "ann" / NAME
    (folder / "data").mkdir(parents=True)
    for name in (f"{NAME}.ipynb", "own.csv", "timestamp.txt", "page.html", "data/deep.svg", "data/more.csv"):
        (folder / name).write_text("x")
    (folder / "link.csv").symlink_to("/etc/hostname")
    os.mkfifo(folder / "pipe.csv")
    set_strange_files_aside("*", "*", [str(folder / f"{NAME}.ipynb")])
    kept = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}
    assert kept == {f"{NAME}.ipynb", "own.csv", "timestamp.txt", "data/more.csv"}
    aside = tmp_path / "set_aside" / "ann" / NAME
    assert {path.name.partition("-")[2] for path in aside.iterdir()} == {
        *("page.html", "deep.svg", "link.csv", "pipe.csv")
    }
    (folder / "page.html").symlink_to(aside)  # a second time, with names that are taken
    os.mkfifo(folder / ("x" * 250))
    set_strange_files_aside("*", "*", [str(folder / f"{NAME}.ipynb")])
    assert len(list(aside.iterdir())) == 6
    for link in ("bob", f"cem/{NAME}"):
        other = tmp_path / "submitted" / link
        other.parent.mkdir(exist_ok=True)
        other.symlink_to(folder.parent if link == "bob" else folder)
        set_strange_files_aside("*", "*", [str(tmp_path / "submitted" / link[:3] / NAME / f"{NAME}.ipynb")])
        assert not other.exists()
    assert folder.exists()


def test_long_answers_and_many_cells_are_cut(tiny):
    def add(notebook):
        notebook.cells += [new_markdown_cell("[" * 1000) for _ in range(300)]

    rebuilt = rebuild(tiny, submission(tiny, RIGHT | {"think": "x" * 100_000}, then=add), "ann")
    assert cell(rebuilt.notebook, "think").source.endswith("xx … (80,000 more characters)")
    assert len(rebuilt.notebook.cells) == len(tiny.cells) + 200
    assert rebuilt.notes == ["100 of 300 cells that were added are left out"]
