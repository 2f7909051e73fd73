import base64
import hashlib
import io
import re
from html.parser import HTMLParser

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

from anonnb.reports.html import NotSelfContainedError, glossary_page, math, report_page, thumbnail
from anonnb.reports.page import loads_from_outside
from anonnb.reports.results import Result
from anonnb.reports.summary import index_page
from tests.reports.conftest import HOSTILE


def result(**changes):
    plain = {
        "name": "a",
        "notebook": "a.ipynb",
        "title": "A title",
        "parameters": {},
        "fingerprint": "",
        "seconds": 1.25,
    }
    return Result(**plain | changes)


def page_of(*cells, folder=".", **changes):
    return report_page(new_notebook(cells=list(cells)), result(**changes), folder)


def shown(data):
    return new_code_cell("its_source()", outputs=[new_output("display_data", data)])


def png(width, height):
    file = io.BytesIO()
    Image.new("RGB", (width, height), "red").save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


def tags(page):
    found = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: found.append(tag)
    parser.feed(page)
    return found


def test_nothing_is_loaded_and_no_script_but_ours_may_run():
    page = page_of(new_markdown_cell("# A\n\n[a link](http://example.org) and $x$"), shown({"image/png": png(9, 9)}))
    assert loads_from_outside(page) == []
    assert tags(page).count("script") == 1
    assert "default-src 'none'" in page
    ours = re.search(r"<script>(.*?)</script>", page, re.DOTALL)[1]
    allowed = re.search(r"script-src ([^;\"]+)", page)[1]
    assert allowed == f"'sha256-{base64.b64encode(hashlib.sha256(ours.encode()).digest()).decode()}'"


def test_links_between_notebooks_lead_from_report_to_report():
    text = "[next](13_mondrian.ipynb) [*last*](12_k_optimize.ipynb#why) [all](README.md) [paper](https://a.org/b.ipynb)"
    page = page_of(new_markdown_cell(text), pages={"13_mondrian.ipynb": "13_mondrian-K=5"}).partition("<main>")[2]
    for address in ("13_mondrian-K%3D5.html", "index.html", "https://a.org/b.ipynb"):
        assert f'href="{address}"' in page
    # There is no report of this one, so its name is no link.
    assert "12_k_optimize" not in page
    assert "<em>last</em>" in page


def test_tracebacks_name_files_without_their_folders():
    traceback = [
        "\x1b[31mOSError\x1b[39m  Traceback (most recent call last)",
        "\x1b[36mFile \x1b[39m\x1b[32m/home/me/venv/lib/own.py:12\x1b[39m, in read(x)\n     12 return a / b / c",
        "File ~/thesis/more.py:3",
        "\x1b[31mOSError\x1b[39m: no file '/home/me/my data/people.csv'; see https://a.org/b/c",
    ]
    error = new_output("error", ename="OSError", evalue="", traceback=traceback)
    warning = new_output("stream", name="stderr", text="/home/me/venv/old.py:5: UserWarning: old\n")
    cell = new_code_cell("read()", outputs=[warning, error])
    page = page_of(cell, status="failed", error="a\nOSError: no file '/home/me/my data/people.csv'")
    for text in ("own.py:12", "more.py:3", "people.csv", "old.py:5", "a / b / c", "https://a.org/b/c"):
        assert text in page
    for text in ("/home", "my data", "work/", "venv"):
        assert text not in page


def test_hostile_text_stays_text():
    hostile = {"title": HOSTILE, "parameters": {HOSTILE: HOSTILE}, "status": "failed", "error": HOSTILE}
    page = page_of(shown({"text/plain": HOSTILE}), **hostile)
    index = index_page([result(name=HOSTILE, **hostile)])
    for text in (page, index):
        assert tags(text).count("script") == 1
        assert text.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 4


def test_formulas_become_mathml():
    page = page_of(new_markdown_cell(r"Inline $k \geq \frac{n}{2}$ and" + "\n\n$$\\sum_i x_i$$"))
    assert page.count("<math") == 2
    assert "<mfrac>" in page
    assert "$" not in page.partition("<main>")[2].partition("</main>")[0]


def test_a_formula_that_cannot_be_translated_is_shown_as_written():
    assert math(r"\left <b>") == "<code>\\left &lt;b&gt;</code>"


def test_local_pictures_are_embedded_and_pictures_from_the_net_refused(tmp_path):
    (tmp_path / "p.png").write_bytes(base64.b64decode(png(3, 3)))
    assert 'src="data:image/png;base64,' in page_of(new_markdown_cell("![a](p.png)"), folder=tmp_path)
    with pytest.raises(NotSelfContainedError, match=r"http://example.org/p.png"):
        page_of(new_markdown_cell("![a](http://example.org/p.png)"))


@pytest.mark.parametrize(
    "html",
    [
        '<script src="https://x.org/a.js"></script>',
        '<link rel="stylesheet" href="https://x.org/a.css">',
        '<img src="//x.org/a.png">',
        '<iframe src="a.html"></iframe>',
        '<svg><image href="http://x.org/a.png"/></svg>',
    ],
)
def test_loads_are_noticed(html):
    assert len(loads_from_outside(html)) == 1


def _pictures(*pngs):
    outputs = [new_output("display_data", {"image/png": png}) for png in pngs]
    return new_notebook(cells=[new_code_cell(outputs=[output]) for output in outputs])


def test_a_broken_picture_is_no_thumbnail_and_the_next_one_is():
    file = io.BytesIO()
    Image.new("RGB", (600, 600)).save(file, "PNG")
    good, cut, wrong = (
        base64.b64encode(raw).decode()
        for raw in (file.getvalue(), file.getvalue()[:60], b"\x89PNG\r\n\x1a\n" + bytes(40))
    )
    broken = ["no base64!", "aGVsbG8=", cut, wrong]
    for picture in broken:
        assert thumbnail(_pictures(picture)) == ""
    assert thumbnail(_pictures(*broken, good)) == thumbnail(_pictures(good)) != ""


def test_the_glossary_is_a_page_whose_words_can_be_linked_to():
    source = (
        "# Glossary\n\nWords.\n\n## Measures\n\n### NCP\nA width $w$. [13](13_mondrian.ipynb) and [03](03_k.ipynb)\n"
    )
    page = glossary_page(source, {"13_mondrian.ipynb": "13_mondrian"})
    assert '<h3 id="ncp">' in page
    assert '<a href="13_mondrian.html">13</a>' in page
    assert "03_k" not in page  # it is in no batch
    assert "<math" in page
    assert loads_from_outside(page) == []
