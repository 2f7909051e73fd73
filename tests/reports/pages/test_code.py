"""Code is folded, escaped, and betrays no folder."""

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from anonnb.reports.pages.code import fold_code, folded

HOSTILE = 'x = "</code><script>alert(1)</script>"  # <b>'


def test_code_stands_before_what_it_shows():
    cell = new_code_cell("1 + 1", outputs=[new_output("stream", text="2")])
    notebook = new_notebook(cells=[new_markdown_cell("a"), cell, new_code_cell("")])
    fold_code(notebook)
    assert [output.output_type for output in cell.outputs] == ["display_data", "stream"]
    assert notebook.cells[2].outputs == []


def test_code_is_text():
    text = folded(HOSTILE)
    assert "<script" not in text
    assert "<b>" not in text
    assert text.count("</code>") == 1
    assert " ".join(text.striptags().split()) == f"Code{HOSTILE}".replace("  ", " ")


def test_parameters_of_a_batch_name_files_without_folders():
    cell = new_code_cell('DATA = "/home/me/people.csv"', metadata={"tags": ["injected-parameters"]})
    fold_code(new_notebook(cells=[cell]))
    page = cell.outputs[0].data["text/html"]
    assert "people.csv" in page
    assert "/home" not in page
