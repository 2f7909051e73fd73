"""Rules from anonymized tables: the paper's Tables 5 and 6, and brute force on random releases."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Release, Table, load
from anonnb.methods import PatternTable
from anonnb.rules import mlem2, rules_from_release
from tests.methods.patterns.test_pattern_table import TABLE5_FARTHEST, TABLE5_NEAREST, expected

# Table 5 of the paper, from which come the rules of Table 6
PATTERNS = {"cT1": TABLE5_NEAREST, "cT3": TABLE5_FARTHEST}


def published(name):
    """A table of patterns whose cells are written by the first letters of their values."""
    table = load("decision6")

    def cell(column, letters):
        return " or ".join(label for label in table.attributes[column].labels if label[0] in letters)

    rows = [list(map(cell, table.columns, row)) for row in expected(PATTERNS[name])]
    return Release.from_frame(pd.DataFrame(rows, columns=table.columns), like=table)


def sets_of(release):
    """Each cell as a Python set, by column."""
    cells = {}
    for name, column in release.columns.items():
        masks = column.sets.as_masks()[column.index]
        values = [*column.attribute.domain.tolist(), None]
        cells[name] = [{values[code] for code in range(len(mask)) if mask[code]} for mask in masks]
    return cells


def decisions_of(release, cells, decision):
    """Decision sets, intersected over rows with the same conditions where that leaves something."""
    names = [name for name in cells if name != decision]
    result = []
    for row in range(len(release)):
        same = [r for r in range(len(release)) if all(cells[n][r] == cells[n][row] for n in names)]
        common = set.intersection(*(cells[decision][r] for r in same))
        result.append(common or cells[decision][row])
    return result


def rows_inside(conditions, cells, rows):
    return {r for r in range(rows) if all(all(map(c.allows, cells[c.attribute][r])) for c in conditions)}


def rows_meeting(conditions, cells, rows):
    return {r for r in range(rows) if all(any(map(c.allows, cells[c.attribute][r])) for c in conditions)}


SHARED = [
    "if domicile = Osaka or Tokyo then evaluation = high or low",  # covers I3', I4'' and I6' of the paper
    "if domicile = Fukuoka then evaluation = high or medium",  # I5'
    "if sex = male and domicile = Fukuoka or Tokyo then evaluation = high or medium",  # I7'
    "if sex = female then evaluation = low or medium",  # I1'
    "if occupation = engineer then evaluation = low or medium",  # I2'
]
EIGHTH = "occupation = salesman and domicile = Fukuoka or Osaka then evaluation = "


@pytest.mark.parametrize(("name", "conclusion"), [("cT1", "high"), ("cT3", "high or medium")])
def test_rules_of_table_6(name, conclusion):
    """I8' comes from intersecting the decisions of equal rows, I8'' where there are none."""
    texts = [str(rule) for rule in rules_from_release(published(name))]
    assert sorted(texts) == sorted([*SHARED, "if " + EIGHTH + conclusion])


def test_rules_of_table_6_when_overlap_counts():
    """The fifth row (female, low or medium) meets I8' and cannot be high: the rule must ask for the sex too."""
    texts = [str(rule) for rule in rules_from_release(published("cT1"), "overlap")]
    assert sorted(texts) == sorted([*SHARED, "if sex = male and " + EIGHTH + "high"])


def test_no_rule_explains_the_tenth_pattern():
    assert rules_from_release(published("cT3")).info["unexplained"].tolist() == [9]


@st.composite
def releases(draw):
    rows = draw(st.integers(2, 9))
    table = Table(
        pd.DataFrame({"a": list("xyzx"), "b": [1, 2, 3, 4], "class": list("pqrp")}), quasi=["a", "b"], decision="class"
    )
    nominal = st.sampled_from(["x", "y", "z", "x|y", "y|z", "x|z", "*"])
    spans = st.tuples(st.integers(1, 4), st.integers(1, 4)).map(lambda ends: f"[{min(ends)}-{max(ends)}]")
    decisions = st.sampled_from(["p", "q", "r", "p|q", "q|r"])
    cells = {"a": nominal, "b": spans, "class": decisions}
    frame = pd.DataFrame({name: [draw(values) for _ in range(rows)] for name, values in cells.items()})
    return Release.from_frame(frame, like=table)


