"""Dominance: the students of Słowiński's example, every notion by its definition, monotone and dual."""

import numpy as np
import pandas as pd
import pytest

from anonnb import Release, Table, load
from anonnb.roughsets import dominance
from anonnb.roughsets.dominance_rules import domlem
from anonnb.tables.value_sets import Column
from tests.roughsets.definitions import same_sets, smallest
from tests.series import series

GRADES = ["bad", "medium", "good"]
STUDENTS = pd.DataFrame(
    [row.split() for row in "mmbb gmbm mgbm bmgb bbmb bmmm ggbg gmmm mmgg gmgg".replace("", " ").split("  ")],
    columns=["mathematics", "physics", "literature", "overall"],
    index=[f"x{n}" for n in range(1, 11)],
).replace({"b": "bad", "m": "medium", "g": "good"})


def students():
    return Table(STUDENTS, decision="overall", orders=dict.fromkeys(STUDENTS, GRADES))


def named(table, rows):
    return set(table.index[rows].tolist())


def test_the_ten_students():
    table = students()
    expected = {
        ("bad", "at most"): "x1 x5",
        ("medium", "at most"): "x1 x2 x3 x4 x5 x6 x8",
        ("medium", "at least"): "x2 x3 x7 x8 x9 x10",
        ("good", "at least"): "x7 x9 x10",
    }
    for (value, union), rows in expected.items():
        found = dominance.approximate(table, value, union=union)
        assert named(table, found.lower) == set(rows.split())
        boundary = {"x4", "x6"} if (value, union) in (("bad", "at most"), ("medium", "at least")) else set()
        assert named(table, found.boundary) == boundary
    assert dominance.quality(table) == 0.8


# ---- by definition ------------------------------------------------------------------------------------------------


def random_criteria(seed, sets=False):
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(1, 8))
    names = ["a", "b", "c"]
    frame = pd.DataFrame({name: rng.integers(0, 3, rows) for name in [*names, "d"]})
    table = Table(frame, decision="d", quasi=names, orders={name: [0, 1, 2] for name in frame}, domains=None)
    if not sets:
        return table
    columns = {}
    for name in frame:
        size, codes = table.attributes[name].size, table.codes(name)
        other = rng.integers(0, size, rows)
        keep = rng.random(rows) < 0.5
        other = np.where(keep, codes, other)
        columns[name] = Column.from_spans(table.attributes[name], np.minimum(codes, other), np.maximum(codes, other))
    return Release(table, columns, np.arange(rows))


def rows_of(table, cost=()):
    """The values (larger is better) and the class of every row."""
    frame = table.frame
    cells = {name: (-frame[name] if name in cost else frame[name]).tolist() for name in ("a", "b", "c")}
    return cells, frame["d"].tolist()


def dominating(cells, row, names):
    return [r for r in range(len(cells["a"])) if all(cells[n][r] >= cells[n][row] for n in names)]


def dominated(cells, row, names):
    return [r for r in range(len(cells["a"])) if all(cells[n][r] <= cells[n][row] for n in names)]


def consistent(cells, classes, names):
    """Rows in no boundary of any union."""
    found = set()
    for row, own in enumerate(classes):
        better = all(classes[r] >= own for r in dominating(cells, row, names))
        worse = all(classes[r] <= own for r in dominated(cells, row, names))
        found |= {row} if better and worse else set()
    return found


@pytest.mark.slow
def test_approximations_and_reducts_by_definition():
    for seed in series(500):
        _is_as_defined(random_criteria(seed), ["b"] if seed % 3 == 0 else [])


def _is_as_defined(table, cost):
    cells, classes = rows_of(table, cost)
    rows, names = range(len(classes)), ["a", "b", "c"]
    for t in sorted(set(classes)):
        up = dominance.approximate(table, t, cost=cost)
        assert up.lower.tolist() == [r for r in rows if all(classes[o] >= t for o in dominating(cells, r, names))]
        assert up.upper.tolist() == [r for r in rows if any(classes[o] >= t for o in dominated(cells, r, names))]
        down = dominance.approximate(table, t, cost=cost, union="at most")
        assert down.lower.tolist() == [r for r in rows if all(classes[o] <= t for o in dominated(cells, r, names))]
        assert down.upper.tolist() == [r for r in rows if any(classes[o] <= t for o in dominating(cells, r, names))]
    whole = consistent(cells, classes, names)
    assert dominance.quality(table, cost=cost) == len(whole) / len(classes)
    expected = smallest(lambda chosen: consistent(cells, classes, chosen) == whole)
    assert same_sets(dominance.reducts(table, cost=cost), expected)


