"""SCIKD: the worked example exactly, minimality against brute force, and silence of Chase on random rule bases."""

from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import anonnb
from anonnb import Infeasible, Release, Table, privacy, steps
from anonnb.attacks import ChaseAttack
from anonnb.methods import ChaseProtection, Mondrian
from anonnb.methods.chase_protection.chase_protection import protect, search_object
from anonnb.methods.chase_protection.hiding import _verified, _weak_link
from anonnb.methods.chase_protection.scikd import HidingSearch, hide_least
from anonnb.rules import chase, implies
from anonnb.rules.incomplete.chase import ChaseResult, ChaseState, run
from anonnb.rules.incomplete.knowledge import Knowledge, ready
from anonnb.tables.labels import HIDDEN_CELL
from tests.methods.chase_protection.scikd_example import example_rules, example_system, random_case


def test_the_worked_example():
    found = search_object(example_system(), example_rules(), "d", threshold=1 / 5)
    sets = found.sets.set_index("set")
    assert list(sets.index[sets["marked"]]) == [("c",), ("f",), ("e", "g")]
    assert sets.loc[[("c",)], "closure"].item() == "a1 2/3, b1 2/3, c1, d1 2/3, e1 2/3"
    assert sets.loc[[("e", "g")], "closure"].item() == "a1 2/3, b1, c1 2/3, d1 2/3, e1, g1"
    assert sets.loc[[("a", "b", "e")], "closure"].item() == "a1 2/3, b1, e1"
    assert ("b", "e", "g") not in sets.index, "a superset of a marked set is not looked at"
    assert found.kept == [("a", "b", "e"), ("a", "b", "g")]
    assert found.hidden == ("c", "f", "g"), "g1 is named in one rule only, e1 in three"


def test_the_worked_example_needs_no_extra_cells():
    hiding = protect(example_system(), example_rules(), "d", 1 / 5)
    assert [name for name, cell in zip(hiding.names, hiding.cells[0], strict=True) if cell] == ["c", "f", "g"]
    assert (hiding.summary()["cells"], hiding.summary()["extra"]) == (3, 0)


def test_the_steps_of_the_worked_example_are_the_papers():
    told = steps.of(search_object, example_system(), example_rules(), "d", threshold=1 / 5)
    levels, last = told[:3], told[3]
    assert [len(step.candidates) for step in levels] == [6, 6, 2]
    assert [step.chosen for step in levels] == [
        ("a", "b", "e", "g"),
        ("a, b", "a, e", "a, g", "b, e", "b, g"),
        ("a, b, e", "a, b, g"),
    ]
    assert levels[0].candidates.loc["c", "closure"] == "a1 2/3, b1 2/3, c1, d1 2/3, e1 2/3"
    assert last.title == "Hide c, f, g"
    assert last.chosen == ("a, b, e",)
    assert last.candidates["mentions in rules"].idxmax() == "a, b, e"


@cache
def random_cases():
    """Random tables with rules, and what is to be hidden in each."""
    cases = [random_case(seed, rows=3) for seed in range(250)]
    return [(*case, protect(case[0], case[1], "s", case[2])) for case in cases]


def closed(visible, rules, threshold):
    """The closure in plain Python: {(attribute, value): weight}."""
    found = dict(visible)
    changed = True
    while changed:
        changed = False
        for premise, end, sure in rules:
            weight = sure
            for item in premise:
                weight *= found.get(item, 0)
            if weight >= threshold - 1e-9 and weight > found.get(end, 0) + 1e-9:
                found[end] = weight
                changed = True
    return found


def fewest(row, rules, threshold):
    """The smallest number of cells to hide, by trying all sets of cells from the smallest."""
    for count in range(len(row) + 1):
        for hidden in combinations(row, count):
            visible = {(n, v): w for n, cell in row.items() if n not in hidden for v, w in cell.items()}
            if not any(name == "s" for name, _ in closed(visible, rules, threshold)):
                return count
    raise AssertionError


