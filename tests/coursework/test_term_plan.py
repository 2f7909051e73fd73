"""The plan of the term: twelve weeks, each with its parts; links lead somewhere, and students get no answers."""

import re
from pathlib import Path

import pytest

from anonnb.coursework import BadAssignment, assignments, release_copies
from anonnb.coursework.releasing import page_copy
from tests.coursework.tiny import write_source

FOLDER = Path(__file__).parents[2] / "notebooks" / "coursework"
PLAN = FOLDER / "source" / "term_plan.md"
COPY = FOLDER / "release" / "term_plan.md"
WEEKS = re.split(r"^## (?=Week \d)", PLAN.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
each = pytest.mark.parametrize("week", WEEKS, ids=lambda week: week.partition(":")[0])


def test_there_are_twelve_weeks():
    assert [int(re.match(r"Week (\d+): ", week)[1]) for week in WEEKS] == list(range(1, 13))


@each
def test_a_week_has_all_its_parts(week):
    number = re.match(r"Week (\d+)", week)[1]
    for part in ("**Notebooks:**", "**Reading:**", "**For the discussion**", "**Assignment:**", "**Examination**"):
        assert week.count(part) == 1, part
    assert week.count("**What the discussion should reach.**") == 1
    asked = week.partition("**For the discussion**")[2].partition("**Assignment:**")[0]
    assert len(re.findall(r"^\d\. ", asked, re.MULTILINE)) >= 3
    assert re.findall(r"^\*(\d+\.\d)\* ", week, re.MULTILINE) == [f"{number}.{place}" for place in (1, 2, 3)]
    assert week.count("*Answer.*") == 3


def test_every_assignment_has_its_week_in_order():
    named = [name for week in WEEKS for name in re.findall(r"^\*\*Assignment:\*\* `(\w+)`", week, re.MULTILINE)]
    assert list(dict.fromkeys(named)) == [one.name for one in assignments(FOLDER / "source")]


@pytest.mark.parametrize("page", [PLAN, COPY], ids=["source", "release"])
def test_links_lead_somewhere(page):
    links = re.findall(r"\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    assert len(links) > 30
    assert [link for link in links if not (page.parent / link).is_file()] == []


def test_what_an_assignment_asks_to_read_has_been_read():
    """The notebooks that an assignment builds on are in its week or before."""
    read: set[str] = set()
    for week in WEEKS:
        read |= set(re.findall(r"\.\./\.\./(\d\d[a-z]?)_", week))
        for name in re.findall(r"^\*\*Assignment:\*\* `(\w+)`", week, re.MULTILINE):
            (assignment,) = assignments(FOLDER / "source", [name])
            text = " ".join(next(cell.source for cell in assignment.cells if cell.role == "prose").split())
            before = set(re.findall(r"\b\d\d[a-z]?\b", re.search(r"Read before: (.*?)\.", text)[1]))
            assert before, name
            assert before <= read, name


def test_the_committed_copy_is_what_the_source_gives():
    assert COPY.read_bytes() == page_copy(PLAN), "run `make coursework`"


def test_students_get_questions_for_the_discussion_and_no_answers():
    copy = COPY.read_text(encoding="utf-8")
    assert copy.count("**For the discussion**") == copy.count("\n## Week") == 12
    for word in ("Answer.", "Examination", "TEACHER", "should reach", "teacher's copy"):
        assert word not in copy


def test_marks_must_alternate(tmp_path):
    write_source(tmp_path / "source")
    page = tmp_path / "source" / "plan.md"
    page.write_text("a\n<!-- BEGIN TEACHER -->\nb\n<!-- END TEACHER -->\nc\n", encoding="utf-8")
    release_copies(tmp_path / "source")
    assert (tmp_path / "release" / "plan.md").read_text(encoding="utf-8") == "a\nc\n"
    page.write_text("a\n<!-- BEGIN TEACHER -->\nb\n", encoding="utf-8")
    with pytest.raises(BadAssignment, match=r"plan\.md: BEGIN TEACHER and END TEACHER do not alternate"):
        release_copies(tmp_path / "source")
