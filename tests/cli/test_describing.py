"""`anonnb list NAME`: one method or attack in plain text."""

import re
from dataclasses import dataclass, field
from typing import ClassVar

import pytest
from click.testing import CliRunner

from anonnb import attacks, methods
from anonnb.cli import main
from anonnb.cli.listing import description, parameter_lines, plain
from anonnb.core.card import Card
from anonnb.methods.base import KMethod


def shown(*words, columns="80"):
    return CliRunner().invoke(main, ["list", *words], env={"COLUMNS": columns})


def test_a_method_its_promise_its_parameters_and_its_card():
    text = shown("mondrian").stdout
    assert text.startswith("Mondrian: Multidimensional k-anonymity by recursive cuts.\n")
    for heading in (
        "promise, with the default parameters",
        "parameters, their defaults and what they may be",
        *vars(Card()),
    ):
        assert f"\n\n{heading}\n  " in text
    assert "Every published row has the same quasi-identifier as at least one other." in text
    assert "\n  cut      'median'  'median' or 'loss'\n" in text
    assert "ICDE 2006." in text


def test_an_attack_has_no_promise_and_a_short_name_will_do():
    text = shown("linkage").stdout
    assert text.startswith("LinkageAttack: ")
    assert "promise" not in text
    assert re.search(r"\n  tolerance +\{\} +a number", text)
    assert "a probability above 1/k" in " ".join(text.split())


def test_an_unknown_name_is_one_sentence_with_near_ones():
    result = shown("mondrain")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(
        "anonnb: there is no method, attack or model 'mondrain'; did you mean Mondrian? known are "
    )
    assert "datasets" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("columns", ["60", "300"])
@pytest.mark.parametrize("name", [*methods.all(), *attacks.all()])
def test_everything_is_plain_text_within_the_terminal(name, columns):
    result = shown(name, columns=columns)
    assert result.exit_code == 0, result.stderr
    assert "`" not in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= min(int(columns), 100)
    assert result.stdout.split("\n", 1)[0].startswith(f"{name}:")


def test_the_lists_show_no_markup():
    for what in ("methods", "attacks"):
        assert "`" not in shown(what).stdout


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("``k`` and :class:`Mondrian`", "k and Mondrian"),
        (":func:`~anonnb.trees.grow` or :func:`anonnb.trees.grow`", "grow or anonnb.trees.grow"),
        ("`anonnb list`, 2*3", "anonnb list, 2*3"),
    ],
)
def test_markup_goes_and_text_stays(marked, expected):
    assert plain(marked) == expected


def test_a_class_of_somebody_else_without_a_card_or_with_a_parameter_that_must_be_given():
    @dataclass(frozen=True)
    class Theirs(KMethod):
        """Publish nothing."""

        card: ClassVar[Card] = Card()
        rows: int = field(kw_only=True)

    assert parameter_lines(Theirs) == [
        "  k     2              a whole number of at least 1",
        "  rows  must be given  anything",
    ]
    assert description(Theirs) == "\n".join(
        ["Theirs: Publish nothing.", "", "parameters, their defaults and what they may be", *parameter_lines(Theirs)]
    )
