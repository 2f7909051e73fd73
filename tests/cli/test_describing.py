"""`anonnb list NAME`: one method or attack in plain text."""

import pytest
from click.testing import CliRunner

from anonnb import attacks, methods
from anonnb.cli import main
from anonnb.cli.listing import plain
from anonnb.core.card import Card


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


def test_an_unknown_name_is_one_sentence_with_near_ones():
    result = shown("mondrain")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("anonnb: there is no method, attack or model 'mondrain'; did you mean Mondrian")
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
