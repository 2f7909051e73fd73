"""Files of exercises are read strictly: a broken one is named, with what to do about it."""

from pathlib import Path

import pytest

from anonnb.coursework import practice
from anonnb.coursework.practice.texts import ExerciseFileError, filled, parse

GOOD = Path(__file__).with_name("99_nothing.md").read_text(encoding="utf-8")


@pytest.fixture
def read(tmp_path):
    def read(text, name="99_nothing.md"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return parse(tmp_path / name)

    return read


def test_a_file_is_read(read):
    [text] = read(GOOD).values()
    assert (text.name, text.title) == ("99.1", "Rows")
    assert text.question == "How many rows has a table of {n} rows, twice?"
    assert [(hint.text, hint.mistake) for hint in text.hints] == [("Count them.", ""), ("That is once.", "n")]
    assert (text.when_right, text.answer) == ("So it is.", "2 * n")
    assert text.variants == [{"n": 5, "word": "a | b"}, {"n": 6, "word": ("x", 1)}]
    assert "### no heading\n2 * n" in text.solution
    assert filled(text.solution, {"n": 5}, "99.1").startswith("2 · 5 = 10. In Python:\n\n```python\n# {n} stays")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("# Exercises of notebook 99", "# Exercises of notebook 98", "must begin with '# Exercises of notebook 99, …'"),
        ("## 99.1 Rows", "## 98.1 Rows", "'## 98.1 Rows' must read like '## 99.1 Its title'"),
        ("## 99.1 Rows", "## 99.1", "'## 99.1' must read like"),
        ("## 99.1 Rows", "## 99.2 Rows", "99.2 must be 99.1, in order"),
        ("### Hint\n", "### Tip\n", "exercise 99.1: '### Tip' is none of Hint, When right"),
        ("Count them.", "", "there is nothing under '### Hint'"),
        ("### Solution", "### When right", "exercise 99.1: it has no solution"),
        ("How many rows has a table of {n} rows,\ntwice?", "", "it has no question"),
        ("| 6 | ('x', 1) |", "| 6 |", "the variants must be a table"),
        ("| n | word |", "| n | 2 |", "the variants must be a table"),
    ],
)
def test_a_broken_file_is_refused_with_a_sentence(read, old, new, message):
    assert old in GOOD
    with pytest.raises(ExerciseFileError, match=message.replace("'## 99.1' ", ".*")) as error:
        read(GOOD.replace(old, new))
    assert "99_nothing.md" in str(error.value)


@pytest.mark.parametrize("formula", ["m", "n +", "open(n)"])
def test_a_number_that_nobody_computes_is_named(formula):
    with pytest.raises(ExerciseFileError, match=r"exercise 99.1: .* cannot be computed from 'n'"):
        filled(f"There are {{{formula}}} rows.", {"n": 5}, "99.1")


def test_numbers_are_shown_as_people_write_them():
    numbers = {"ages": (3, 4), "names": {"b", "a"}, "share": 1 / 3, "late": lambda: 7}
    text = "{ages}; {names}; {share:.2f}; {late + 1}; {ages!r}; {low, high} is a set where no number is meant"
    shown = filled(text.replace("{low, high}", "{'low'}"), numbers, "99.1")
    assert shown == "3, 4; a, b; 0.33; 8; (3, 4); {'low'} is a set where no number is meant"


def test_unknown_exercises_are_named():
    with pytest.raises(KeyError, match=r"no exercise '13.99'; notebook 13 has '13.1'"):
        practice.ask("13.99")
    with pytest.raises(KeyError, match="no notebook '99'"):
        practice.check("99.1", 3)
