"""LEM2, AQ and CN2: against plain versions of their definitions on random tables, and as classifiers."""

import functools
import itertools
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import check_estimator

from anonnb import Table, load, steps
from anonnb.rules import AQ, CN2, LEM2, LERS, aq, cn2, lem2
from tests.series import series


def random_table(seed):
    """Nominal, ordinal and numeric columns, missing cells, rows that contradict each other."""
    chance = np.random.default_rng(seed)
    rows = int(chance.integers(2, 13))
    frame = pd.DataFrame(
        {
            "colour": chance.choice(np.array(["red", "green", "blue", None], dtype=object), rows),
            "size": pd.Categorical(chance.choice(list("sml"), rows), categories=list("sml"), ordered=True),
            "weight": np.where(chance.random(rows) < 0.15, np.nan, chance.integers(1, 5, rows)),
            "class": chance.choice(list("abc"), rows),
        }
    )
    if frame["class"].nunique() == 1:
        frame.loc[0, "class"] = "d"
    return Table(frame, decision="class")


@functools.lru_cache(maxsize=2)
def cells_of(table):
    """The rows as plain dicts, None where a cell is missing."""
    columns = {
        name: [None if pd.isna(cell) else cell for cell in table.frame[name].tolist()] for name in table.conditions
    }
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def lower_approximation(table, value):
    cells, classes = cells_of(table), table.frame["class"].tolist()
    rows = range(len(table))
    return {r for r in rows if all(classes[s] == value for s in rows if cells[s] == cells[r])}


def covered(rule, table):
    cells = cells_of(table)
    return {r for r in range(len(table)) if all(part.allows(cells[r][part.attribute]) for part in rule.conditions)}


# ---- LEM2 ---------------------------------------------------------------------------------------------------------


def lem2_by_the_book(table, goal):
    """The sets of (attribute, value) pairs that LEM2 finds, as Grzymala-Busse writes it down."""
    cells, rows = cells_of(table), frozenset(range(len(table)))
    pairs = [(name, value) for name in table.conditions for value in [*table.attributes[name].domain, None]]
    block = {pair: frozenset(r for r in rows if cells[r][pair[0]] == pair[1]) for pair in pairs}
    rules, left = [], frozenset(goal)
    while left:
        chosen, still = [], left
        while not chosen or not frozenset.intersection(*map(block.get, chosen)) <= goal:
            able = [pair for pair in pairs if block[pair] & still and pair not in chosen and block[pair] != rows]
            best = max(able, key=lambda pair, still=still: (len(block[pair] & still), -len(block[pair])))
            chosen.append(best)
            still &= block[best]
        for pair in list(chosen):
            others = [other for other in chosen if other != pair]
            if others and frozenset.intersection(*map(block.get, others)) <= goal:
                chosen = others
        rules.append(chosen)
        left -= frozenset.intersection(*map(block.get, chosen))
    for rule in list(rules):
        others = [frozenset.intersection(*map(block.get, other)) for other in rules if other is not rule]
        if frozenset().union(*others) >= goal:
            rules.remove(rule)
    return [set(rule) for rule in rules]


@pytest.mark.slow
def test_lem2_by_the_book_on_random_tables():
    for seed in series(500):
        table = random_table(seed)
        rules = lem2(table)
        for value in rules.classes:
            mine = rules.filter(concludes=value)
            found = [{(part.attribute, part.values[0]) for part in rule.conditions} for rule in mine]
            assert found == lem2_by_the_book(table, lower_approximation(table, value))


# ---- AQ -----------------------------------------------------------------------------------------------------------


