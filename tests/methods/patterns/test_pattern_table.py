"""k-common pattern tables: Table 5 of the paper from the choices of Table 4, and the k-commonality of every pattern."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Infeasible, Release, Table
from anonnb.attacks import ShallowAttack
from anonnb.methods import PatternTable
from anonnb.methods.patterns.pattern_table import Commonality, PatternChoice, choose, compose, rows_held
from anonnb.rules import Condition, Rule, RuleSet, imprecise_rules


def is_(attribute, *values):
    return Condition(attribute, values=values)


@pytest.fixture(scope="module")
def table():
    return anonnb.load("decision6")


@pytest.fixture(scope="module")
def table2(table):
    """The six imprecise rules of Table 2."""
    premises = [
        ((is_("sex", "female"),), ("low", "medium")),
        ((is_("occupation", "engineer"),), ("low", "medium")),
        ((is_("sex", "male"),), ("low", "high")),
        ((is_("occupation", "salesman"),), ("low", "high")),
        ((is_("domicile", "Fukuoka"),), ("medium", "high")),
        ((is_("sex", "male"), is_("occupation", "salesman")), ("medium", "high")),
    ]
    rules = RuleSet([Rule(c, "evaluation", v) for c, v in premises], "evaluation", ("high", "low", "medium"))
    supports = rules.matches(table).sum(axis=0)
    counted = [Rule(c, "evaluation", v, int(n), int(n)) for (c, v), n in zip(premises, supports, strict=True)]
    return RuleSet(counted, "evaluation", ("high", "low", "medium"))


# Table 4: object, rule, other object
NEAREST = (
    "o1 I3 o2, o1 I6 o6, o2 I4 o3, o2 I6 o6, o3 I1 o4, o3 I4 o2, "
    "o4 I2 o5, o4 I5 o6, o5 I2 o4, o5 I3 o1, o6 I3 o1, o6 I5 o4"
)
FARTHEST = (
    "o1 I3 o2, o1 I6 o6, o2 I4 o3, o2 I6 o6, o3 I1 o4, o3 I4 o1, "
    "o4 I2 o5, o4 I5 o6, o5 I2 o4, o5 I3 o2, o6 I3 o5, o6 I5 o4"
)
# Table 5: sex, occupation, domicile, evaluation by first letters
TABLE5_NEAREST = "m s TO lh, m s OF mh, mf s T lh, m s TF mh, f se TF lm, mf e OF lm, mf se F mh, m se O lh, m s OF lh"
TABLE5_FARTHEST = (
    "m s TO lh, m s OF mh, mf s T lh, m s TF mh, f se TF lm, mf s TO lh, mf e OF lm, mf se F mh, m se TO lh, m se OF lh"
)


def choices_of(text):
    lines = [line.split() for line in text.split(", ")]
    return [PatternChoice(int(u[1]) - 1, int(rule[1]) - 1, (int(u[1]) - 1, int(o[1]) - 1)) for u, rule, o in lines]


def letters(release):
    frame = pd.DataFrame(
        {
            name: [
                frozenset(column.attribute.labels[code][0] for code in np.flatnonzero(column.sets.mask(number)))
                for number in column.index
            ]
            for name, column in release.columns.items()
        }
    )
    return [tuple(row) for row in frame[["sex", "occupation", "domicile", "evaluation"]].itertuples(index=False)]


def expected(text):
    return [tuple(frozenset(cell) for cell in line.split()) for line in text.split(", ")]


def test_table2_supports(table2):
    assert [rule.support for rule in table2] == [2, 2, 4, 4, 2, 3]


@pytest.mark.parametrize("widened", [False, True])
def test_table5_from_the_choices_of_table4(table, table2, widened):
    nearest = compose(table, table2, choices_of(NEAREST), widened=widened)
    farthest = compose(table, table2, choices_of(FARTHEST), widened=widened)
    assert letters(nearest) == expected(TABLE5_NEAREST)
    assert letters(farthest) == expected(TABLE5_FARTHEST)


def test_the_tokyo_attack_of_the_paper(table, table2):
    release = compose(table, table2, choices_of(NEAREST))
    occupation = ShallowAttack().case(release, {"domicile": "Tokyo"}, "occupation")
    assert occupation.selected.tolist() == [0, 2, 3, 4]
    assert occupation.left == ["salesman"]
    assert ShallowAttack().case(release, {"domicile": "Tokyo"}, "sex").left == []


def test_only_three_choices_differ_from_table4_when_ties_take_the_first(table, table2):
    ours = {(c.row, c.rule): c.others for c in choose(table, table2, 2)}
    theirs = {(c.row, c.rule): c.others for c in choices_of(NEAREST)}
    differ = {key for key in theirs if key in ours and ours[key] != theirs[key]}
    assert differ <= {(0, 5), (1, 3), (1, 5)}


@st.composite
def decision_tables(draw):
    rows = draw(st.integers(6, 30))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    classes = draw(st.integers(2, 4))
    frame = pd.DataFrame(
        {
            "a": rng.choice(list("xyz"), rows),
            "b": rng.integers(0, 5, rows),
            "c": rng.choice(["p", None], rows, p=[0.8, 0.2]),
            "d": rng.integers(0, classes, rows).astype(str),
        }
    )
    return Table(
        frame,
        quasi=["a", "b", "c"],
        sensitive=["d"],
        decision="d",
        kinds={"b": draw(st.sampled_from(["numeric", "nominal"]))},
    )


@pytest.mark.slow
@settings(max_examples=60)
@given(decision_tables(), st.integers(1, 4), st.sampled_from(["cT1", "cT2", "cT3", "cT4"]), st.booleans())
def test_every_pattern_holds_k_rows_and_keeps_what_the_rules_tell(table, k, variant, printed):
    if len(np.unique(table.codes("d"))) < 2:
        return
    method = PatternTable(k=k, variant=variant, printed=printed)
    try:
        release = method.anonymize(table)
    except Infeasible:
        return
    assert (rows_held(release, table) >= k).all()
    rules = release.info["rules"]
    told = rules.left_classes(table)
    patterns = release.info["explanation"]["pattern"].to_numpy()
    rows = [choice.row for choice in release.info["choices"]]
    decisions = release.columns["d"].sets.as_masks()[release.columns["d"].index]
    order = [table.attributes["d"].code(value) for value in rules.classes]
    for row in set(rows):
        own = decisions[[p for p, r in zip(patterns, rows, strict=True) if r == row]].all(axis=0)
        assert (own[order] == told[row]).all()
        for name in table.conditions:  # the pattern holds the row it came from
            column = release.columns[name]
            assert all(
                column.sets.mask(column.index[p])[table.codes(name)[row]]
                for p, r in zip(patterns, rows, strict=True)
                if r == row
            )
    assert set(release.info["unexplained"]) == set(np.flatnonzero(~rules.explains(table)))


@given(decision_tables(), st.integers(1, 4), st.sampled_from(["cT1", "cT2", "cT3", "cT4"]))
@settings(max_examples=30)
def test_patterns_from_others_alone_hold_k_rows_too(table, k, variant):
    if len(np.unique(table.codes("d"))) < 2:
        return
    try:
        release = PatternTable(k=k, variant=variant, with_row=False).anonymize(table)
    except Infeasible:
        return
    assert (rows_held(release, table) >= k).all()
    supports = release.info["rules"].matches(table).sum(axis=0)
    for choice in release.info["choices"]:
        assert len(set(choice.members)) == k
        assert (choice.row in choice.members) == (supports[choice.rule] == k)


def test_step_s6_adds_nothing_to_nominal_attributes_while_the_row_is_a_member():
    table = anonnb.load("zoo")
    first, second = (PatternTable(k=5, variant=v).anonymize(table).published() for v in ("cT1", "cT2"))
    assert first.equals(second)


def test_wider_variants_hold_what_the_narrow_ones_hold():
    table = anonnb.load("hayes-roth")
    rules = imprecise_rules(table, 5)
    for narrow, wide in (("cT1", "cT2"), ("cT3", "cT4")):
        sizes = [
            np.mean(
                [
                    PatternTable(k=5, variant=v, rules=rules).anonymize(table).columns[n].sizes.mean()
                    for n in table.conditions
                ]
            )
            for v in (narrow, wide)
        ]
        assert sizes[0] <= sizes[1]


def test_two_classes_get_more_patterns_from_imprecise_condition_values():
    adult = anonnb.load("adult")
    table = adult.select([*adult.quasi, "income"]).take(np.arange(400))
    plain = PatternTable(k=5, widen=False).anonymize(table)
    wide = PatternTable(k=5).anonymize(table)
    assert wide.n_suppressed < plain.n_suppressed
    assert (rows_held(wide, wide.table) >= 5).all()


def test_bad_input_is_explained(table, table2):
    with pytest.raises(ValueError, match="2 supporters, fewer than k = 3"):
        PatternTable(k=3, rules=table2).anonymize(table)
    with pytest.raises(ValueError, match="1 supporters, fewer than k = 2; leave it out"):
        PatternTable(k=2, rules=table2).anonymize(table.take([0, 1, 2, 4]))  # rules of more rows than the table has
    with pytest.raises(Infeasible, match="no rule has 6 supporters"):
        PatternTable(k=6).anonymize(table)


def test_patterns_that_hold_fewer_rows_are_refused(table):
    """Where the members of a pattern vouch for k rows, nothing is counted; elsewhere the rows are."""
    release = PatternTable(k=2).anonymize(table)
    Commonality(2).check(release)
    with pytest.raises(Infeasible, match="holds only 2 rows"):
        Commonality(3).check(release)
    Commonality(2).check(release.replace(info={}))
    Commonality(2).check(PatternTable(k=2).anonymize(table).take(np.array([3, 1])))
    narrowed = PatternTable(k=2).anonymize(table)
    narrowed = narrowed.with_columns(domicile=Release.of(table).columns["domicile"].take(narrowed.rows))
    with pytest.raises(Infeasible, match="holds only 1 rows"):
        Commonality(2).check(narrowed)


def test_open_ends_may_reach_to_the_ends_of_the_table():
    """A numeric condition without a lower end then begins at the smallest value of the table."""
    table = anonnb.load("iris")
    narrow, wide = (PatternTable(k=10, open_ends=ends).anonymize(table) for ends in ("supporters", "table"))
    rules, grown = wide.info["rules"], 0
    for choice in wide.info["choices"]:
        for part in rules[choice.rule].conditions:
            column = wide.columns[part.attribute]
            whole = table.codes(part.attribute)
            held = column.sets.mask(column.index[_pattern_of(wide, choice)])
            if part.lower is None:
                assert held[whole.min()]
            if part.upper is None:
                assert held[whole.max()]
    for name in table.conditions:
        sizes = [release.columns[name].sizes.sum() / len(release) for release in (narrow, wide)]
        grown += sizes[1] > sizes[0]
    assert grown > 0


def _pattern_of(release, choice):
    explained = release.info["explanation"]
    mine = [place for place, other in enumerate(release.info["choices"]) if other == choice]
    return int(explained["pattern"].iloc[mine[0]])
