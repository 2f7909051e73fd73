"""Submissions as they come from learning platforms: sorted into folders, with a report that leaves nothing out."""

import io
import os
import stat
import unicodedata
import zipfile
from datetime import datetime

import nbformat
import pytest

from anonnb.coursework.assignment import Assignment
from anonnb.coursework.course import archives
from anonnb.coursework.course.intake import collect
from anonnb.coursework.course.roster import Enrolled, Owner, Roster
from anonnb.coursework.course.sheets import read_sheet
from anonnb.coursework.course.times import read_collected_times, time_in
from anonnb.coursework.submissions import find_submissions, read_ids
from tests.coursework.tiny import NAME, graded, source_notebook, submission, write_source

MOODLE = "{}_{}_assignsubmission_file_"


@pytest.fixture
def tiny(tmp_path):
    return write_source(tmp_path / "source")


@pytest.fixture
def other(tmp_path):
    """A second assignment, whose cells have other names."""
    notebook = source_notebook()
    notebook.cells = [graded("code", f"z{n}", "pass", solution=True) for n in range(4)]
    path = tmp_path / "source" / "02_other" / "02_other.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(notebook, path)
    return Assignment.read(path)


def text_of(assignment, **answers):
    return nbformat.writes(submission(assignment, answers)).encode()


