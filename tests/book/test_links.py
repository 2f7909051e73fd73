"""A link that leads nowhere and a page that would load from the net are found."""

import pytest

from anonnb.book.links import broken_links

PAGE = '<html><head>{head}</head><body><h1 id="top">a</h1>{body}</body></html>'


def site(tmp_path, body="", head=""):
    (tmp_path / "below").mkdir()
    (tmp_path / "index.html").write_text(PAGE.format(head="", body='<p id="é">x</p>'), encoding="utf-8")
    (tmp_path / "below" / "page.html").write_text(PAGE.format(head=head, body=body), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "body",
    [
        '<a href="../index.html#top">a</a>',
        '<a href="../index.html#%C3%A9">a</a>',
        '<a href="#top">a</a>',
        '<a href="https://example.org/nothing">a</a>',
        '<img src="data:image/png;base64,AA==">',
        '<a href="">a</a>',
    ],
)
def test_good_links(tmp_path, body):
    assert broken_links(site(tmp_path, body)) == []


@pytest.mark.parametrize(
    ("body", "head", "reason"),
    [
        ('<a href="index.html">a</a>', "", "is not there"),
        ('<a href="../index.html#bottom">a</a>', "", "has no such place"),
        ('<img src="https://example.org/a.png">', "", "would be loaded from the net"),
        ("", '<script src="https://example.org/a.js"></script>', "would be loaded from the net"),
        ("", '<link rel="stylesheet" href="//example.org/a.css">', "would be loaded from the net"),
        ("", '<link rel="stylesheet" href="a.css">', "is not there"),
    ],
)
def test_broken_links(tmp_path, body, head, reason):
    found = broken_links(site(tmp_path, body, head))
    assert len(found) == 1
    assert found[0].startswith("below/page.html: ")
    assert found[0].endswith(reason)
