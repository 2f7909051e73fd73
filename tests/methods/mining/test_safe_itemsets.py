"""Safe itemsets: the chapter's Fig 1.15, and no channel left whatever the strategy."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Infeasible, Table
from anonnb.methods import SafeItemsets
from anonnb.methods.mining.safe_itemsets import STRATEGIES, sets_to_withhold
from anonnb.rules.association.channels import Supports, items
from anonnb.rules.association.deductions import Completed, small_counts
from tests.methods.mining.judge import leaks, random_case, transactions
from tests.series import series

ROWS = [("110", 12), ("111", 17), ("100", 2), ("101", 9), ("011", 26)]  # Fig 1.13(b)
BINARY = Table(pd.DataFrame([list(row) for row, n in ROWS for _ in range(n)], columns=list("ABC")), quasi=list("ABC"))
SURVEY = anonnb.load("survey")


def short(counts: dict) -> dict[str, int]:
    """Counts of Fig 1.15 by the letters of the ones."""
    return {"".join(sorted(item.attribute for item in part)): count for part, count in counts.items()}


class TestTheChapter:
    def test_figure_1_15_additive(self):
        result = SafeItemsets(k=10, min_count=40).anonymize(BINARY)
        assert short(result.info["original"]) == {"": 66, "A": 40, "B": 55, "C": 52, "BC": 43}
        assert short(result.counts()) == {"": 86, "A": 40, "B": 55, "C": 62, "BC": 43}
        assert (result.info["mined"], result.info["kept"], result.info["channels"]) == (5, 5, 2)
        assert result.info["distortion"] == pytest.approx((20 / 66 + 10 / 52) / 5)

    def test_figure_1_15_step_by_step(self):
        """C without B: 9, so 10 more have C; neither: 2, so 10 more have nothing."""
        steps = SafeItemsets(k=10, min_count=40).steps(BINARY)[-4:]
        assert [step.title for step in steps[:3]] == [
            "2 channels",
            "10 more: C=1 alone",
            "10 more: none of the items",
        ]
        assert steps[0].candidates["count that follows"].tolist() == [9, 2]
        assert "9 with C=1 and not B=1" in steps[0].sentence
        supports = [short(step.state.counts()) for step in steps[:3]]
        assert [(each["C"], each[""]) for each in supports] == [(52, 66), (62, 76), (62, 86)]

    def test_figure_1_15_suppressive_deletes_the_eleven_people_the_channels_tell_of(self):
        result = SafeItemsets(k=10, min_count=40, strategy="suppressive").anonymize(BINARY)
        assert result.info["deleted rows"] == 11
        assert short(result.counts()) == {"": 55, "B": 55, "C": 43, "BC": 43}

    def test_one_itemset_withheld_blocks_both_channels(self):
        result = SafeItemsets(k=10, min_count=40, strategy="withhold").anonymize(BINARY)
        assert short(result.counts()) == {"": 66, "A": 40, "B": 55, "C": 52}
        assert result.info["distortion"] == 0

    def test_divorced_and_divorced_males_are_not_both_told(self):
        result = SafeItemsets(k=3, min_count=19, strategy="withhold").anonymize(SURVEY)
        told = {" ".join(sorted(item.value for item in part)) for part in result.counts()}
        assert result.info["kept"] == result.info["mined"] - 1
        assert len(told & {"divorced", "M divorced"}) == 1


# ---- on random tables -----------------------------------------------------------------------------------------------


def all_differences(counts: dict[frozenset, int]):
    """Every count that the published ones tell by inclusion and exclusion, pair by pair."""
    for large in counts:
        for small in counts:
            rest = large - small
            between = [small | frozenset(p) for n in range(len(rest) + 1) for p in itertools.combinations(rest, n)]
            if small <= large and all(part in counts for part in between):
                yield sum((-1) ** len(part - small) * counts[part] for part in between)
            if small < large:
                yield counts[small] - counts[large]


@st.composite
def tables(draw):
    n = draw(st.integers(6, 40))
    random = np.random.default_rng(draw(st.integers(0, 2**20)))
    weights = random.random(4) * 0.8 + 0.1
    frame = pd.DataFrame((random.random((n, 4)) < weights).astype(int), columns=list("abcd")).astype(str)
    return Table(frame, quasi=list("abcd"))


@pytest.mark.slow
@settings(max_examples=60)
@given(tables(), st.integers(1, 6), st.floats(0.05, 0.6), st.sampled_from(STRATEGIES))
def test_no_small_count_is_left_and_none_is_negative(table, k, support, strategy):
    if len(table) < k:
        return
    method = SafeItemsets(k=k, min_support=support, strategy=strategy)
    try:
        result = method.anonymize(table)
    except Infeasible:
        assert strategy == "suppressive"
        return
    told = list(all_differences(result.counts()))
    assert not [count for count in told if 0 < count < k]
    assert min(told) >= 0, "the counts are consistent: they are those of some table"
    assert frozenset() in result.counts()


@pytest.mark.slow
@settings(max_examples=40)
@given(tables(), st.integers(2, 6))
def test_adding_leans_on_the_true_counts(table, k):
    full = SafeItemsets(k=k, min_support=0.2).anonymize(table)
    lean = SafeItemsets(k=k, min_support=0.2, strategy="lean").anonymize(table)
    original = full.info["original"]
    for result in (full, lean):
        assert result.counts().keys() == original.keys()
        added = {part: count - original[part] for part, count in result.counts().items()}
        assert all(count >= 0 and count % k == 0 for count in added.values())
        assert added[frozenset()] == k * result.info["additions"]
    assert lean.info["additions"] <= full.info["additions"]


@settings(max_examples=40)
@given(tables(), st.integers(2, 6))
def test_suppressive_counts_are_those_of_a_smaller_table(table, k):
    try:
        result = SafeItemsets(k=k, min_count=5, strategy="suppressive").anonymize(table)
    except Infeasible:
        return
    counts, original = result.counts(), result.info["original"]
    assert counts[frozenset()] == len(table) - result.info["deleted rows"]
    assert all(count <= original[part] for part, count in counts.items())
    assert all(count >= 5 for part, count in counts.items() if part), "the empty set is told whatever its count"


@pytest.mark.slow
@settings(max_examples=25)
@given(tables(), st.integers(2, 5))
def test_as_few_itemsets_as_possible_are_withheld(table, k):
    """Tried by brute force: no smaller choice passes the check (the row count is always told)."""
    table = table.select(["a", "b", "c"])
    result = SafeItemsets(k=k, min_support=0.3, strategy="sure").anonymize(table)
    original, withheld = result.info["original"], result.info["withheld"]
    candidates = [part for part in original if part]
    if len(withheld) > 3:
        return
    for fewer in range(len(withheld)):
        for chosen in itertools.combinations(candidates, fewer):
            left = {part: count for part, count in original.items() if part not in chosen}
            follows = small_counts(Completed(Supports(left)), k)
            assert follows or any(0 < count < k for count in all_differences(with_squeezed(left))) or leaks(left, k)


def with_squeezed(counts: dict[frozenset, int]) -> dict[frozenset, int]:
    """Sets between two published ones of equal count have that count too."""
    items = sorted(set().union(*counts))
    every = [frozenset(p) for n in range(len(items) + 1) for p in itertools.combinations(items, n)]
    known = dict(counts)
    for part in every:
        for small, large in itertools.product(counts, counts):
            if small <= part <= large and counts[small] == counts[large]:
                known[part] = counts[small]
    return known


def test_many_itemsets_are_withheld_greedily():
    table = anonnb.load("adult").take(np.arange(4000))
    result = SafeItemsets(k=40, min_support=0.05, strategy="withhold").anonymize(table)
    assert result.info["mined"] > 150
    assert 0 < len(result.info["withheld"]) < result.info["mined"] / 2
    assert set(result.counts().items()) <= set(result.info["original"].items()), "what is told is true"
    assert sets_to_withhold(Supports(result.counts()), 40) == set()


# ---- against the judge ----------------------------------------------------------------------------------------------

CLOSURE = ["A", "B", *["ABC"] * 4, *["AB"] * 2, "A"]


def test_equal_counts_are_implications():
    """C = AC = BC = 4 makes ABC = 4, and AB = 6: two people have A and B but not C."""
    told = {frozenset(part): count for part, count in {"": 9, "C": 4, "AB": 6, "AC": 4, "BC": 4}.items()}
    assert (frozenset("AB"), frozenset("C"), 2, 2) in leaks(told, 3)
    assert sets_to_withhold(Supports(told), 3)
    for strategy in ("withhold", "sure"):
        result = SafeItemsets(k=3, min_count=4, strategy=strategy).anonymize(transactions(CLOSURE))
        assert not leaks(result.counts(), 3)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_values_of_one_attribute_exclude_each_other(strategy):
    told = {frozenset(): 100, items("sex=M"): 60, items("sex=F"): 38}
    assert leaks(told, 3) == [(frozenset(), items("sex=M", "sex=F"), 2, 2)]
    assert not leaks(told, 3, exclusive=False)
    table = Table(pd.DataFrame({"sex": ["M"] * 60 + ["F"] * 38 + ["X"] * 2}), quasi=["sex"])
    assert not leaks(SafeItemsets(k=3, strategy=strategy).anonymize(table).counts(), 3)
    paper = SafeItemsets(k=3, strategy="withhold", exclusive=False).anonymize(table)
    assert paper.counts() == told
    assert "values of one attribute exclude each other" in paper.method.promise.limits


def test_every_value_together_is_everybody():
    """All are M or F: so 30 − 20 = 10 are divorced and F, of whom 8 work 40 hours and two do not."""
    told = {frozenset(): 60, items("sex=M"): 38, items("sex=F"): 22, items("state=divorced"): 30}
    told |= {items("sex=M", "state=divorced"): 20, items("sex=F", "state=divorced", "hours=40"): 8}
    assert (items("sex=F", "state=divorced"), items("hours=40"), 2, 2) in leaks(told, 3)
    assert sets_to_withhold(Supports(told), 3)
    assert not sets_to_withhold(Supports(told), 3, exclusive=False)


def leaky(strategy: str, seeds: range) -> list[int]:
    """The random tables from whose itemsets the judge learns a small count."""
    found = []
    for seed in seeds:
        table, k, least = random_case(seed)
        try:
            result = SafeItemsets(k=k, min_count=least, strategy=strategy).anonymize(table)
        except Infeasible:  # all rows would go
            if strategy != "suppressive":
                raise
            continue
        if leaks(result.counts(), k):
            found.append(seed)
    return found


@pytest.mark.slow
def test_the_judge_finds_nothing_in_random_tables():
    assert leaky("sure", series(400)) == []


@pytest.mark.slow
@pytest.mark.parametrize(("strategy", "most"), [("additive", 2), ("lean", 4), ("suppressive", 0), ("withhold", 40)])
def test_few_tables_leak_to_those_who_solve_for_all_counts(strategy, most):
    """Sums alone left 61, 64, 46 and 110 of these 400; what remains shows only when all counts are solved for."""
    assert len(leaky(strategy, series(400))) <= most


def test_sure_refuses_what_it_cannot_check():
    with pytest.raises(Infeasible, match="checks at most 512 and 20,000; raise min_support, mine fewer attributes"):
        SafeItemsets(k=5, strategy="sure").anonymize(anonnb.load("adult").take(np.arange(500)))


# ---- behaviour ---------------------------------------------------------------------------------------------------


def test_the_command_line_says_what_is_published(tmp_path):
    from click.testing import CliRunner

    from anonnb.cli import main

    SURVEY.frame.to_csv(tmp_path / "in.csv", index=False)
    words = ["anonymize", str(tmp_path / "in.csv"), "--quasi", "Marital_status,Sex,Hours", "--decision", "Hypertension"]
    for method, out in (("SafeItemsets", "sets.json"), ("SafeTree", "tree.csv")):
        done = CliRunner().invoke(main, [*words, "--method", method, "--k", "3", "-o", str(tmp_path / out)])
        assert done.exit_code == 0, done.output
        assert "this is not a table" in done.output
        assert (tmp_path / out).exists()
    wrong = CliRunner().invoke(main, [*words, "--method", "SafeTree", "--k", "3", "-o", str(tmp_path / "tree.parquet")])
    assert wrong.exit_code == 2
    assert ".csv or .json" in wrong.output


def test_bad_tables():
    with pytest.raises(KeyError, match="no column 'nothing'"):
        SafeItemsets(attributes=["nothing"]).anonymize(SURVEY)
    with pytest.raises(ValueError, match="column 'Sex' is an identifier"):
        SafeItemsets(attributes=["Sex"]).anonymize(SURVEY.with_roles(identifier=["Sex"]))
    with pytest.raises(Infeasible, match="no table of at least 5 rows is left; use another strategy"):
        SafeItemsets(k=5, min_count=1, strategy="suppressive").anonymize(
            Table(pd.DataFrame({"a": list("uvwxyz")}), quasi=["a"])
        )
