"""Every exercise of the bank: the right answer passes, hints do not give it away, solutions work for each student."""

import re

import pytest

from anonnb.coursework import practice
from anonnb.coursework.practice.asking import _fault

STUDENTS = ["", "ada", "blaise", "carl"]
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize("name", practice.names())
@pytest.mark.parametrize("student", STUDENTS)
def test_the_right_answer_passes_and_others_do_not(name, student):
    asked = practice.find(name, student)
    if asked.expected is not None:
        right = asked.expected()
        assert _fault(asked, right) == ""
        assert _fault(asked, "something else")
        assert not any(f" {right!r} " in f" {hint} " for hint in asked.hints if not isinstance(right, bool))
    assert _fault(asked, object())


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in practice.names() if practice.find(name).starter])
def test_what_is_to_be_written_can_be_written(name):
    """The worked solution passes, and the starter counts as not answered."""
    asked = practice.find(name)
    [code] = BLOCK.findall(asked.solution)
    function = re.search(r"^def (\w+)", code, re.MULTILINE)[1]
    assert 5 <= len([line for line in code.splitlines() if line.strip()]) <= 30
    assert _fault(asked, defined(code, function)) == ""
    assert _fault(asked, defined(asked.starter, function)) is None


def defined(code, name):
    """The function of that name; solutions may use numpy and pandas, as the notebooks do."""
    space = {}
    exec("import numpy as np\nimport pandas as pd\n" + code, space)
    return space[name]


@pytest.mark.parametrize("name", practice.names())
def test_questions_and_solutions_read_well(name):
    asked = practice.find(name)
    assert len(asked.hints) >= 2
    assert not any(hint.endswith(".") for hint in asked.hints)
    assert asked.question.strip().endswith((".", "?"))
    assert len(asked.solution) > 20
