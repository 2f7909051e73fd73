"""What texts and worked solutions say, beside what the package computes in another way."""

from collections import Counter
from itertools import combinations, permutations, product

import numpy as np
import pandas as pd
import pytest

from anonnb import Table, load, optimum
from anonnb.attacks import HomogeneityAttack
from anonnb.attacks.linkage import LinkageAttack
from anonnb.attacks.ranking import auc
from anonnb.coursework import practice
from anonnb.coursework.practice.answers.nb04_06 import rules_of
from anonnb.coursework.practice.answers.nb23_25 import _groups
from anonnb.coursework.practice.answers.nb33_36 import two_releases
from anonnb.coursework.practice.answers.tools import people_of, rows_of
from anonnb.coursework.practice.asking import fault
from anonnb.methods import Microaggregation, Mondrian
from anonnb.methods.anatomy.groups import largest_l, turns
from anonnb.methods.perturbation.pram import solved_counts
from anonnb.privacy.risks import risk
from anonnb.roughsets import approximate
from anonnb.roughsets.fuzzy.relations import IMPLICATORS, T_NORMS
from anonnb.rules import chase, implies
from anonnb.rules.association.channels import Supports, maximal_channels
from anonnb.rules.induction.imprecise import imprecise_rules
from anonnb.tables.incomplete_table import IncompleteTable
from anonnb.trees.growing import grow


def added(both, only_b, only_c, neither, k):
    counts = {frozenset(): both + only_b + only_c + neither, frozenset("BC"): both}
    counts |= {frozenset("B"): both + only_b, frozenset("C"): both + only_c}
    for channel in maximal_channels(Supports(dict(counts)), k):
        counts = {part: count + k * (part <= channel.having) for part, count in counts.items()}
    return [counts[frozenset(name)] for name in ("", "B", "C")]


def possible_triples(n, a, b, c, ab, ac, bc):
    """Every way to spread people over the eight groups with these counts gives a possible f(ABC)."""
    possible = []
    for x in range(n + 1):
        groups = [x, ab - x, ac - x, bc - x, a - ab - ac + x, b - ab - bc + x, c - ac - bc + x]
        possible += [x] if min(groups) >= 0 and sum(groups) <= n else []
    return min(possible), max(possible)


def chased(first, second, weight):
    frame = pd.DataFrame([{"a": f"a1 {weight} | a2 {1 - weight}", "b": "b1", "s": None}], index=["x"])
    rules = [implies({"a": "a1"}, {"s": "s1"}, *first), implies({"b": "b1"}, {"s": "s2"}, *second)]
    column = chase(IncompleteTable.from_frame(frame), rules, 0.2).system.columns["s"]
    return column.set_weights()[column.column.index[0]][list(column.attribute.labels).index("s2")]


def mdav_sizes(rows, k):
    groups = _groups(np.arange(rows), k, "mdav")
    return len(groups), max(map(len, groups))


def prosecutor(people):
    frame = pd.DataFrame([person.split() for person in people], columns=["age", "sex"])
    return risk(Table(frame, quasi=["age", "sex"])).prosecutor_average


def nodes(tops):
    """The nodes of the lattices of all subsets of columns but the empty one."""
    subsets = (some for size in range(1, len(tops) + 1) for some in combinations(tops, size))
    return sum(len(list(product(*(range(top + 1) for top in some)))) for some in subsets)


def three_ages(median, mean):
    ages = ((low, high) for low in range(median + 1) for high in range(median, 101))
    return sum(low + median + high == 3 * mean for low, high in ages)


def cheapest_groups(ages):
    best = optimum.best(Table(pd.DataFrame({"age": list(ages)}), quasi=["age"]), 3).value
    return best * (max(ages) - min(ages)) * len(ages)


