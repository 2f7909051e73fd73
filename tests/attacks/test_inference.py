"""The inference attack on itemsets, rules and trees, with the chapter's examples."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Table
from anonnb.attacks import InferenceAttack
from anonnb.attacks.published_counts import independent_counts
from anonnb.rules import association_rules, frequent_itemsets
from anonnb.rules.association.channels import Channel, Supports, items
from anonnb.rules.association.published_itemsets import MinedItemsets
from anonnb.trees import grow, planted
from anonnb.trees.published_trees import MinedTree, PublishedTree

SURVEY = anonnb.load("survey")


def figure_1_9():
    return planted(SURVEY, {"Sex": {"M": "Marital_status", "F": "Hours"}})


def number(tree, condition: str) -> int:
    return next(node.number for node in tree.nodes if node.condition == condition)


class TestItemsets:
    def test_the_binary_table(self):
        published = MinedItemsets.of({(): 66, ("A",): 40, ("B",): 55, ("C",): 52, ("B", "C"): 43})
        result = InferenceAttack(k=10).run(published)
        assert result.targets[["people", "count", "maximal"]].to_numpy().tolist() == [
            ["C and not B", 9, True],
            ["not B and not C", 2, True],
        ]
        assert result.attempts == 11  # the 5 counts, not A, not B, not C, B without C, C without B, neither
        assert result.success == pytest.approx(2 / result.attempts)
        assert np.isnan(result.luck)
        assert result.summary == (
            "claims 2 of 11 counts, 2 of them right (baseline unknown); the claims are right if the published figures "
            "are, but nobody can tell how many of them luck would get right"
        )

    def test_divorced_women(self):
        frame = frequent_itemsets(SURVEY.select(SURVEY.quasi), min_count=19)
        targets = InferenceAttack(k=3, rows=66, exclusive=False).run(frame, SURVEY).targets
        assert targets["people"].tolist() == ["Marital_status=divorced and not Sex=M"]
        assert targets[["count", "true count"]].to_numpy().tolist() == [[2, 2]]
        assert targets["right"].all()

    def test_values_exclude_each_other(self):
        """All 66 are married, divorced or single, and all singles are men: so 10 husbands follow, and who is left."""
        frame = frequent_itemsets(SURVEY.select(SURVEY.quasi), min_count=19)
        targets = InferenceAttack(k=3, rows=66).run(frame, SURVEY).targets
        assert targets["people"].tolist() == [
            "Marital_status=divorced and not Sex=M",
            "not Marital_status=married and not Sex=M",
        ]
        assert targets["right"].all()

    def test_luck_takes_single_items_for_independent(self):
        """21 of 66 are divorced and 11 are women: 66 · 21/66 · 11/66 = 3.5 divorced women expected, and 2 there are."""
        frame = frequent_itemsets(SURVEY.select(SURVEY.quasi), min_count=19)
        result = InferenceAttack(k=3, rows=66, exclusive=False).run(frame, SURVEY)
        assert (result.claims, result.right, result.luck) == (1, 1, 0.0)

    def test_luck_is_right_where_items_are_independent(self):
        """6 of 36 people smoke and 6 drink, and 1 does both: what independence says."""
        frame = pd.DataFrame({"smokes": list("ynnnnn") * 6, "drinks": list("y" * 6 + "n" * 30)})
        table = Table(frame, quasi=list(frame))
        result = InferenceAttack(k=2).run(frequent_itemsets(table, min_count=1), table)
        assert (result.targets["count"] == 1).all()
        assert result.claims == result.right == result.luck > 0
        assert not result.better_than_guessing

    def test_guesses_from_single_items_by_hand(self):
        """Of 100, 40 have a=1, 20 have a=2, 50 have b=1; of c=1 nothing is published."""
        published = Supports({(): 100, items("a=1"): 40, items("a=2"): 20, items("b=1"): 50, items("c=1", "b=1"): 9})
        channels = [
            (Channel(items("a=1"), items("b=1"), 0), 20),
            (Channel(items("b=1"), items("a=1", "a=2"), 0), 20),  # 100 · 0.5 · (1 − 0.6)
            (Channel(items("a=1"), items("a=2"), 0), 40),  # who has one value of a has no other
            (Channel(items("a=1"), items("a=2"), 0, whole_lacking=True), 40),
            (Channel(frozenset(), items("a=1", "b=1"), 0, whole_lacking=True), 80),
            (Channel(items("c=1"), items("b=1"), 0), -1),
        ]
        assert independent_counts([each for each, _ in channels], published, 100) == [guess for _, guess in channels]
        apart = independent_counts([Channel(items("b=1"), items("a=1", "a=2"), 0)], published, 100, exclusive=False)
        assert apart == [24], "0.5 · 0.6 · 0.8"

    def test_shares_need_the_number_of_rows(self):
        frame = frequent_itemsets(SURVEY.select(SURVEY.quasi), min_count=19).drop(columns="count")
        assert InferenceAttack(k=3, rows=66, exclusive=False).run(frame).targets["count"].tolist() == [2]
        with pytest.raises(ValueError, match="no column 'count'; give the number of rows to use 'support': rows="):
            InferenceAttack(k=3).run(frame)

    def test_private_items_are_no_counts_of_known_people(self):
        frame = frequent_itemsets(SURVEY, min_count=19)
        everything = InferenceAttack(k=3, rows=66, exclusive=False).run(frame)
        known = InferenceAttack(k=3, rows=66, private="Hypertension", exclusive=False).run(frame)
        assert len(known.targets) == 1 < len(everything.targets)

    def test_counts_between_two_equal_ones_follow(self):
        published = {("A",): 20, ("A", "B", "C"): 20, ("A", "B", "D"): 18}
        assert InferenceAttack(k=5).run(published).targets["people"].tolist() == [
            "A and not D",
            "A and B and not D",
            "A and C and not D",
            "A and B and C and not D",
        ], "everybody with A has B and C"

    def test_false_counts_are_told_from_right_ones(self):
        lied = MinedItemsets.of(
            {frozenset(): 66, frozenset(frequent_itemsets(SURVEY, min_count=55)["itemsets"][0]): 65}
        )
        targets = InferenceAttack(k=3).run(lied, SURVEY).targets
        assert targets[["count", "true count", "right"]].to_numpy().tolist() == [[1, 11, False]]

    @pytest.mark.parametrize("what", [SURVEY, "text", pd.DataFrame({"a": [1]})])
    def test_what_is_no_mined_result_is_refused(self, what):
        with pytest.raises(TypeError, match="reads published itemsets, rules"):
            InferenceAttack(k=3).run(what)

    @pytest.mark.parametrize("k", [0, True, 2.5])
    def test_k(self, k):
        with pytest.raises((ValueError, TypeError), match="k must be"):
            InferenceAttack(k=k)


class TestRules:
    def test_a_rule_with_support_and_confidence(self):
        rules = association_rules(SURVEY.select(SURVEY.quasi), min_confidence=0.9, min_count=19)
        rule = rules[[str(a) == "frozenset({Marital_status=divorced})" for a in rules["antecedents"]]]
        assert rule[["count", "confidence"]].to_numpy().tolist() == [[19, 19 / 21]]
        told = rule[["antecedents", "consequents", "count", "confidence"]]
        targets = InferenceAttack(k=3).run(told, SURVEY).targets
        assert targets[["people", "count", "right"]].to_numpy().tolist() == [
            ["Marital_status=divorced and not Sex=M", 2, True]
        ]
        assert InferenceAttack(k=20).run(told).targets["count"].tolist() == [19, 2], "k > 19: the males are too few too"

    @pytest.mark.slow
    @settings(deadline=None, max_examples=40)
    @given(st.integers(0, 2**16), st.integers(2, 12))
    def test_what_rules_tell_is_true(self, seed, k):
        random = np.random.default_rng(seed)
        table = Table(pd.DataFrame(random.integers(0, 2, (30, 4)), columns=list("abcd")).astype(str))
        rules = association_rules(table, 0.2, 0.6)
        targets = InferenceAttack(k=k).run(rules, table).targets
        assert targets["right"].all()


# ---- trees ----------------------------------------------------------------------------------------------------------


class TestTrees:
    def test_figure_1_9_tells_of_two_women(self):
        result = InferenceAttack(k=3).run(figure_1_9(), SURVEY)
        assert result.targets["people"].tolist() == ["Sex = F and Hours = 35"]
        assert result.targets["count"].tolist() == [2]
        assert result.targets["right"].all()
        assert (result.claims, result.right, result.luck) == (1, 1, 0.0), "equal shares: 66/2/2 = 16 or 17"
        nothing = InferenceAttack(k=2).run(figure_1_9())
        assert nothing.targets.empty
        assert (nothing.luck, nothing.note) == (0.0, "")

    def test_equal_shares_of_the_branches_may_be_right(self):
        table = Table(pd.DataFrame({"sex": list("ffmm"), "age": list("onon"), "ill": list("ynyn")}), decision="ill")
        result = InferenceAttack(k=2).run(planted(table, {"sex": {"f": "age", "m": "age"}}), table)
        assert (result.claims, result.right, result.luck) == (4, 4, 4.0)

    def test_a_node_less_its_published_descendants(self):
        tree = figure_1_9()
        published = PublishedTree(tree, [number(tree, "Hours = 35")])
        result = InferenceAttack(k=3).run(MinedTree(published.frame(), tree=published), SURVEY)
        assert result.targets["people"].tolist() == ["Sex = F and not (Hours = 50)"]
        assert result.targets[["count", "true count"]].to_numpy().tolist() == [[2, 2]]

    def test_leaves_only(self):
        attack = InferenceAttack(k=10)
        told = MinedTree.of(figure_1_9(), counts="leaves")
        assert attack.run(told).targets["count"].tolist() == [2, 9]
        tree = figure_1_9()
        nine = PublishedTree(tree, [number(tree, "Hours = 35")])
        assert attack.run(nine.frame()).targets["count"].tolist() == [2, 9], "the parent and the sibling are shown"

    def test_a_drawn_branch_holds_somebody(self):
        """Three people in two hidden branches beside a shown one: neither branch can hold three."""
        frame = pd.DataFrame(
            {
                "node": [0, 1, 2, 3],
                "parent": [-1, 0, 0, 0],
                "attribute": ["", "a", "a", "a"],
                "condition": ["all rows", "a = 1", "a = 2", "a = 3"],
                "rows": pd.array([10, 7, None, None], dtype="Int64"),
            }
        )
        targets = InferenceAttack(k=3).run(frame).targets
        assert targets[["people", "count", "exact"]].to_numpy().tolist() == [["a = 2", 2, False], ["a = 3", 2, False]]
        assert InferenceAttack(k=2).run(frame).targets.empty

    def test_private_tests_are_no_counts_of_known_people(self):
        assert InferenceAttack(k=3, private=("Hours",)).run(figure_1_9()).targets.empty

    @pytest.mark.slow
    @settings(deadline=None, max_examples=60)
    @given(st.integers(0, 2**16), st.integers(2, 9), st.data())
    def test_regions_give_away_what_all_antichains_do(self, seed, k, data):
        """A tree is safe for the attack if and only if no node less any antichain of shown descendants is small."""
        random = np.random.default_rng(seed)
        frame = pd.DataFrame(random.integers(0, 3, (25, 3)), columns=list("abc")).astype(str)
        table = Table(frame.assign(y=random.choice(["n", "y"], 25)), decision="y")
        tree = grow(table, max_leaves=5)
        hidden = {node.number for node in tree.nodes if data.draw(st.booleans())}
        result = InferenceAttack(k=k).run(PublishedTree(tree, hidden).frame())
        exact = result.targets[result.targets["exact"]]
        assert bool(len(exact)) == some_antichain_is_small(tree, hidden, k)


def some_antichain_is_small(tree, hidden: set[int], k: int) -> bool:
    for node in tree.nodes:
        if node.number in hidden:
            continue
        below = [other for other in node.walk() if other is not node and other.number not in hidden]
        for size in range(len(below) + 1):
            for chosen in itertools.combinations(below, size):
                nested = any(a is not b and a in list(b.walk()) for a in chosen for b in chosen)
                if not nested and 0 < len(node.rows) - sum(len(other.rows) for other in chosen) < k:
                    return True
    return False


def test_the_attack_says_what_it_reads():
    assert InferenceAttack.reads == "mined"
    assert {cls.reads for cls in anonnb.attacks.all().values()} == {"release", "mined"}
