"""A notebook becomes a page: nothing runs again, links stay in the book, code is folded, figures are numbered."""

import nbformat

from anonnb.book import tutorials

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def notebook():
    new = nbformat.v4
    picture = new.new_output("display_data", {"image/png": PNG, "text/plain": "<Figure>"})
    table = new.new_output("display_data", {"text/html": '<a href="13_mondrian.ipynb#x">a</a>', "text/plain": "a"})
    return new.new_notebook(
        cells=[
            new.new_markdown_cell(
                "# Title\n\nSee [all](README.md), [class](GLOSSARY.md#class), [code](../anonnb/a.py)."
            ),
            new.new_code_cell("1 + 1", outputs=[picture, table], metadata={"tags": ["parameters"]}),
            new.new_markdown_cell(
                "## Further reading\n\n- R. Rymon, *Search through systematic set enumeration*, 1992."
            ),
            new.new_markdown_cell("← [a](a.ipynb)", metadata={"tags": ["navigation"]}),
        ]
    )


def test_links_stay_in_the_book():
    page = tutorials.prepared(notebook(), {})
    assert page.cells[0].source == "# Title\n\nSee [all](index.md), [class](../glossary.md#class), code."
    assert page.cells[1].outputs[1].data["text/html"] == '<a href="13_mondrian.html#x">a</a>'


def test_the_original_stays_as_it_is():
    original = notebook()
    before = nbformat.writes(original)
    tutorials.prepared(original, {"A": "a.md"})
    assert nbformat.writes(original) == before


def test_a_batch_comes_first(tmp_path):
    (tmp_path / "runs").mkdir()
    own, ran = tmp_path / "13_a.ipynb", tmp_path / "runs" / "13_a.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Own")]), own)
    assert tutorials.executed([own], tmp_path)["13_a"].cells[0].source == "# Own"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Ran")]), ran)
    assert tutorials.executed([own], tmp_path)["13_a"].cells[0].source == "# Ran"
    assert tutorials.executed([own], None)["13_a"].cells[0].source == "# Own"
