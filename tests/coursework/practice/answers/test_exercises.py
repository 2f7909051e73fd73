"""Every exercise: a wrong answer is refused, a right one is accepted in other types, and texts are complete."""

import ast
import re
from functools import cache

import nbformat
import numpy as np
import pandas as pd
import pytest

from anonnb.core.shipped import shipped
from anonnb.coursework import practice
from anonnb.coursework.practice.asking import fault
from anonnb.coursework.practice.texts import notebooks, texts

NAMES = practice.names()
STUDENTS = ["", "ada", "blaise"]
PARTS = {name: practice.find(name) for name in NAMES if name.endswith((".1", ".2", ".3", ".4", ".5"))}
FUNCTIONS = [name for name in NAMES if PARTS[name].function]
JUDGED = [name for name in NAMES if PARTS[name].answer.judge and name not in FUNCTIONS]
VALUES = [name for name in NAMES if name not in FUNCTIONS and name not in JUDGED]
VARYING = [name for name in NAMES if len(texts(name.partition(".")[0])[name].variants) > 1]


def spoilt(value):
    """Answers that are a little off."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [value + 1, 1.2 * value + 0.07, -value - 1]
    if isinstance(value, str):
        return [f"{value} or not", value[:-1]]
    if isinstance(value, dict):
        return [{**value, next(iter(value)): spoilt(next(iter(value.values())))[0]}, dict(list(value.items())[1:])]
    if isinstance(value, set | frozenset):
        return [{*value, "more"}, set(list(value)[1:])]
    first, *rest = value
    return [[spoilt(first)[0], *rest], [*value, first], rest]


def retyped(value):
    """The same answer as somebody else would give it."""
    if isinstance(value, bool):
        return [np.bool_(value), np.array(value)]
    if isinstance(value, int | float):
        return [np.float64(value), np.array(value), str(value), [value]]
    if isinstance(value, str):
        return [f" {value.upper()} ", np.array(value)]
    if isinstance(value, dict):
        return [pd.Series(value), {str(key).upper(): each for key, each in value.items()}]
    if isinstance(value, set | frozenset):
        listed = sorted(value, key=str, reverse=True)
        return [listed, tuple(listed), pd.Series(listed), [retyped(each)[0] for each in listed]]
    return [tuple(value), pd.Series(list(value)), [retyped(each)[0] for each in value], [str(each) for each in value]]


@pytest.mark.slow
@pytest.mark.parametrize("name", VALUES)
def test_a_wrong_answer_is_refused_and_a_right_one_accepted_in_other_types(name):
    for student in STUDENTS:
        asked = practice.find(name, student)
        right = asked.answer.expected
        assert [form for form in retyped(right) if fault(asked, form) != ""] == []
        wrong = [answer for answer in [*spoilt(right), None, object(), "something else"] if answer != right]
        assert [answer for answer in wrong if not fault(asked, answer)] == []
        assert not any(f" {right!r} " in f" {hint.text} " for hint in asked.hints if not isinstance(right, bool))


LITERAL = re.compile(r"`([^`]+)`")


@pytest.mark.slow
@pytest.mark.parametrize("name", JUDGED)
def test_the_example_of_the_solution_passes_and_others_do_not(name):
    for student in STUDENTS:
        asked = practice.find(name, student)
        example = ast.literal_eval(LITERAL.search(asked.solution)[1])
        assert fault(asked, example) == ""
        for wrong in ("x", 7, [], [1], [(1, 2)], object(), example[:1] if isinstance(example, list) else -1):
            assert fault(asked, wrong) or (name, wrong) == ("64.3", []), wrong


@cache
def starters(notebook):
    """The code cells of a notebook that check an exercise."""
    [path] = shipped("notebooks").glob(f"{notebook}_*.ipynb")
    cells = [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    return {match[1]: source for source in cells if (match := re.search(r'check\("([\w.]+)"', source))}


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_is_to_be_written_can_be_written(name):
    """The worked solution passes, the starter counts as not answered, and functions that do not think fail."""
    asked = PARTS[name]
    code = asked.solution.partition("```python\n")[2].partition("```")[0]
    assert 5 <= len([line for line in code.splitlines() if line.strip()]) <= 30
    assert fault(asked, defined(code, asked.function)) == ""
    starter = starters(name.partition(".")[0])[name].partition("\ncheck(")[0]
    assert fault(asked, defined(starter, asked.function)) is None
    for lazy in (lambda *_: None, lambda *_: [], lambda *_: 0, lambda *given: given[0]):
        assert fault(asked, lazy)


def defined(code, name):
    """The function of that name; solutions may use numpy and pandas, as the notebooks do."""
    space = {}
    exec("import numpy as np\nimport pandas as pd\n" + code, space)
    return space[name]


@pytest.mark.parametrize("name", NAMES)
def test_questions_and_solutions_read_well(name):
    asked, text = PARTS[name], texts(name.partition(".")[0])[name]
    assert len([hint for hint in asked.hints if not hint.mistake]) >= 2
    assert all(hint.text.endswith((".", "?")) for hint in asked.hints)
    assert asked.question.strip().endswith((".", "?", ")"))
    assert len(text.solution) > 20
    assert "  " not in asked.question


@pytest.mark.slow
@pytest.mark.parametrize("name", VARYING)
def test_thirty_names_get_five_different_answers(name):
    asked = [practice.find(name, f"student {number}") for number in range(30)]
    assert len({repr(each.answer.expected) if name in VALUES else each.question for each in asked}) >= 5
    assert all(each.solution and each.hints for each in asked)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if any(hint.mistake for hint in PARTS[name].hints)])
def test_a_known_mistake_is_a_mistake_for_somebody(name):
    asked = [practice.find(name, f"student {number}") for number in range(12)]
    for index, hint in enumerate(asked[0].hints):
        assert not hint.mistake or any(
            not each.is_mistake(each.answer.expected, each.hints[index].mistake) for each in asked
        )


def test_every_notebook_has_its_exercises_and_imports_what_they_need():
    for notebook in notebooks():
        cells = starters(notebook)
        [path] = shipped("notebooks").glob(f"{notebook}_*.ipynb")
        assert path.stem in [file.stem for file in (shipped("notebooks") / "exercises").glob("*.md")]
        assert set(cells) == set(practice.names(notebook)), notebook
        source = path.read_text("utf-8")
        assert "from anonnb.coursework.practice import ask, check, solution, vary" in source, notebook
