"""Rules, patterns, membership and the deFinetti attack beside plain Python that follows the definitions word by word.

The other attacks have their plain twins beside their tests: tests/attacks/plain.py (shallow and deep), test_downcoding
and test_reconstruction; Samarati's height is in tests/methods/lattice, safe trees are in
tests/methods/mining.
"""

import math
from itertools import chain, combinations, permutations

import numpy as np
import pandas as pd
import pytest

from anonnb import Infeasible, Table
from anonnb.attacks import DeFinettiAttack
from anonnb.attacks.membership.densities import log_nearness
from anonnb.methods import OKA, Anatomy, PatternTable
from anonnb.rules import imprecise_rules
from tests.fuzz import recount
from tests.series import series

LABELS = {"size": {"[S–M]": {"S", "M"}, "[M–L]": {"M", "L"}, "[S–L]": {"S", "M", "L"}}}


def as_texts(table: Table) -> list[dict[str, str]]:
    return [{name: str(value) for name, value in row.items()} for row in table.frame.to_dict("records")]


def random_table(rng) -> Table:
    """A few rows with ties and contradictions: categories, numbers, an order, and two or three classes."""
    rows = int(rng.integers(4, 16))
    frame = pd.DataFrame(
        {
            "city": rng.choice(list("abc"), rows),
            "age": rng.integers(0, 5, rows),
            "size": pd.Categorical(rng.choice(list("SML"), rows), list("SML"), ordered=True),
            "class": rng.choice(["x", "y", "z"][: rng.integers(2, 4)], rows),
        }
    )
    frame.loc[0, "class"], frame.loc[1, "class"] = "x", "y"
    return Table(frame, quasi=["city", "age", "size"], decision="class")


def satisfies(row: dict, rule) -> bool:
    """A condition lists values, or has ends for numbers."""
    return all(
        (part.values is None or row[part.attribute] in part.values)
        and (part.values is not None or part.lower is None or row[part.attribute] >= part.lower)
        and (part.values is not None or part.upper is None or row[part.attribute] <= part.upper)
        for part in rule.conditions
    )


def unions(classes) -> list[frozenset]:
    return [frozenset(part) for size in range(1, len(classes)) for part in combinations(sorted(classes), size)]


@pytest.mark.parametrize("seed", series(120))
def test_imprecise_rules_are_true_minimal_and_cover_every_lower_approximation(seed):
    rng = np.random.default_rng(seed)
    table = random_table(rng)
    rows = table.frame.to_dict("records")
    rules = list(imprecise_rules(table))
    for rule in rules:
        support = [row for row in rows if satisfies(row, rule)]
        assert rule.support == len(support) > 0
        assert {row["class"] for row in support} <= set(rule.conclusion)
        for left_out in rule.conditions:
            fewer = [part for part in rule.conditions if part is not left_out]
            wider = [row for row in rows if satisfies(row, type(rule)(tuple(fewer), "class", rule.conclusion))]
            assert not {row["class"] for row in wider} <= set(rule.conclusion), f"{rule}: {left_out} is needless"
    alike = {}
    for row in rows:
        alike.setdefault((row["city"], row["age"], row["size"]), set()).add(row["class"])
    for union in unions({row["class"] for row in rows}):
        mine = [rule for rule in rules if set(rule.conclusion) == union]
        for row in rows:
            certain = alike[row["city"], row["age"], row["size"]] <= union
            assert any(satisfies(row, rule) for rule in mine) == certain
    k = int(rng.integers(2, 5))
    kept = [rule for rule in rules if rule.support >= k]
    assert list(map(str, imprecise_rules(table, k))) == list(map(str, kept))


@pytest.mark.parametrize("seed", series(120))
def test_every_written_pattern_fits_k_rows(seed, tmp_path):
    rng = np.random.default_rng(seed)
    table, k = random_table(rng), int(rng.integers(1, 4))
    options = {
        "variant": f"cT{rng.integers(1, 5)}",
        "with_row": bool(rng.integers(2)),
        "printed": bool(rng.integers(2)),
    }
    options["open_ends"] = str(rng.choice(["supporters", "table"]))
    try:
        release = PatternTable(k=k, **options).anonymize(table)
    except Infeasible:
        return
    header, patterns = recount.read(release.publish(tmp_path / "patterns.csv"))
    people = as_texts(table)
    for pattern in patterns:
        cells = [(name, cell) for name, cell in zip(header, pattern, strict=True)]
        fits = [
            person
            for person in people
            if all(recount.fits(cell, person[name], LABELS.get(name, {})) for name, cell in cells)
        ]
        assert len(fits) >= k, (pattern, options)