def cells_of(system, row):
    """The visible cells of a row beside the secret: {attribute: {value: weight}}."""
    cells = {}
    for name, column in system.columns.items():
        weights = column.weight(np.arange(column.attribute.size))[row]
        if name != "s" and weights.any():
            cells[name] = {column.attribute.labels[code]: weights[code] for code in np.flatnonzero(weights)}
    return cells


@pytest.mark.slow
def test_least_hiding_against_brute_force():
    hidden_somewhere = 0
    for seed, (system, rules, threshold, hiding) in enumerate(random_cases()):
        plain = [
            ([(c.attribute, c.values[0]) for c in r.conditions], (r.decision, r.conclusion[0]), r.confidence)
            for r in rules
        ]
        base = ready(system, rules, threshold)
        for row in range(len(system)):
            least = fewest(cells_of(base, row), plain, threshold)
            assert (hiding.cells & ~hiding.extra)[row].sum() == least, seed
            hidden_somewhere += least
    assert hidden_somewhere > 100


@pytest.mark.slow
def test_after_protection_chase_reveals_nothing():
    before, extra = 0, 0
    for seed, (system, rules, threshold, hiding) in enumerate(random_cases()):
        extra += hiding.extra.sum()
        safe = system.hide({name: hiding.cells[:, place] for place, name in enumerate(hiding.names)}).hide("s")
        for normalize in (True, False):
            before += len(chase(system.hide("s"), rules, threshold, normalize=normalize).revealed("s"))
            assert not len(chase(safe, rules, threshold, normalize=normalize).revealed("s")), seed
    assert before > 100
    assert extra > 0, "scaled votes need more than the closure"


@pytest.mark.slow
def test_the_compiled_and_the_readable_search_agree(monkeypatch):
    for seed in range(60):
        system, rules, threshold = random_case(seed)
        base = ready(system, rules, threshold).hide("s")
        knowledge = Knowledge.of(rules, base)
        weights = knowledge.weights(base)
        targets = np.broadcast_to(knowledge.owner == knowledge.names.index("s"), weights.shape)
        fast, _ = hide_least(knowledge, weights, targets, threshold)
        monkeypatch.setattr("anonnb.methods.chase_protection.scikd._MOST_CELLS", 0)
        slow, _ = hide_least(knowledge, weights, targets, threshold)
        monkeypatch.undo()
        assert (fast == slow).all()


def test_a_weight_of_exactly_the_threshold_counts():
    table = Table(pd.DataFrame({"a": ["1"], "s": ["x"]}))
    rules = [implies({"a": "1"}, {"s": "x"}, 0.2)]
    assert ChaseProtection(secret="s", rules=rules, threshold=0.2).anonymize(table).info["cells"] == 1


def test_every_value_or_only_the_true_one():
    table = Table(pd.DataFrame({"a": ["1", "1"], "s": ["x", "y"]}))
    rules = [implies({"a": "1"}, {"s": "x"})]
    every = ChaseProtection(secret="s", rules=rules).anonymize(table)
    true = ChaseProtection(secret="s", rules=rules, against="true").anonymize(table)
    assert every.frame["a"].tolist() == [HIDDEN_CELL, HIDDEN_CELL]
    assert true.frame["a"].astype(str).tolist() == [HIDDEN_CELL, "1"]
    result = ChaseAttack(rules=rules, targets="s").run(true)
    assert (result.info["right"], result.info["wrong"]) == (0, 1), "what Chase still says is always wrong"


@pytest.mark.parametrize("against", ["every", "true"])
def test_where_no_rule_is_found_only_the_secret_is_hidden(against):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({name: rng.integers(0, 20, 60).astype(str) for name in ("a", "b", "ill")})
    table = Table(frame, quasi=["a", "b"], sensitive="ill")
    release = ChaseProtection(against=against, min_confidence=1.0).anonymize(table)
    assert release.info["rules"] == ()
    assert (release.frame["ill"] == HIDDEN_CELL).all()
    assert release.frame[["a", "b"]].equals(frame[["a", "b"]])


