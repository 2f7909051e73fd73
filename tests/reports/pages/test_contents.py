"""Headings have addresses, and the page lists them."""

import re

from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from tests.reports.test_html import page_of


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


def test_a_page_without_sections_lists_none():
    page = page_of(new_markdown_cell("# Title"))
    assert '<nav class="contents"' not in page
    assert "here is the table" not in page


def test_headings_that_a_cell_shows_are_not_listed():
    shown = new_output("display_data", {"text/markdown": "## Shown"})
    page = page_of(new_markdown_cell("# A\n\n## B"), new_code_cell("x", outputs=[shown]))
    assert page.count('<li class="level-2">') == 1


def test_hostile_headings_stay_text():
    page = page_of(new_markdown_cell('# A\n\n## "><script>alert(1)</script>'))
    assert page.count("<script>") <= 2  # ours; what an author writes into a notebook as HTML is HTML
    contents = re.search(r'<nav class="contents".*?</nav>', page, re.DOTALL)[0]
    assert "<script" not in contents
