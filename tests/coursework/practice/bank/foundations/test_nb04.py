"""What the exercises of notebook 04 expect, and what their checks notice."""

import pytest

from anonnb.coursework import practice
from anonnb.coursework.practice.asking import _fault


def test_the_parity_is_accepted_and_a_table_with_a_wider_rule_is_not():
    asked = practice.find("04.4")
    assert _fault(asked, [(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0)]) == ""
    assert "covers 2 rows" in _fault(asked, [(0, 0, 0), (0, 1, 0), (1, 0, 1), (1, 1, 0)])
    assert "one class" in _fault(asked, [(0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 1)])


def test_the_vote_by_hand_equals_a_pencil():
    """Male, engineer, Fukuoka: no rule matches; high gets ½ · 3 · 2, low ½ · 1 · 2, medium ½ · 1 · 2."""
    assert practice.find("04.3").expected() == {"high": 3.0, "low": 1.0, "medium": 1.0}


@pytest.mark.parametrize("slip", ["largest block", "no dropping", "goal is kept"])
def test_a_core_with_a_slip_is_told_apart_from_ours(slip):
    def one_rule(blocks, uncovered, concept):
        def rows(names):
            return set.intersection(*(blocks[name] for name in names))

        def key(name):
            return len(blocks[name] & goal), len(blocks[name]) * (1 if slip == "largest block" else -1)

        goal, taken = set(uncovered), []
        while not taken or not rows(taken) <= concept:
            free = [name for name in blocks if name not in taken and blocks[name] & goal & rows([*taken, name])]
            taken.append(max(free, key=key))
            goal = goal if slip == "goal is kept" else goal & blocks[taken[-1]]
        for name in list(taken):
            others = [other for other in taken if other != name]
            if slip != "no dropping" and others and rows(others) <= concept:
                taken = others
        return taken

    assert "other ones than ours" in _fault(practice.find("04.5"), one_rule)
