"""The command audit: its sections, its page and picture, and what it keeps to itself."""

import pytest

from anonnb.reports.page import loads_from_outside
from tests.cli.test_commands import ROLES, call, people, refused  # noqa: F401

SECTIONS = ("Class sizes.", "Columns.", "Combinations.", "Secrets.", "Rows at most risk.")


def test_sections_without_values_of_rows(people):  # noqa: F811
    result = call("audit", people, *ROLES, "--fraction", 0.05)
    assert result.exit_code == 0, result.stderr
    assert all(f"\n{title}" in result.stdout for title in (*SECTIONS, "In the population."))
    assert "zip × age" in result.stdout
    assert "zip = " not in result.stdout
    assert "zip = 0123" in call("audit", people, *ROLES, "--rows", "--worst", 40).stdout


@pytest.mark.slow
def test_a_page_and_a_picture(people, tmp_path):  # noqa: F811
    page, picture = tmp_path / "page.html", tmp_path / "audit.png"
    result = call("audit", people, *ROLES, "--html", page, "--picture", picture)
    assert result.exit_code == 0, result.stderr
    text = page.read_text(encoding="utf-8")
    assert loads_from_outside(text) == []
    assert text.count("<script") == 1  # ours: tables sort
    assert "zip = " not in text
    assert all(f"<h2>{title[:-1]}</h2>" in text for title in SECTIONS)
    assert picture.read_bytes().startswith(b"\x89PNG")
    refused(call("audit", people, *ROLES, "--html", page), "exists already")
    assert call("audit", people, *ROLES, "--html", page, "--rows", "--force").exit_code == 0
    assert "age = " in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--weight", "nobody"), "weight: there is no column 'nobody'"),
        (("--fraction", "0"), "fraction must be above 0"),
        (("--largest", "0"), "largest must be at least 1"),
        (("--html", "page.txt"), "--html page.txt: use a name that ends in .html"),
        (("--picture", "nowhere/a.png"), "--picture nowhere/a.png: there is no folder nowhere"),
    ],
)
def test_bad_options(people, options, words):  # noqa: F811
    refused(call("audit", people, *ROLES, *options), words)
