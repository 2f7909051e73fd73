"""The five assignments: solved they get all points, as handed out none, and their solutions are right."""

import ast
import json
import re
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest

from anonnb import load, privacy, utility
from anonnb.coursework import Limits, assignments, checks, mark_folder
from anonnb.coursework.exercises import difference
from anonnb.coursework.releasing import copies

FOLDER = Path(__file__).parents[2] / "notebooks" / "coursework"
ALL = assignments(FOLDER / "source")
each = pytest.mark.parametrize("assignment", ALL, ids=lambda one: one.name)


# ---- marking ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def marks(tmp_path_factory):
    """The sources handed in by a student called solved, the copies by one called empty."""
    folder = tmp_path_factory.mktemp("submitted")
    for assignment in ALL:
        for student, content in {"solved": nbformat.writes(assignment.notebook), "empty": None}.items():
            path = folder / student / assignment.name / f"{assignment.name}.ipynb"
            path.parent.mkdir(parents=True)
            path.write_bytes(copies(assignment)[path.name] if content is None else content.encode())
    found = mark_folder(folder, ALL, limits=Limits(seconds=900))
    return {(mark.student, mark.assignment): mark for mark in found}


@pytest.mark.slow
@each
def test_solved_assignments_get_all_points(marks, assignment):
    mark = marks["solved", assignment.name]
    assert {task.task: task.message for task in mark.tasks if task.message} == {}
    assert (mark.status, mark.auto_points, mark.errors) == ("marked", assignment.auto_points, [])


@pytest.mark.slow
@each
def test_student_copies_fail_every_check(marks, assignment):
    mark = marks["empty", assignment.name]
    assert (mark.status, mark.auto_points, mark.notes) == ("marked", 0, [])
    assert all(task.message for task in mark.tasks)


# ---- the files -------------------------------------------------------------------------------------------------------


def test_there_are_five():
    assert [one.name[:2] for one in ALL] == ["01", "02", "03", "04", "05"]


@each
def test_points_and_tasks(assignment):
    assert assignment.auto_points + assignment.manual_points == 100
    assert 4 <= len(assignment.checks) + len(assignment.texts) <= 8
    assert assignment.texts
    text = "\n".join(cell.source for cell in assignment.cells if cell.role == "prose")
    written = [int(points) for points in re.findall(r"^## .*\((\d+) points\)$", text, re.MULTILINE)]
    assert written == [cell.points for cell in assignment.cells if cell.points]


@each
def test_committed_copies_are_what_the_source_gives(assignment):
    folder = FOLDER / "release" / assignment.name
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == copies(assignment), "run `make coursework`"


@each
def test_copies_hold_no_solution_and_no_hidden_test(assignment):
    content = copies(assignment)[f"{assignment.name}.ipynb"].decode()
    shown = {line.strip() for cell in json.loads(content)["cells"] for line in "".join(cell["source"]).splitlines()}
    assert "SOLUTION" not in content
    assert "HIDDEN" not in content
    assert "Model answer" not in content
    region = re.compile(r"### BEGIN (SOLUTION|HIDDEN TESTS)\n(.*?)### END \1", re.DOTALL)
    sources = [cell.source for cell in assignment.cells if cell.role != "text"]
    secret = {line.strip() for source in sources for found in region.finditer(source) for line in found[2].splitlines()}
    open_ = {line.strip() for source in sources for line in region.sub("", source).splitlines()}
    telling = {line for line in secret - open_ if len(line) > 5}  # brackets are no secret
    assert len(telling) > 20
    assert not telling & shown


@each
def test_sources_are_clean(assignment):
    for cell in assignment.notebook.cells:
        if cell.cell_type == "code":
            assert (cell.outputs, cell.execution_count) == ([], None)
            ast.parse(cell.source)


def test_the_guide_tells_the_points():
    guide = (FOLDER / "README.md").read_text(encoding="utf-8")
    for one in ALL:
        assert re.search(rf"`{one.name}`.*\| {one.auto_points:g} \+ {one.manual_points:g} \|", guide)


# ---- the solutions, computed another way ---------------------------------------------------------------------------


def solved(number, folder, monkeypatch):
    """The names that the solution of an assignment defines."""
    monkeypatch.chdir(folder)
    names = {"__name__": "__main__"}
    for cell in ALL[number - 1].cells:
        if cell.role in ("given", "answer"):
            exec(compile(cell.source, cell.id, "exec"), names)
    return names