def test_several_secrets():
    table = Table(pd.DataFrame({"a": ["1"], "b": ["1"], "s": ["x"], "t": ["y"]}))
    rules = [implies({"a": "1"}, {"s": "x"}), implies({"b": "1"}, {"t": "y"}), implies({"s": "x"}, {"t": "y"})]
    release = ChaseProtection(secret=["s", "t"], rules=rules).anonymize(table)
    assert release.frame.iloc[0].tolist() == [HIDDEN_CELL] * 4
    only_s = ChaseProtection(secret="s", rules=rules[:2]).anonymize(table)
    assert only_s.frame.iloc[0].tolist() == [HIDDEN_CELL, "1", HIDDEN_CELL, "y"]


def test_with_k_both_hold():
    table = anonnb.load("adult").take(np.arange(600)).select(["age", "sex", "marital-status", "education", "income"])
    settings = {"min_support": 0.02, "min_confidence": 0.8, "threshold": 0.1}
    method = ChaseProtection(k=5, **settings)
    release = method.anonymize(table)
    assert privacy.k(release) >= 5
    rules = release.info["rules"]
    assert release.info["cells"] > 0
    for normalize in (True, False):
        attack = ChaseAttack(rules=rules, targets="income", threshold=0.1, normalize=normalize)
        assert attack.run(release).info["revealed"] == 0
    bare = Mondrian(k=5).anonymize(table)
    hidden = Release(bare.table, {"income": bare.columns["income"].with_suppressed(np.arange(len(bare)))}, bare.rows)
    columns = {**bare.columns, "income": hidden.columns["income"]}
    attack = ChaseAttack(rules=rules, targets="income", threshold=0.1)
    assert attack.run(Release(bare.table, columns, bare.rows)).info["revealed"] > 0, "k alone does not stop Chase"
    with pytest.raises(Infeasible, match="reached only k = 1"):
        method.protect(Release.of(table))


def test_bad_tables():
    table = Table(pd.DataFrame({"a": ["1"]}))
    with pytest.raises(ValueError, match="there is no secret to protect"):
        ChaseProtection().anonymize(table)
    with pytest.raises(KeyError, match="no published column 's'"):
        ChaseProtection(secret="s").anonymize(table)


def test_all_cells_may_have_to_go():
    rules = [implies({name: "1"}, {"s": "x"}) for name in "abc"]
    table = Table(pd.DataFrame({"a": ["1", "2"], "b": ["1", "1"], "c": ["1", "2"], "s": ["x", "y"]}))
    release = ChaseProtection(secret="s", rules=rules).anonymize(table)
    assert release.frame.astype(str).to_numpy().tolist() == [[HIDDEN_CELL] * 4, ["2", HIDDEN_CELL, "2", HIDDEN_CELL]]
    knowledge = Knowledge.of(rules, ready(example_system().hide([]), [], 0.2))
    assert len(knowledge) == 0, "rules about other columns never apply"
    assert HidingSearch(knowledge, np.zeros(0), [], np.zeros(0, dtype=int), 0.2).hidden() == []


@pytest.mark.slow
def test_rows_that_do_not_leak_need_no_second_look():
    """The plain way runs Chase on all rows again and again; it hides the same cells."""
    looked_again = 0
    for seed in range(60):
        system, rules, threshold = random_case(seed, rows=8)
        system = ready(system, rules, threshold)
        knowledge = Knowledge.of(rules, system)
        targets = np.broadcast_to(knowledge.owner == knowledge.names.index("s"), (8, len(knowledge.items)))
        hidden, rows = system.hide("s"), np.arange(8)
        start, cells, settled = ChaseState.of(hidden, knowledge), np.zeros((8, len(knowledge.names)), dtype=bool), False
        found = _verified(knowledge, hidden, cells, targets, threshold, None)
        while not settled:
            settled, looked_again = True, looked_again + 1
            for normalize in (True, False):
                state = start.hide(cells, knowledge.owner, rows)
                result = ChaseResult(hidden, knowledge, state, *run(knowledge, state, threshold, normalize))
                leaks = (result.final[state.line] > 0) & targets
                for row in np.flatnonzero(leaks.any(axis=1)):
                    cells[row, _weak_link(result, int(state.line[row]), leaks[row])] = True
                    settled = False
        assert (found == cells).all(), seed
    assert looked_again > 60, "some cases need more than one round"
