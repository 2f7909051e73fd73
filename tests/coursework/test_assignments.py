"""The assignments: solved they get all points, as handed out none, and their solutions are right."""

import ast
import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from anonnb import load, privacy, utility
from anonnb.coursework import assignments, checks
from anonnb.coursework.assignment import cleared
from anonnb.coursework.checks.comparing import difference
from anonnb.coursework.examiner import answer_names
from anonnb.coursework.releasing import copies
from tests.coursework.desk import Desk, Paper

FOLDER = Path(__file__).parents[2] / "notebooks" / "coursework"
ALL = assignments(FOLDER / "source")
each = pytest.mark.parametrize("assignment", ALL, ids=lambda one: one.name)


# ---- marking ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def desks(tmp_path_factory):
    folder = tmp_path_factory.mktemp("desks")
    return {one.name: Desk(one, folder / one.name) for one in ALL}


@pytest.mark.slow
@each
def test_solved_assignments_get_all_points(desks, assignment):
    mark = desks[assignment.name].mark(Paper(assignment.name[:2], "right", "solved", {}))
    assert {check: text for check, text in mark.messages.items() if text} == {}
    assert (mark.total, mark.errors) == (assignment.auto_points, [])


@pytest.mark.slow
@each
def test_student_copies_fail_every_check(desks, assignment):
    stubs = {cell.id: cleared(cell) for cell in assignment.cells if cell.role == "answer"}
    mark = desks[assignment.name].mark(Paper(assignment.name[:2], "wrong", "empty", {}, stubs))
    assert (mark.total, mark.notes) == (0, [])
    assert all(mark.messages.values())


# ---- the files -------------------------------------------------------------------------------------------------------


@each
def test_points_and_tasks(assignment):
    assert assignment.auto_points + assignment.manual_points == 100
    worth = Counter()
    for cell in assignment.cells:
        worth[cell.task] += cell.points
    text = "\n".join(cell.source for cell in assignment.cells if cell.role == "prose")
    written = re.findall(r"^## (.*) \((\d+) points\)$", text, re.MULTILINE)
    assert 4 <= len(written) <= 8
    assert {task: int(points) for task, points in written} == {task: points for task, points in worth.items() if points}
    assert assignment.texts


@each
def test_every_check_says_in_words_what_must_hold(assignment):
    expected = {cell.id: re.match(r"# (.*)", cell.source) for cell in assignment.checks}
    for cell in assignment.checks:
        assert expected[cell.id], f"{cell.id} begins without a comment"
        assert len(expected[cell.id][1].split()) >= 4
        assert cell.task, f"{cell.id} stands under no heading"
    assert len({match[1] for match in expected.values()}) == len(expected)


@each
def test_the_rule_stands_in_every_copy(assignment):
    guide = (FOLDER / "README.md").read_text(encoding="utf-8")
    rule = guide.split("<!-- the rule -->")[1].split("<!-- end of the rule -->")[0].strip()
    assert assignment.notebook.cells[1].source == rule


@each
def test_answers_go_to_the_checks_as_copies(assignment):
    """Whatever a check computes with is what ``checks`` made of the answer: students and marker see the same."""
    given = [ast.parse(cell.source) for cell in assignment.cells if cell.role == "given"]
    names = {name for tree in given for node in ast.walk(tree) for name in defined(node)}
    helpers = {node.name for tree in given for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    for cell in assignment.checks:
        assert stray_answers(cell.source, dict.fromkeys(names), helpers) == set(), cell.id


def test_a_stray_answer_is_found():
    code = "checks.equal('a', mine, 3)\nassert len(mine) == 3\nhelp(other)"
    assert stray_answers(code, {"checks": None}, {"help"}) == {"mine"}


def defined(node):
    """The names that a statement defines."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return [node.id]
    if isinstance(node, ast.FunctionDef):
        return [node.name]
    return [(node.asname or node.name).partition(".")[0]] if isinstance(node, ast.alias) else []


def stray_answers(code, given, helpers):
    """The answers that a check hands to something else than ``checks.…`` or a function of a given cell."""
    wanted, handed_over = set(answer_names(code, given)), set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call):
            called = node.func.value if isinstance(node.func, ast.Attribute) else node.func
            if isinstance(called, ast.Name) and called.id in {"checks", *helpers}:
                values = [*node.args, *(keyword.value for keyword in node.keywords)]
                handed_over |= {(one.lineno, one.col_offset) for one in values}
    names = (node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name))
    return {node.id for node in names if node.id in wanted and (node.lineno, node.col_offset) not in handed_over}


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
        if cell.role in ("given", "id", "answer"):
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
    beside = found["side_by_side"](found["ours"], found["printed"])
    assert (found["count_near"](beside), found["furthest"](beside)) == (16, (10, "M2"))
    beside = beside.set_index(["k", "method"])
    patterns = beside.loc[[(k, f"cT{variant}") for k in (2, 5, 10) for variant in range(1, 5)]]
    assert patterns["difference"].abs().max() < 0.02  # as the model answer says
    assert beside.loc[(2, "M2"), "difference"] == pytest.approx(0, abs=0.001)
    assert round(beside.loc[(10, "M2"), "paper"], 2) == 0.43
    whole = load("hayes-roth")
    parts = found["test_parts"](len(whole), 10, 0)
    assert sorted(np.concatenate(parts).tolist()) == list(range(160))