def packed(files, when=(2026, 1, 1, 12, 0, 0)):
    """An archive: name → content, or (content, time)."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            content, time = content if isinstance(content, tuple) else (content, when)
            archive.writestr(zipfile.ZipInfo(name, time), content, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def gathered(tmp_path, assignments, files, **options):
    """What became of an archive with these files: (student, assignment, status) → its line."""
    (tmp_path / "all.zip").write_bytes(packed(files))
    return collected(tmp_path, assignments, tmp_path / "all.zip", **options)


def collected(tmp_path, assignments, source, **options):
    arrivals = collect(source, assignments, tmp_path / "in", **options)
    assert not list(tmp_path.glob(".intake-*"))
    return arrivals


def statuses(arrivals):
    return [(one.student, one.assignment, one.status) for one in arrivals]


@pytest.mark.parametrize(
    "name",
    [
        MOODLE.format("Zoë Ångström", 17) + f"/{NAME} (1).ipynb",
        unicodedata.normalize("NFD", MOODLE.format("Zoë Ångström", 17)) + "/assignment-1 (copy).ipynb",
        MOODLE.format("Zoë Ångström", 17) + f"{NAME}.ipynb",
        MOODLE.format("ångström  ZOË", 99) + f"/deep/er/{NAME}-Copy2.ipynb",
        "Assignment 1/Angstrom, Zoe/anything at all.ipynb",
        "s1/x.ipynb",
        "angstromzoe_LATE_4711_88_x-1.ipynb",
        f"wrapper/Zoe Aangstroem/{NAME}.ipynb",
        "Zoe_Angstrom.zip",
    ],
)
def test_the_folders_of_platforms_lead_to_the_student(tiny, tmp_path, name):
    roster = Roster([Enrolled("s1", "Zoë Ångström", "17"), Enrolled("s2", "Bob Ångström")])
    content = packed({"x.ipynb": text_of(tiny)}) if name.endswith(".zip") else text_of(tiny)
    arrivals = gathered(tmp_path, [tiny], {name: content}, roster=roster)
    assert statuses(arrivals) == [("s1", NAME, "taken"), ("s2", NAME, "missing")]
    found = find_submissions(tmp_path / "in", [NAME])
    assert [(one.student, one.path.name) for one in found] == [("s1", f"{NAME}.ipynb")]
    assert found[0].path.read_bytes() == text_of(tiny)


def test_without_a_list_the_names_of_folders_count_and_namesakes_stay_apart(tiny, tmp_path):
    names = [MOODLE.format("Ann Li", 1), MOODLE.format("Ann Li", 2), MOODLE.format("Zo\u00eb", 3)]
    arrivals = gathered(tmp_path, [tiny], {f"{name}/a.ipynb": text_of(tiny) for name in names})
    assert statuses(arrivals) == [(who, NAME, "taken") for who in ("Ann Li 1", "Ann Li 2", "Zoë")]


def test_a_folder_of_folders_of_archives_is_opened(tiny, tmp_path):
    home = tmp_path / "from platform" / MOODLE.format("Ann", 1)
    home.mkdir(parents=True)
    inner = packed({"work/01.ipynb": text_of(tiny), "work/my.csv": b"a\n1\n", "__MACOSX/._01.ipynb": b"x"})
    (home / "hand in.zip").write_bytes(packed({"more/inner.zip": inner, "notes.pdf": b"%PDF"}))
    arrivals = collected(tmp_path, [tiny], tmp_path / "from platform")
    assert statuses(arrivals) == [("Ann", "", "left out"), ("Ann", NAME, "taken"), ("Ann", NAME, "beside")]
    folder = tmp_path / "in" / "Ann" / NAME
    assert sorted(path.name for path in folder.iterdir()) == [f"{NAME}.ipynb", "my.csv"]


def test_a_table_that_goes_with_no_notebook_is_in_the_report(tiny, tmp_path):
    files = {"ann/01.ipynb": text_of(tiny), "ann/x/own.csv": b"a\n1\n", "bob/own.csv": b"a\n1\n"}
    arrivals = gathered(tmp_path, [tiny], files)
    assert statuses(arrivals) == [
        ("ann", "", "left out"),
        ("ann", NAME, "taken"),
        ("bob", "", "left out"),
        ("bob", NAME, "missing"),
    ]
    assert arrivals[0].note == "no notebook that counts lies in its folder"


def test_names_that_make_one_folder_stay_apart(tiny, tmp_path):
    arrivals = gathered(tmp_path, [tiny], {f"a{letter}b/01.ipynb": text_of(tiny) for letter in "?*"})
    assert [one.status for one in arrivals] == ["taken", "taken"]
    assert len({one.student for one in arrivals}) == 2
    assert all(one.student.startswith("a_b ") for one in arrivals)


def test_cells_decide_which_assignment_it_is_and_the_report_says_what_is_odd(tiny, other, tmp_path):
    files = {
        "ann/02_other.ipynb": text_of(tiny),
        "bob/something.ipynb": text_of(other),
        "cid/x.ipynb": nbformat.writes(nbformat.v4.new_notebook()).encode(),
        "dan/01.ipynb": b"{no notebook",
        f"eve/{NAME}.ipynb": nbformat.writes(nbformat.v4.new_notebook()).encode(),
    }
    arrivals = gathered(tmp_path, [tiny], files, known=[tiny, other])
    lines = {(one.student, one.status): one.note for one in arrivals}
    assert lines == {
        ("ann", "taken"): f"its name says 02_other, its cells are those of {NAME}",
        ("bob", "other assignment"): "it is not collected now",
        ("bob", "missing"): "other files came",
        ("cid", "unknown"): "it has the cells of no assignment",
        ("cid", "missing"): "other files came",
        ("dan", "taken"): "it is no readable notebook; it was recognized by its name",
        ("eve", "taken"): f"only 0 % of the cells of {NAME} are in it",
    }


@pytest.mark.parametrize(
    ("files", "counts"),
    [
        ({"a.ipynb": (2026, 1, 1, 12, 0, 0), "b.ipynb": (2026, 1, 1, 11, 0, 0)}, "a.ipynb"),
        ({f"{NAME}.ipynb": (2026, 1, 1, 12, 0, 0), f"{NAME} (2).ipynb": (2026, 1, 1, 12, 0, 0)}, f"{NAME} (2).ipynb"),
        ({"x (10).ipynb": (2026, 1, 1, 12, 0, 0), "x (9).ipynb": (2026, 1, 1, 12, 0, 0)}, "x (10).ipynb"),
        ({"a/x.ipynb": (2026, 1, 1, 12, 0, 0), "b/x.ipynb": (2026, 1, 1, 12, 0, 0)}, "b/x.ipynb"),
    ],
)
def test_of_two_notebooks_the_newest_counts_and_the_other_is_named(tiny, tmp_path, files, counts):
    mine = {f"ann/{name}": (text_of(tiny), time) for name, time in files.items()}
    taken, older, _ = gathered(tmp_path, [tiny], mine | {"bob/x.ipynb": text_of(tiny)})
    assert (taken.status, taken.file, taken.note) == ("taken", f"ann/{counts}", "the newest of 2 notebooks counts")
    assert (older.status, older.note) == ("older", f"ann/{counts} is newer and counts")


def test_a_time_inside_a_students_own_archive_does_not_make_it_early(tiny, tmp_path):
    inner = packed({"01.ipynb": text_of(tiny)}, (2001, 1, 1, 0, 0, 0))
    (one,) = gathered(tmp_path, [tiny], {"ann/mine.zip": (inner, (2026, 5, 5, 5, 5, 4))})
    assert one.time == datetime(2026, 5, 5, 5, 5, 4).astimezone()
    (path,) = (tmp_path / "in").rglob("*.ipynb")
    assert path.stat().st_mtime == one.time.timestamp()
    (line,) = read_sheet(tmp_path / "in-times.csv")
    assert time_in(line["time"]) == one.time


def test_times_from_moodles_worksheet_count(tiny, tmp_path):
    sheet = tmp_path / "worksheet.csv"
    sheet.write_text(
        "Identifier,Full name,Status,Grade,Last modified (submission)\n"
        'Participant 17,Zoë Å,Submitted,,"Monday, 30 November 2026, 11:59 PM"\nParticipant 18,Bob,-,,-\n',
        encoding="utf-8-sig",
    )
    roster = Roster.read(sheet)
    assert [student.id for student in roster.students] == ["17", "18"]
    times = read_collected_times(sheet, roster)
    name = MOODLE.format("Zoë Å", 17) + "/a.ipynb"
    taken, missing = gathered(tmp_path, [tiny], {name: text_of(tiny)}, roster=roster, times=times)
    assert taken.time == datetime(2026, 11, 30, 23, 59).astimezone()
    assert (missing.student, missing.note) == ("18", "nothing came")
    assert read_ids(tmp_path / "in-ids.csv") == {"17": "17", "18": "18"}


# ---- names -----------------------------------------------------------------------------------------------------------


def test_students_who_fit_equally_well_are_not_guessed(tiny, tmp_path):
    roster = Roster([Enrolled("s1", "Li Wang"), Enrolled("s2", "Wang Li")])
    assert roster.find(Owner("Li Wang"))[0] == "s1"
    student, why = roster.find(Owner("Lí Wáng"))
    assert student is None
    assert why == "'Lí Wáng' may be s1 or s2; name the folder by the id"
    arrivals = gathered(
        tmp_path, [tiny], {"Lí Wáng/a.ipynb": text_of(tiny), "Nobody/a.ipynb": text_of(tiny)}, roster=roster
    )
    assert {(one.student, one.status) for one in arrivals} == {
        ("Lí Wáng", "unknown"),
        ("Nobody", "unknown"),
        ("s1", "missing"),
        ("s2", "missing"),
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name\nAnn\n", "row 2: there is no id; the list needs the columns id and name"),
        ("id,name\ns1,Ann\nS1,Bob\n", "the id 'S1' occurs twice"),
        ("id,name\n../s1,Ann\n", "the id '../s1' cannot be the name of a folder"),
    ],
)
def test_a_list_of_students_that_is_none_is_refused(tmp_path, text, message):
    (tmp_path / "list.csv").write_text(text)
    with pytest.raises(ValueError, match=message):
        Roster.read(tmp_path / "list.csv")


# ---- hostile ---------------------------------------------------------------------------------------------------------


def linked():
    info = zipfile.ZipInfo("01_tiny.ipynb", (2026, 1, 1, 0, 0, 0))
    info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(info, "/etc/passwd")
    return file.getvalue()


def nested(depth):
    content = packed({"a.txt": b"x"})
    for _ in range(depth):
        content = packed({"in.zip": content})
    return content


HOSTILE = {
    "names a path outside itself": lambda: packed({"../../01_tiny.ipynb": b"{}"}),
    "names a path outside itself (": lambda: packed({"/etc/01_tiny.ipynb": b"{}"}),
    "names a path outside itself ('C:": lambda: packed({"C:\\01_tiny.ipynb": b"{}"}),
    "holds a link": linked,
    "MB into almost nothing": lambda: packed({"01_tiny.ipynb": b" " * 30_000_000}),
    "cannot be opened as a ZIP archive": lambda: b"PK\x03\x04 and nothing more",
    "is an archive in 3 others": lambda: nested(5),
    "holds too many files": lambda: packed({f"{n}.txt": b"" for n in range(60)}),
}


@pytest.mark.parametrize("why", HOSTILE, ids=lambda why: why.replace(" ", "-"))
def test_hostile_archives_are_refused_in_a_sentence_and_the_others_taken(tiny, tmp_path, why, monkeypatch):
    monkeypatch.setattr(archives._Budget, "__init__", lambda self: vars(self).update(files=50, bytes=4_000_000_000))
    home = tmp_path / "all"
    (home / "ann").mkdir(parents=True)
    (home / "eve").mkdir()
    (home / "ann" / "01.ipynb").write_bytes(text_of(tiny))
    (home / "eve" / "evil.zip").write_bytes(HOSTILE[why]())
    arrivals = collected(tmp_path, [tiny], home)
    assert [(one.student, one.status) for one in arrivals if one.status != "missing"] == [
        ("ann", "taken"),
        ("eve", "refused"),
    ]
    assert why in arrivals[-2].note + arrivals[-1].note
    assert {path.name for path in (tmp_path / "in").iterdir()} == {"ann"}
    assert not (tmp_path / "01_tiny.ipynb").exists()


@pytest.mark.parametrize("why", list(HOSTILE)[:5], ids=lambda why: why.replace(" ", "-"))
def test_an_archive_that_is_hostile_as_a_whole_stops_the_intake(tiny, tmp_path, why):
    (tmp_path / "all.zip").write_bytes(HOSTILE[why]())
    with pytest.raises(archives.BadArchive) as error:
        collected(tmp_path, [tiny], tmp_path / "all.zip")
    assert why in str(error.value)
    assert not (tmp_path / "in").exists()


def test_links_in_a_folder_are_not_followed(tiny, tmp_path):
    (tmp_path / "all" / "eve").mkdir(parents=True)
    (tmp_path / "secret.ipynb").write_bytes(text_of(tiny))
    (tmp_path / "all" / "eve" / f"{NAME}.ipynb").symlink_to(tmp_path / "secret.ipynb")
    (tmp_path / "all" / "loop").symlink_to(tmp_path / "all")
    arrivals = collected(tmp_path, [tiny], tmp_path / "all")
    assert {one.status for one in arrivals} == {"refused", "missing", "unknown"} - {"unknown"}
    assert list((tmp_path / "in").iterdir()) == []


def test_an_archive_that_lies_about_sizes_gives_no_more_than_the_limit(tmp_path):
    (tmp_path / "a.zip").write_bytes(packed({"ann/a.ipynb": b"x" * 1000}))
    (piece,) = archives.walk(tmp_path / "a.zip")
    assert piece.read(999) is None
    assert len(piece.read(1000)) == 1000


def test_bytes_that_are_no_utf_8_and_formulas_in_names_do_no_harm(tiny, tmp_path):
    home = os.path.join(os.fsencode(tmp_path / "all"), b"M\xfcller")
    os.makedirs(home)
    (tmp_path / "all" / "=cmd()").mkdir()
    for folder in (home, os.fsencode(tmp_path / "all" / "=cmd()")):
        with open(os.path.join(folder, b"01.ipynb"), "wb") as file:
            file.write(text_of(tiny))
    arrivals = collected(tmp_path, [tiny], tmp_path / "all")
    assert [one.status for one in arrivals] == ["taken", "taken"]
    text = (tmp_path / "in-report.csv").read_text(encoding="utf-8")
    assert "\n'=cmd()," in text
    assert sorted(line["student"] for line in read_sheet(tmp_path / "in-report.csv")) == ["=cmd()", "M_ller"]


def test_what_is_there_already_is_not_touched(tiny, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "mine.txt").write_text("mine")
    with pytest.raises(ValueError, match="is there already; choose another folder"):
        gathered(tmp_path, [tiny], {"ann/a.ipynb": text_of(tiny)})
    assert (tmp_path / "in" / "mine.txt").read_text() == "mine"
