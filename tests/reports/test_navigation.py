import nbformat

from anonnb.reports.catalogue import reading_minutes, write_navigation


def test_time_and_links_are_written_once(tmp_path, make_notebook):
    title = "# A\n\nWhy?\n\n*About 0 minutes. Read before: nothing.*"
    first = make_notebook(tmp_path / "01_a.ipynb", title, "")
    make_notebook(tmp_path / "my_own.ipynb", "# Mine", "")
    assert write_navigation(tmp_path) == [first]
    assert write_navigation(tmp_path) == []
    second = make_notebook(tmp_path / "02_b.ipynb", title, "")
    assert write_navigation(tmp_path) == [first, second]
    cells = nbformat.read(first, as_version=4).cells
    assert cells[0].source.endswith("*About 5 minutes. Read before: nothing.*")
    assert [cell.source for cell in cells if "navigation" in cell.metadata.get("tags", [])] == [cells[-1].source]
    assert "[02 A](02_b.ipynb) →" in cells[-1].source


def test_words_figures_and_exercises_take_time():
    cells = [
        nbformat.v4.new_markdown_cell("word " * 1000),
        nbformat.v4.new_markdown_cell("**Compute.** What?\n\n**Think.** Why?"),
        nbformat.v4.new_code_cell("1", outputs=[nbformat.v4.new_output("display_data", {"image/png": ""})] * 4),
    ]
    assert [reading_minutes(nbformat.v4.new_notebook(cells=cells[:n])) for n in range(4)] == [0, 5, 20, 20]
    longer = [*cells, nbformat.v4.new_markdown_cell("word " * 200)]
    assert reading_minutes(nbformat.v4.new_notebook(cells=longer)) == 25