def plain_definetti(people, groups, secrets_of, domains, rounds):
    """Deal out the secrets of each group by all assignments, weighed by naive Bayes, and count again with one added."""
    secrets = sorted(set(chain(*secrets_of.values())))
    likelihood = {(c, v, s): 1 / len(domains[c]) for c in range(len(domains)) for v in domains[c] for s in secrets}
    for _ in range(rounds):
        belief = []
        for person, group in zip(people, groups, strict=True):
            members = [other for other, own in zip(people, groups, strict=True) if own == group]
            place, shares, total = members.index(person), dict.fromkeys(secrets, 0.0), 0.0
            for order in permutations(secrets_of[group]):
                pairs = zip(members, order, strict=True)
                weight = math.prod(likelihood[c, v, s] for who, s in pairs for c, v in enumerate(who))
                shares[order[place]] += weight
                total += weight
            belief.append({secret: share / total for secret, share in shares.items()})
        for c, domain in enumerate(domains):
            for s in secrets:
                counts = {
                    v: 1 + sum(b[s] for b, who in zip(belief, people, strict=True) if who[c] == v) for v in domain
                }
                likelihood |= {(c, v, s): counts[v] / sum(counts.values()) for v in domain}
    return belief


@pytest.mark.parametrize("seed", series(40))
def test_definetti_deals_as_all_assignments_do(seed):
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(4, 14))
    frame = pd.DataFrame({"age": rng.integers(0, 4, rows), "sex": rng.choice(["f", "m"], rows)})
    frame["ill"] = np.resize(["flu", "cold", "gout"][: rng.integers(2, 4)], rows)
    table = Table(frame, quasi=["age", "sex"], sensitive="ill")
    try:
        release = Anatomy(l=2).anonymize(table)
    except Infeasible:
        return
    published = frame.iloc[release.rows]
    groups = release.secrets.group.tolist()
    secrets_of = {group: published["ill"][np.array(groups) == group].tolist() for group in groups}
    people = list(published[["age", "sex"]].itertuples(index=False, name=None))
    domains = [sorted(frame["age"].unique()), sorted(frame["sex"].unique())]
    learnt = list(DeFinettiAttack(max_rounds=6).rounds(release))
    expected = plain_definetti(people, groups, secrets_of, domains, len(learnt))
    beliefs = learnt[-1].beliefs
    for person, group, shares in zip(people, groups, expected, strict=True):
        found = beliefs.loc[(str(person[0]), person[1], group)]
        assert {secret: pytest.approx(share, abs=1e-6) for secret, share in shares.items()} == found.to_dict()


@pytest.mark.parametrize("seed", series(60))
def test_what_falls_on_a_person_is_as_counted_from_the_text(seed, tmp_path):
    """Membership: every published row spreads evenly over the combinations that it could stand for."""
    rng = np.random.default_rng(seed)
    table = random_table(rng)
    inside = table.take(rng.permutation(len(table))[: len(table) // 2])
    release = OKA(k=2).anonymize(inside)  # its boxes overlap
    if all(release.columns[name].is_exact() for name in table.quasi):
        return  # single values that a method published are compared by distance
    header, rows = recount.read(release.publish(tmp_path / "release.csv"))
    domains = {name: release.columns[name].attribute.labels for name in table.quasi}

    def allowed(row, name, values) -> int:
        return sum(recount.fits(row[header.index(name)], value, LABELS.get(name, {})) for value in values)

    def falls_on(person) -> float:
        fitting = [row for row in rows if all(allowed(row, name, [person[name]]) for name in domains)]
        return sum(1 / math.prod(allowed(row, *each) for each in domains.items()) for row in fitting) / len(rows)

    expected = [falls_on(person) for person in as_texts(table)]
    assert np.exp(log_nearness(release, table, table.quasi)) == pytest.approx(expected)
