"""Guarantee cards: every registered class has one of its own, and the docstring shows it."""

import ast
import inspect
import re
from pathlib import Path

import pytest

from anonnb import attacks, methods
from anonnb.core.card import Card, with_card
from anonnb.core.registry import Registry
from anonnb.methods.cells.exact import Exact

TESTS = Path(__file__).parents[1]
CLASSES = {**methods.all(), **attacks.all(), "Exact": Exact}
OURS = [cls for cls in CLASSES.values() if cls.__module__.startswith("anonnb.")]


@pytest.mark.parametrize("cls", OURS, ids=lambda cls: cls.__name__)
class TestEveryClass:
    def test_has_a_card_of_its_own(self, cls):
        card = vars(cls)["card"]
        assert not card.paper or card.paper.endswith(".")
        assert card.proved or card.tested or card.heuristic
        for said in card.parts().values():
            assert said == " ".join(said.split()), "no double blanks where two lines of source meet"
            assert "`" not in said

    def test_says_it_in_the_docstring(self, cls):
        doc = " ".join(inspect.getdoc(cls).split())
        assert all(said in doc for said in cls.card.parts().values())
        assert doc.count("Guarantees ----------") == 1
        assert max(map(len, inspect.getdoc(cls).splitlines())) <= 120

    @pytest.mark.slow
    def test_counts_examples_as_the_tests_do(self, cls):
        counted = [int(number) for number in re.findall(r"(\d+) random", cls.card.tested)]
        assert set(counted) <= repetitions(cls)


def repetitions(cls) -> set[int]:
    """How often the tests beside a class repeat something: hypothesis examples, and the lengths of ranges."""
    own = Path(*cls.__module__.split(".")[1:-1])
    helpers = {"attacks": ["rules"], "methods": ["methods/test_one_reference.py"]}[own.parts[0]]
    paths = [path for folder in [own, *helpers] for path in _files(TESTS / folder)]
    return {count for path in paths for node in ast.walk(ast.parse(path.read_text())) for count in _counts(node)}


def _files(path: Path) -> list[Path]:
    return [path] if path.is_file() else sorted(path.rglob("*.py"))


def _counts(node: ast.AST) -> list[int]:
    if isinstance(node, ast.keyword) and node.arg == "max_examples":
        return [node.value.value]
    is_range = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("range", "series")
    if is_range and all(isinstance(argument, ast.Constant) for argument in node.args):
        return [len(range(*(argument.value for argument in node.args)))]
    return []


# ---- how a card is shown -----------------------------------------------------------------------------------------


def test_only_what_is_said_is_shown_and_long_texts_hang():
    card = Card(proved="word " * 30, paper="A & B, <b>, 2001.")
    lines = card.text(width=60).splitlines()
    assert lines[0].startswith("proved     word word")
    assert lines[1].startswith("           word word")
    assert max(map(len, lines)) <= 60
    assert lines[-1] == "paper      A & B, <b>, 2001."
    assert repr(card) == str(card) == card.text()
    assert "A &amp; B, &lt;b&gt;, 2001." in card._repr_html_()
    assert card._repr_html_().count("<tr>") == 2
    assert str(Card()) == ""


def test_registered_classes_get_their_card_into_the_docstring_once():
    class Careful:
        """Publish nothing.

        >>> 1 + 1
        2
        """

        card = Card(proved="Nothing is published.")

    class Careless(Careful):
        """Publish all."""

    class Documented:
        """Publish nothing.

        Guarantees
        ----------
        proved:
            Nothing is
            published.
        """

    registry = Registry("nowhere", [])
    for _ in range(2):
        assert registry.register(Careful) is Careful
        assert registry.register(Documented).card == Careful.card
    assert Documented.__doc__ == "Publish nothing.\n\nGuarantees\n----------\nproved:\n    Nothing is published.\n"
    assert inspect.getdoc(Careful).endswith("2\n\nGuarantees\n----------\nproved:\n    Nothing is published.")
    assert registry.register(Careless).__doc__ == "Publish all.", "an inherited card is about another class"
    assert with_card(type("Bare", (), {"card": Card()})).__doc__ is None