def aq_by_the_book(table, goal, width):
    """Rows of every rule, from stars of conjunctions that are lists of tests on a row."""
    cells = cells_of(table)
    rows, names = range(len(cells)), table.conditions
    ranks = {name: list(table.attributes[name].domain) for name in names}

    def extension(name, seed, negative):
        own, other = seed[name], negative[name]
        if table.attributes[name].kind == "nominal" or own is None:
            return (
                (lambda cell: cell != other)
                if own is not None or table.attributes[name].kind == "nominal"
                else (lambda cell: cell is None)
            )
        place = ranks[name].index
        if other is None:
            return lambda cell: cell is not None
        if place(other) < place(own):
            return lambda cell: cell is not None and place(cell) > place(other)
        return lambda cell: cell is not None and place(cell) < place(other)

    found, uncovered = [], sorted(goal)
    while uncovered:
        seed = uncovered[0]
        star = [({}, set(rows))]
        while set().union(*(block for _, block in star)) - goal:
            outside = sorted(set().union(*(block for _, block in star)) - goal)
            apart = [sum(cells[r][n] != cells[seed][n] for n in names) for r in outside]
            negative = outside[apart.index(min(apart))]
            fresh = []
            for tests, block in star:
                if negative not in block:
                    fresh.append((tests, block))
                    continue
                for name in [n for n in names if cells[seed][n] != cells[negative][n]]:
                    test = extension(name, cells[seed], cells[negative])
                    narrower = {r for r in block if test(cells[r][name])}
                    fresh.append(({**tests, name: (*tests.get(name, ()), cells[negative][name])}, narrower))
            fresh = without_copies(fresh, table, cells[seed])
            star = sorted(fresh, key=lambda one: len(one[1] & goal) - len(one[1] - goal), reverse=True)[:width]
        best = max(star, key=lambda one: (len(one[1] & set(uncovered)), -len(one[0])))
        found.append(best[1])
        uncovered = [r for r in uncovered if r not in best[1]]
    return found


def without_copies(star, table, seed):
    """Conjunctions that exclude the same values are one: order and, for ordered attributes, farther values aside."""
    seen, kept = set(), []
    for tests, block in star:
        key = []
        for name, excluded in sorted(tests.items()):
            if table.attributes[name].kind == "nominal":
                key.append((name, frozenset(excluded)))
            elif seed[name] is None:
                key.append((name, "missing"))
            else:
                place = list(table.attributes[name].domain).index
                own, known = place(seed[name]), [place(value) for value in excluded if value is not None]
                lower = max((value for value in known if value < own), default=-1)
                key.append((name, lower, min((value for value in known if value > own), default=99)))
        if tuple(key) not in seen:
            seen.add(tuple(key))
            kept.append((tests, block))
    return kept


@pytest.mark.slow
def test_aq_by_the_book_on_random_tables():
    for seed in series(500):
        table, width = random_table(seed), 1 + 2 * (seed % 3)
        rules = aq(table, width=width)
        assert [rule.support for rule in rules] == [rule.strength for rule in rules]
        for value in rules.classes:
            mine = [covered(rule, table) for rule in rules.filter(concludes=value)]
            assert mine == aq_by_the_book(table, lower_approximation(table, value), width)


# ---- CN2 ----------------------------------------------------------------------------------------------------------


def all_boxes(table):
    """The rows of every conjunction that CN2 may look at: single values, and runs of ordered ones."""
    cells = cells_of(table)
    choices = []
    for name in table.conditions:
        values = [row[name] for row in cells]
        present = sorted({v for v in values if v is not None}, key=list(table.attributes[name].domain).index)
        runs = [{v} for v in present]
        if table.attributes[name].kind != "nominal":
            runs = [set(present[a:b]) for a in range(len(present)) for b in range(a + 1, len(present) + 1)]
        blocks = {frozenset(r for r, v in enumerate(values) if v in run) for run in [*runs, {None}]}
        choices.append([(0, frozenset(range(len(cells)))), *((1, block) for block in blocks if block)])
    return [
        (sum(size for size, _ in box), frozenset.intersection(*(block for _, block in box)))
        for box in itertools.product(*choices)
    ]


@pytest.mark.slow
def test_every_rule_of_cn2_is_the_best_over_the_rows_left_on_random_tables():
    """With a beam that is wide enough, by score, then rows covered, then conditions."""
    for seed in series(500):
        table = random_table(seed)
        classes = table.frame["class"].to_numpy()
        kinds = sorted(set(classes))
        boxes, left = all_boxes(table), set(range(len(table)))
        rules = cn2(table, beam=10_000)
        for rule, distribution in zip(rules[:-1], rules.info["distributions"], strict=False):
            keys = []
            for size, block in boxes:
                rows = block & left
                if rows and len(rows) < len(left):
                    most = max(sum(classes[r] == kind for r in rows) for kind in kinds)
                    keys.append((-round((most + 1) / (len(rows) + len(kinds)), 12), -len(rows), size))
            mine = covered(rule, table) & left
            assert distribution.tolist() == [sum(classes[r] == kind for r in mine) for kind in kinds]
            score = round((max(distribution) + 1) / (sum(distribution) + len(kinds)), 12)
            assert (-score, -len(mine), len(rule.conditions)) == min(keys)
            left -= mine
        rest = [sum(classes[r] == kind for r in left) for kind in kinds]
        assert not left or rules.info["distributions"][-1].tolist() == rest


