"""The book is built whole or not at all. `make book` builds all of it; here a page is enough."""

import re

import pytest

from anonnb.book import building
from tests.book.one_page import one_page


@pytest.mark.slow
def test_a_page_with_a_formula_and_a_frame_script(tmp_path, monkeypatch):
    monkeypatch.setattr(building, "lay_out", one_page("index.md", "# A\n\n$k < 3$ and --data\n"))
    out = building.build(tmp_path / "site", None, jobs=1)
    page = (out / "index.html").read_text(encoding="utf-8")
    assert "<math" in page
    assert "--data" in page
    assert "anonnb-frames.js" in page
    assert (out / "_static" / "anonnb-frames.js").is_file()
    assert not re.search(r"<script[^>]*mathjax", page, re.IGNORECASE)


@pytest.mark.slow
def test_a_warning_is_a_failure_and_the_old_site_stays(tmp_path, monkeypatch):
    old = tmp_path / "site"
    old.mkdir()
    (old / "index.html").write_text("old")
    monkeypatch.setattr(building, "lay_out", one_page("index.md", "# A\n\n[nothing](nothing.md)\n"))
    with pytest.raises(building.BadBook, match=r"index\.md:3: WARNING.*nothing\.md"):
        building.build(old, None, jobs=1)
    assert (old / "index.html").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]
