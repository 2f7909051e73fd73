"""Code is folded, headings have addresses, and every picture has a number, a caption and words."""

import base64
import re

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from anonnb.reports.page_parts import fold_code, folded, number_figures
from anonnb.widgets.frames.frame import Frame
from anonnb.widgets.frames.pages import played
from anonnb.widgets.frames.pictures import Picture
from tests.reports.test_html import page_of

HOSTILE_CODE = 'x = "</code><script>alert(1)</script>"  # <b>'


def test_code_is_text():
    text = folded(HOSTILE_CODE)
    assert "<script" not in text
    assert "<b>" not in text
    assert text.count("</code>") == 1
    assert " ".join(text.striptags().split()) == f"Code{HOSTILE_CODE}".replace("  ", " ")


def test_parameters_of_a_batch_name_files_without_folders():
    cell = new_code_cell('DATA = "/home/me/people.csv"', metadata={"tags": ["injected-parameters"]})
    fold_code(new_notebook(cells=[cell]))
    page = cell.outputs[0].data["text/html"]
    assert "people.csv" in page
    assert "/home" not in page


def test_sections_are_listed_below_the_title_and_each_link_has_its_place():
    texts = ["# Title\n\nQuestion?", "## One & *two*\n\n### Deeper", "## Sums of $x$", "## One & *two*"]
    main = page_of(*map(new_markdown_cell, texts)).partition("<main>")[2].partition("</main>")[0]
    contents = re.search(r'<nav class="contents".*?</nav>', main, re.DOTALL)[0]
    targets = re.findall(r'href="#([^"]+)"', contents)
    assert len(targets) == len(set(targets)) == 4
    assert targets[0] == "One-%26-two"
    ids = re.findall(r'<h[1-6] id="([^"]+)"', main)
    assert ids == ["Title", "One-&amp;-two", "Deeper", "Sums-of-x", "One-&amp;-two-2"]
    assert main.index("Question?") < main.index(contents) < main.index('id="Deeper"')


def test_hostile_headings_stay_text():
    page = page_of(new_markdown_cell('# A\n\n## "><script>alert(1)</script>'))
    assert page.count("<script>") <= 2  # ours; what an author writes into a notebook as HTML is HTML
    contents = re.search(r'<nav class="contents".*?</nav>', page, re.DOTALL)[0]
    assert "<script" not in contents


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