def test_rough_sets_and_rules(tmp_path, monkeypatch):
    found = solved(1, tmp_path, monkeypatch)
    rows = {name: tuple(row) for name, row in zip(found["loans"].index, found["loans"].to_numpy(), strict=True)}
    doubles = {name: {other for other in rows if rows[other][:3] == rows[name][:3]} for name in rows}
    granted = {name for name in rows if rows[name][4] == "yes"}
    assert {frozenset(one) for one in found["classes"]} == set(map(frozenset, doubles.values()))
    assert found["lower"] == {name for name in rows if doubles[name] <= granted} == {"p1", "p5", "p7", "p8"}
    assert found["upper"] == {name for name in rows if doubles[name] & granted}
    assert found["boundary"] == {"p2", "p3", "p4"}
    assert {frozenset(one) for one in found["reducts"]} == {
        frozenset({"debts", "savings"}),
        frozenset({"income", "job", "savings"}),
    }
    assert found["core"] == {"savings"}
    matched = checks.certain_rules("rules", found["rules"], found["table"])
    assert sorted(int(rows.sum()) for rows, _ in matched) == [1, 3, 4]  # the model answer speaks of a single supporter


@pytest.mark.slow
def test_by_hand_and_by_code(tmp_path, monkeypatch):
    found = solved(2, tmp_path, monkeypatch)
    # ages span 40 years; three zip codes of six; the sex is exact
    by_hand = np.mean([(38 - 21) / 40, (39 - 24) / 40, (61 - 52) / 40, 2 / 5, 2 / 5, 2 / 5, 0, 0, 0])
    release = checks.generalized("by_hand", found["by_hand"], found["patients"])
    assert utility.ncp(found["patients"], release) == pytest.approx(by_hand)
    assert round(by_hand, 2) == 0.25
    losses = {}
    for name in ("by_code", "diverse"):
        release = checks.generalized(name, found[name], found["table"])
        losses[name] = round(utility.ncp(found["table"], release), 3)
    assert losses == {"by_code": 0.043, "diverse": 0.055}  # the figures of the model answer


@pytest.mark.slow
def test_break_a_release(tmp_path, monkeypatch):
    found = solved(3, tmp_path, monkeypatch)
    by_illness = {"flu": "Ann Bob Cem Hana Lea", "asthma": "Dora Fay Ivo Nora", "diabetes": "Eli Gus Max Jia"}
    truth = {name: illness for illness, names in by_illness.items() for name in names.split()}
    assert found["linked"] == {name: ill for name, ill in truth.items() if name not in ("Gus", "Max")}
    assert found["exposed"] == {"Ann": "flu", "Bob": "flu", "Cem": "flu"}
    assert found["both"] == {name: truth[name] for name in ("Bob", "Cem", "Eli", "Gus", "Max", "Fay")}
    for release in (found["blurred"], found["january"], found["june"]):
        assert sorted(release["illness"]) == sorted(truth.values())
        boxes = release.groupby(["age_from", "age_to", "sex", "zip_from", "zip_to"])["illness"]
        assert boxes.size().min() >= 3
    for release in (found["january"], found["june"]):
        boxes = release.groupby(["age_from", "age_to", "sex", "zip_from", "zip_to"])["illness"]
        assert boxes.nunique().min() >= 2
    for person in found["people"].to_dict("records"):
        for release in (found["blurred"], found["january"], found["june"]):
            assert truth[person["name"]] in found["possible"](person, release)
    shares = found["successes"]
    assert 0 < shares["homogeneity"] < shares["intersection"]  # else tasks 5 and 6 would teach nothing
    classes = found["first"].group_sizes
    assert shares["linkage"] == pytest.approx(len(classes) / classes.sum())


@pytest.mark.slow
def test_publish_your_own(tmp_path, monkeypatch):
    found = solved(4, tmp_path, monkeypatch)
    published = pd.read_csv(tmp_path / "published.csv", dtype=str)
    groups = published.groupby(found["QUASI"])["occupation"]
    assert groups.size().min() >= 5
    assert groups.nunique().min() >= 3
    assert len(published) == 500
    risk = privacy.risk(found["table"])
    assert difference(found["audit"], {"k": 1, "unique": risk.unique, "risk": risk.prosecutor_average}) == ""
    assert round(found["audit"]["unique"], 2) == 0.58  # the figures of the model answer
    assert round(utility.ncp(found["table"], found["release"]), 2) == 0.08
    assert found["default"]["id"].is_unique


@pytest.mark.slow
def test_reproduce_a_table(tmp_path, monkeypatch):
    found = solved(5, tmp_path, monkeypatch)
    assert (found["near"], found["furthest"]) == (16, (10, "M2"))
    beside = found["beside"].set_index(["k", "method"])
    patterns = beside.loc[[(k, f"cT{variant}") for k in (2, 5, 10) for variant in range(1, 5)]]
    assert patterns["difference"].abs().max() < 0.02  # as the model answer says
    assert beside.loc[(2, "M2"), "difference"] == pytest.approx(0, abs=0.001)
    assert round(beside.loc[(10, "M2"), "paper"], 2) == 0.43
    whole = load("hayes-roth")
    parts = found["test_parts"](len(whole), 10, 0)
    assert sorted(np.concatenate(parts).tolist()) == list(range(160))