@pytest.mark.parametrize("options", [{}, {"ordered": False}, {"evaluation": "entropy"}])
def test_cn2_counts_what_its_rules_cover(options):
    for seed in range(60):
        table = random_table(seed)
        rules = cn2(table, **options)
        for rule in rules:
            rows = covered(rule, table)
            assert rule.support == len(rows)
            assert rule.strength == sum(table.frame["class"].iloc[r] == rule.conclusion[0] for r in rows)
        assert rules[-1].conditions == ()


def test_the_first_rule_that_matches_decides_in_a_list_and_all_vote_in_a_set():
    table = load("zoo")
    for learner in (CN2().fit(table), CN2(ordered=False).fit(table)):
        matches, counts = learner.rules_.matches(table), learner.rules_.info["distributions"]
        for row in range(len(table)):
            fitting = np.flatnonzero(matches[row])
            others = fitting[fitting < len(counts) - 1]
            voters = fitting[:1] if learner.ordered else others if len(others) else fitting
            expected = counts[voters].sum(axis=0)
            assert learner.predict_proba(table[[row]])[0] == pytest.approx(expected / expected.sum())


# ---- as classifiers -----------------------------------------------------------------------------------------------

LEARNERS = [LEM2(), AQ(), CN2(), CN2(ordered=False), CN2(evaluation="entropy", significance=0.1)]


@pytest.mark.slow
@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_they_are_classifiers_of_scikit_learn(learner):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what a check of missing values casts, and the one that is skipped
        check_estimator(learner)


@pytest.mark.parametrize("learner", [LERS(tie="majority"), *LEARNERS], ids=repr)
def test_a_table_and_its_frame_give_the_same_answers(learner):
    table = load("hayes-roth")
    X, y = table.frame[table.conditions], table.frame[table.decision]
    kinds = {name: table.attributes[name].kind for name in table.conditions}
    by_frame = clone(learner).set_params(kinds=kinds).fit(X, y)
    by_table = clone(learner).fit(table)
    assert by_frame.predict(X).tolist() == by_table.predict(table).tolist()
    assert by_frame.score(X, y) == by_table.score(table)


# ---- steps and bad input ------------------------------------------------------------------------------------------


def test_the_rule_that_cn2_takes_scores_highest():
    run = steps.of(cn2, load("iris"))
    assert len(run) == len(run.result)
    for step in run[:-1]:
        assert step.candidates.loc[step.chosen[0], "score"] == step.candidates["score"].max()


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda t: aq(t, width=0), "width=0 is not possible"),
        (lambda t: aq(t, "z"), "'z' is not a class of 'class'"),
        (lambda t: aq(t, approximation="middle"), "'lower' or 'upper'"),
        (lambda t: cn2(t, evaluation="luck"), "evaluation='luck' is not known"),
        (lambda t: cn2(t, ordered=False, evaluation="entropy"), "use it with ordered=True"),
        (lambda t: cn2(t, beam=2.5), "beam=2.5 is not possible"),
        (lambda t: cn2(t, max_conditions=0), "max_conditions=0 is not possible"),
        (lambda t: cn2(t, significance=0), "significance=0 is not possible"),
        (lambda t: lem2(t.select(["size", "weight"])), "no decision column"),
        (lambda t: cn2(t[[]]), "no rows"),
        (lambda t: AQ(tie="guess").fit(t), "tie='guess' is not known"),
        (lambda t: LEM2().predict(t), "this LEM2 has no rules yet; call fit first"),
    ],
)
def test_bad_input_is_named(act, words):
    with pytest.raises(ValueError, match=words):
        act(random_table(1))