@pytest.mark.slow
@pytest.mark.parametrize("consistency", ["inclusion", "overlap"])
@given(release=releases())
@settings(max_examples=80)
def test_rules_are_consistent_and_minimal(consistency, release):
    cells, rows = sets_of(release), len(release)
    decisions = decisions_of(release, cells, "class")
    if len(set().union(*decisions)) < 2:
        return
    rules = rules_from_release(release, consistency)

    def consistent(conditions, conclusion):
        inside = all(decisions[r] <= conclusion for r in rows_inside(conditions, cells, rows))
        if consistency == "inclusion":
            return inside
        return inside and all(decisions[r] & conclusion for r in rows_meeting(conditions, cells, rows))

    for rule in rules:
        conclusion = set(rule.conclusion)
        assert consistent(rule.conditions, conclusion)
        assert rule.support == len(rows_inside(rule.conditions, cells, rows)) > 0
        for place in range(len(rule.conditions)):
            fewer = rule.conditions[:place] + rule.conditions[place + 1 :]
            assert not fewer or not consistent(fewer, conclusion)
    explained = set().union(*(rows_inside(rule.conditions, cells, rows) for rule in rules))
    assert sorted(set(range(rows)) - explained) == rules.info["unexplained"].tolist()


@settings(max_examples=40)
@given(release=releases())
def test_precise_rules_explain_every_row_that_nothing_inside_it_contradicts(release):
    cells, rows = sets_of(release), len(release)
    decisions = decisions_of(release, cells, "class")
    if len(set().union(*decisions)) < 2:
        return
    unexplained = set(rules_from_release(release).info["unexplained"].tolist())
    shown = ["a", "b"]
    for row in range(rows):
        inside = [r for r in range(rows) if all(cells[n][r] <= cells[n][row] for n in shown)]
        whole = all(len(cells[n][row]) == len(release.columns[n].attribute.domain) for n in shown)
        if not whole and len(set().union(*(decisions[r] for r in inside))) == 1 and spread(cells, row):
            assert row not in unexplained


def spread(cells, row):
    """Whether some condition can single the row out at all: another row shows something else."""
    return any(set_of != cells[name][row] for name in ("a", "b") for set_of in cells[name])


def test_a_table_is_the_release_that_hides_nothing():
    table = load("zoo")
    exact, plain = rules_from_release(table), mlem2(table)
    assert [rule.conditions for rule in exact] == [rule.conditions for rule in plain]


def test_imprecise_rules_explain_what_precise_ones_leave():
    table = load("hayes-roth")
    left = set(mlem2(table).info["unexplained"].tolist())
    rules = rules_from_release(table)
    assert left
    assert left - set(rules.info["unexplained"].tolist())
    assert len(rules_from_release(table, against="remaining").info["unexplained"]) <= len(rules.info["unexplained"])


@pytest.mark.parametrize(
    ("options", "words"), [({"consistency": "maybe"}, "'inclusion' or 'overlap'"), ({"against": "some"}, "'remaining'")]
)
def test_unknown_readings_are_refused(options, words):
    with pytest.raises(ValueError, match=words):
        rules_from_release(load("decision6"), **options)


def test_a_release_with_one_class_is_refused():
    table = Table(pd.DataFrame({"a": ["x", "y"], "class": ["p", "p"]}), decision="class")
    with pytest.raises(ValueError, match="one class only, 'p'"):
        rules_from_release(table)


@pytest.mark.parametrize("consistency", ["inclusion", "overlap"])
def test_published_rows_that_read_alike_are_searched_once_and_counted_as_often_as_they_occur(consistency):
    release = PatternTable(k=5).anonymize(load("hayes-roth"))
    once, thrice = (
        rules_from_release(release.take(np.repeat(np.arange(len(release)), times)), consistency) for times in (1, 3)
    )
    assert [rule.conditions for rule in thrice] == [rule.conditions for rule in once]
    for measure in ("support", "strength", "concept", "rows"):
        assert [getattr(rule, measure) for rule in thrice] == [3 * getattr(rule, measure) for rule in once]
    unexplained = np.zeros(len(release), dtype=bool)
    unexplained[once.info["unexplained"]] = True
    assert thrice.info["unexplained"].tolist() == np.flatnonzero(np.repeat(unexplained, 3)).tolist()
