"""Assignments with data of one's own: everybody's own right answers get all points, somebody else's do not."""

import ast

import numpy as np
import pytest

from anonnb.coursework.checks.calling import AnswerFunction
from anonnb.coursework.examiner import answer_names
from anonnb.coursework.plain import dumps
from tests.coursework.desk import ALL, Desk, Paper
from tests.coursework.test_assignments import defined, solved

VARYING = [number for number, assignment in ALL.items() if any(cell.role == "id" for cell in assignment.cells)]
each = pytest.mark.parametrize("number", VARYING)


def paper(number, student, **cells):
    return Paper(number, "right", f"{student or 'nobody'} {'copied' if cells else ''}", {}, {
        "student_id": f"STUDENT = {student!r}", **cells
    })  # fmt: skip


def values(number, student, folder):
    """The plain answers of the model solution with a student's data: by answer cell, as code that loads them."""
    names = {}
    desk = Desk(ALL[number], folder)
    taken = desk.taken(paper(number, student))
    for check in ALL[number].checks:
        for name in answer_names(check.source, taken.given):
            value = taken.student.value(name)
            if not isinstance(value, AnswerFunction):
                names[name] = f"{name} = __import__('anonnb.coursework.plain').coursework.plain.loads({dumps(value)!r})"
    cells = {}
    for cell in ALL[number].cells:
        here = {one for node in ast.walk(ast.parse(cell.source)) for one in defined(node)} if cell.is_code else set()
        if cell.role == "answer" and here & names.keys():
            cells[f"+{cell.id}"] = "\n".join(names[name] for name in sorted(here & names.keys()))
    return cells


@each
def test_students_get_different_data(number, tmp_path, monkeypatch):
    """What the given cells draw differs between any two of five students."""
    monkeypatch.chdir(tmp_path)  # some cells write a file
    drawn = []
    for student in ("", "ann", "bob", "cem", "dora"):
        names = {"STUDENT": student}
        for cell in ALL[number].cells:
            if cell.role == "given":
                exec(compile(cell.source, cell.id, "exec"), names)
        kept = {"loans", "clinic", "people", "default", "SEED", "KS"}
        kept |= {"true_inside", "AGES", "patients", "spring", "CAP", "WITHIN", "SUM", "order", "losses", "OTHERS"}
        kept -= {"patients"} if number == "02" else set()  # a Table there
        drawn.append(dumps({name: names[name] for name in sorted(kept & names.keys())}))
    assert len(set(drawn)) == len(drawn)


@pytest.mark.slow
@pytest.mark.parametrize("number", VARYING[:5])  # the submissions of the others hold a student with an id
def test_ones_own_right_answers_get_all_points(number, tmp_path):
    mark = Desk(ALL[number], tmp_path).mark(paper(number, "Zoë"))
    assert {check: text for check, text in mark.messages.items() if text} == {}
    assert (mark.total, mark.notes) == (ALL[number].auto_points, [])


@pytest.mark.slow
@each
def test_somebody_elses_answers_lose_points(number, tmp_path):
    """Ann's answers, values for values, under the names that they have, in Bob's notebook."""
    copied = values(number, "ann", tmp_path)
    mark = Desk(ALL[number], tmp_path).mark(paper(number, "bob", **copied))
    assert mark.total < 0.9 * ALL[number].auto_points


@pytest.mark.slow
def test_ones_own_answers_as_values_get_all_points(tmp_path):
    """Else the test above would say nothing."""
    for number in ("01", "07", "08", "09"):
        copied = values(number, "ann", tmp_path / number)
        mark = Desk(ALL[number], tmp_path / f"{number} again").mark(paper(number, "ann", **copied))
        assert mark.total == ALL[number].auto_points


@pytest.mark.slow
def test_figures_of_the_model_answers(tmp_path, monkeypatch):
    found = solved(10, tmp_path, monkeypatch)
    measured = {
        name: (found["losses"][name], *(found[of](release.frame, found["QUASI"], *more) for of, more in (
            ("risk", ()), ("belief", (found["SECRET"],)))))
        for name, release in found["offers"].items()
    }  # fmt: skip
    assert (found["K"], found["L"], found["BUDGET"]) == (5, 3, 0.13)
    assert round(found["utility"].ncp(found["members"], found["release"]), 3) == 0.095
    assert round(measured["Mondrian"][0], 3) == 0.082
    assert found["worst"](found["offers"]["Mondrian"].frame, found["QUASI"], found["SECRET"]) == pytest.approx(7 / 9)
    for beaten in ("GCCG", "KACA"):
        assert all(np.array(measured["Mondrian"]) <= measured[beaten])
    assert np.round(measured["Samarati"][:2], 2).tolist() == [0.41, 0.04]
    assert found["attacked"]["low"] > 0
    assert round(float(np.exp(0.5)), 2) == 1.65
