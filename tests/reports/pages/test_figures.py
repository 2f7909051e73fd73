"""Every picture of a page has a number, a caption and words."""

import base64
import re

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from anonnb.reports.pages.figures import number_figures
from anonnb.widgets.frames.frame import Frame
from anonnb.widgets.frames.pages import played
from anonnb.widgets.frames.pictures import Picture

HOSTILE = '"><script>alert(1)</script>'


def notebook_with(*outputs):
    cells = [new_markdown_cell("# Title"), *(new_code_cell("x", outputs=[output]) for output in outputs)]
    return new_notebook(cells=cells)


def picture(data=None, **about):
    return new_output("display_data", data or {"image/png": "aGk=", "text/plain": "x"}, metadata={"image/png": about})


def pages(notebook):
    outputs = [output for cell in notebook.cells[1:] for output in cell.outputs]
    return [output.data.get("text/html", "") for output in outputs if "data" in output]


def test_numbers_follow_the_page_and_moving_cells_have_one():
    frame = Frame(pictures=(Picture(b"png", 1, 1, caption="c"),))
    moving = new_output("display_data", {"text/html": played([frame, frame, frame])})
    notebook = notebook_with(picture(), moving, picture(), new_output("stream", text="x"))
    notebook.cells[-1].outputs = []
    assert number_figures(notebook) == 3
    numbers = [set(re.findall(r"Figure (\d)\.", page)) for page in pages(notebook)]
    assert numbers == [{"1"}, {"2"}, {"3"}]


def test_caption_words_and_size_come_from_the_kernel():
    notebook = notebook_with(picture(alt="A chart.", caption=f"Finding {HOSTILE}", width=320, height=200))
    number_figures(notebook)
    page = pages(notebook)[0]
    assert '<img alt="A chart." width="320" height="200" src="data:image/png;base64,aGk=">' in page
    assert "Finding &#34;&gt;&lt;script&gt;" in page


def test_without_a_title_the_claim_of_the_cell_is_the_caption():
    notebook = notebook_with(picture(alt="A chart."))
    notebook.cells[1].outputs.append(new_output("stream", name="stdout", text="a line\n✓ No two <boxes> overlap.\n"))
    number_figures(notebook)
    assert "</b> No two &lt;boxes&gt; overlap.</figcaption>" in pages(notebook)[0]


def test_without_words_the_section_is_named():
    notebook = notebook_with(picture())
    number_figures(notebook)
    assert 'alt="Figure in the section Title"' in pages(notebook)[0]
    assert "</b> Title</figcaption>" in pages(notebook)[0]
    assert "No description" not in pages(notebook)[0]


def test_vector_pictures_are_images_too_and_html_stays_html():
    svg = "<svg onload='alert(1)'/>"
    notebook = notebook_with(picture({"image/svg+xml": svg}), picture({"text/html": "<p>x</p>", "image/png": "aGk="}))
    assert number_figures(notebook) == 1
    assert f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}" in pages(notebook)[0]
    assert pages(notebook)[1] == "<p>x</p>"