def test_missing_values_may_be_anything():
    frame = pd.DataFrame({"a": [1.0, None, 3.0], "d": [1, 2, 3]})
    bounds = dominance.class_bounds(Table(frame, decision="d"))
    assert bounds.low.tolist() == [0, 0, 1]
    assert bounds.high.tolist() == [1, 2, 2]
    assert dominance.quality(Table(frame, decision="d")) == 0
    assert dominance.quality(Table(frame.dropna(), decision="d")) == 1


@pytest.mark.parametrize(
    ("act", "error", "words"),
    [
        (lambda: dominance.quality(load("zoo"), ["legs"]), ValueError, "'legs' has no order"),
        (lambda: dominance.quality(load("zoo")), ValueError, "'type' has no order"),
        (lambda: dominance.quality(load("car").select(["safety"])), ValueError, "needs a decision"),
        (lambda: dominance.quality(load("car"), cost=["price"]), KeyError, "'price' is none of the criteria"),
        (lambda: dominance.approximate(load("car"), "great"), ValueError, "no value 'great'"),
        (lambda: dominance.approximate(load("car"), "good", union="over"), ValueError, "'at least' or 'at most'"),
    ],
)
def test_bad_input_is_named(act, error, words):
    with pytest.raises(error, match=words):
        act()


def claimed(rule, classes):
    """Whether the class of each row is what the rule concludes."""
    return (classes >= rule.low) & (classes <= rule.high)


def test_the_rules_of_the_students():
    rules = domlem(students())
    assert len(rules) == 10
    assert sum(rule.kind == "approximate" for rule in rules) == 1
    texts = set(map(str, rules))
    assert "mathematics ≥ good and physics ≥ good → overall at least good" in texts
    assert "mathematics ≤ bad and physics ≥ medium → overall between bad and medium" in texts
    doubtful = next(rule for rule in rules if rule.kind == "approximate")
    assert {f"x{row + 1}" for row in doubtful.rows} == {"x4", "x6"}


@pytest.mark.parametrize("seed", range(60))
def test_rules_hold_cover_and_are_needed(seed):
    data, cost = random_criteria(seed, sets=seed % 3 == 0), ["b"] if seed % 2 else []
    rules = domlem(data, cost=cost, kinds=["certain", "possible", "approximate"])
    criteria = dominance.Criteria.of(data, None, cost)
    bounds, last = dominance.bounds_of(criteria), len(criteria.decision.domain) - 1
    for rule in rules:
        possible = np.ones(len(criteria), dtype=bool)
        for condition in rule.conditions:
            possible &= condition.fits(criteria)[1]
        if rule.kind == "certain":  # whoever may fit it, whatever they are
            assert (criteria.worst[possible] >= rule.low).all()
            assert (criteria.best[possible] <= rule.high).all()
        elif rule.kind == "approximate":
            assert claimed(rule, criteria.worst)[possible].all()
            assert not bounds.consistent[possible].any()
        else:  # nothing rules the conclusion out
            assert (bounds.high[possible] >= rule.low).all()
            assert (bounds.low[possible] <= rule.high).all()
        assert not any(rule.outdone_by(other) for other in rules if other is not rule)
    for code in range(1, last + 1):
        stronger = [rule for rule in rules if rule.kind == "certain" and rule.low >= code]
        covered = {row for rule in stronger for row in rule.rows.tolist()}
        assert set(np.flatnonzero(bounds.low >= code).tolist()) <= covered
    if criteria.exact:
        doubtful = {row for rule in rules if rule.kind == "approximate" for row in rule.rows.tolist()}
        assert doubtful == set(np.flatnonzero(~bounds.consistent).tolist())


def test_certain_rules_give_back_the_bounds_of_their_own_rows():
    table = load("car")
    rules = domlem(table, cost=["buying", "maint"], kinds="certain")
    bounds = dominance.class_bounds(table, cost=["buying", "maint"])
    names = np.array(table.attributes["class"].labels, dtype=object)
    told = rules.predict(table)
    assert told["at least"].tolist() == names[bounds.low].tolist()
    assert told["at most"].tolist() == names[bounds.high].tolist()


def test_an_unknown_kind_of_rules_is_named():
    with pytest.raises(ValueError, match="'sure' is not known"):
        domlem(students(), kinds=["sure"])
    few = students().frame.head(3)
    other = Table(few, decision="overall", orders=dict.fromkeys(few, GRADES))  # nobody is good at literature here
    with pytest.raises(ValueError, match="has other values"):
        domlem(students()).predict(other)