AGAIN = {
    "00.1": prosecutor,
    "11.1": nodes,
    "24.1": lambda counts: (largest_l(np.array(counts)), len(turns(np.array(counts), largest_l(np.array(counts))))),
    "39.1": three_ages,
    "39.2": lambda members, outsiders: auc(np.array(members), np.array(outsiders)),
    "47.2": cheapest_groups,
    "07.2": lambda rows, left, right, percent: next(
        both for both in range(left + 1) if 100 * both >= percent * left and both * rows > left * right
    ),
    "07.3": possible_triples,
    "17.3": lambda both, left, confidence: next(
        n for n in range(10_000) if round(1000 * confidence) * (left + n) > 1000 * both
    ),
    "19.2": added,
    "23.2": mdav_sizes,
    "25.1": lambda yes, no, seen: solved_counts([100 - seen, seen], [[no, 1 - no], [1 - yes, yes]])[1],
    "33.1": chased,
    "37.2": lambda flu, cold, cancer: sum(
        Counter(word) == Counter(f=flu, c=cold, k=cancer) for word in product("fck", repeat=flu + cold + cancer)
    ),
    "60.2": lambda left, right: sum(
        a != b for a in "a" * left[0] + "b" * left[1] for b in "a" * right[0] + "b" * right[1]
    ),
    "63.2": lambda first, second: [T_NORMS[name](first, second) for name in ("minimum", "product", "lukasiewicz")],
    "63.3": lambda near, member: [
        float(IMPLICATORS[name](np.array(near), np.array(member)))
        for name in ("kleene_dienes", "lukasiewicz", "goedel")
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", AGAIN)
def test_formulas_agree_with_what_is_computed_in_another_way(name):
    for student in ("", *"abcdefgh"):
        asked = practice.find(name, student)
        variant = {key: asked.numbers[key] for key in asked._text.variants[0]}
        assert asked.answer.expected == pytest.approx(AGAIN[name](**variant), abs=1e-3)


def follows(has, *releases):
    """Whose illness is the same in every table that fits both releases, by trying all orders of the illnesses."""
    groups = [group for release in releases for group in release]
    told = [sorted(has[one] for one in group) for group in groups]
    tables = (dict(zip(has, order, strict=True)) for order in set(permutations(has.values())))
    fitting = [t for t in tables if [sorted(t[one] for one in group) for group in groups] == told]
    return {one for one in has if len({table[one] for table in fitting}) == 1}


def test_two_releases_reveal_what_all_tables_that_fit_agree_on():
    for variant in practice.texts.texts("36")["36.1"].variants:
        has = dict(enumerate(variant["illnesses"].split(), 1))
        answer = two_releases(**variant)
        assert answer.expected == follows(has, variant["first"], variant["second"])


def test_any_two_releases_that_reveal_everybody_are_right():
    has = dict(enumerate(["flu", "cold", "gout"] * 2, 1))
    pairs = [[(1, a), (b, c), (d, e)] for a, b, c, d, e in permutations(range(2, 7)) if b < c and d < e and b < d]
    pairs = [release for release in pairs if all(has[one] != has[other] for one, other in release)]
    verdicts = {
        (len(follows(has, *both)) == 6, fault(practice.find("36.3"), both) == "") for both in product(pairs, pairs)
    }
    assert verdicts == {(True, True), (False, False)}


def worked(name):
    return practice.find(name).model()


def regions(best_cut, frame, k):
    """Mondrian with the worked cut: the rows of every region."""
    spread, done, waiting = (frame.max() - frame.min()).replace(0, 1), [], [frame]
    while waiting:
        region = waiting.pop()
        cut = best_cut(region.copy(), spread, k)
        if cut is None:
            done.append(sorted(region.index))
        else:
            left = region[cut[0]] <= cut[1]
            waiting += [region[left], region[~left]]
    return sorted(done)


def grouped(groups):
    return sorted(np.flatnonzero(groups == group).tolist() for group in np.unique(groups))


@pytest.mark.slow
def test_mondrian_with_the_worked_cut_makes_the_packages_regions():
    adult = load("adult").frame[["age", "hours-per-week", "education-num"]].iloc[:300].reset_index(drop=True)
    small = [pd.DataFrame(np.random.default_rng(n).integers(0, 6, (14, 2)), columns=list("xy")) for n in range(6)]
    for k, frame in [(7, adult), *((2 + n % 2, frame) for n, frame in enumerate(small))]:
        groups = Mondrian(k=k).anonymize(Table(frame, quasi=list(frame))).groups
        assert regions(worked("13.4"), frame, k) == grouped(groups)


@pytest.mark.slow
def test_worked_attacks_are_those_of_the_package():
    quasi = ["age", "sex", "education"]
    adult = load("adult").select([*quasi, "income"]).with_roles(quasi=quasi, sensitive=["income"], decision=None)
    inside, outside = adult.take(np.arange(150)), adult.take(np.arange(150, 300))
    release = Mondrian(k=3).anonymize(inside)
    published = list(zip(rows_of(release), release.frame["income"], strict=True))
    for people in (inside, outside):
        result = HomogeneityAttack(column="income").run(release, people)
        pair = worked("00.4")(published, list(zip(people_of(people), people["income"], strict=True)))
        assert pair == (result.sure, result.sure_right)
    result = LinkageAttack().run(release)
    theirs = worked("34.4")(people_of(inside), rows_of(release), release.rows.tolist())
    assert theirs["marketer"] == pytest.approx(result.success)
    assert theirs["prosecutor"] == pytest.approx(result.info["prosecutor"])


@pytest.mark.slow
@pytest.mark.parametrize("k", [2, 5])
def test_worked_rules_are_those_of_the_package(k):
    table = load("hayes-roth")
    ours = imprecise_rules(table, k)
    texts, lost = worked("05.4")(list(ours.classes), rules_of(table), k)
    assert (texts, lost) == ([str(rule) for rule in ours], set(ours.info["lost"].tolist()))


@pytest.mark.slow
def test_worked_groups_and_questions_are_those_of_the_package():
    frame = pd.DataFrame(np.random.default_rng(1).normal(size=(20, 2)), columns=list("xy"))
    groups = Microaggregation(k=3)._groups(Table(frame, quasi=["x", "y"]))
    made = worked("23.4")(((frame - frame.mean()) / frame.std()).to_numpy(), 3)
    assert sorted(map(sorted, made)) == grouped(groups)
    iris = load("iris").frame
    root = grow(Table(iris[["petal_length", "class"]], decision="class"), max_leaves=2).root
    values, classes = iris["petal_length"].to_numpy(float), iris["class"].to_numpy().astype(str)
    assert worked("08.4")(values, classes)[0] == pytest.approx(root.split.cut)


@pytest.mark.slow
def test_worked_approximations_are_those_of_the_package():
    table = load("decision6")
    frame = table.frame.reset_index(drop=True)
    for value in frame["evaluation"].unique():
        ours = approximate(table, value, ["sex"])
        assert worked("02.4")(frame, ["sex"], "evaluation", value) == (set(ours.lower), set(ours.upper))
