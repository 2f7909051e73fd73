"""The census experiment of the SCIKD paper: a client and three servers with 1,000 rows of Adult each.

The client hides income; rules about income come from the servers, rules about the other nine attributes from the
client. Their paper reports 13 and 75 rules and 739 further hidden cells (7.39 %), but neither thresholds nor the ten
attributes. Reading: the eight quasi-identifiers of Adult, hours and income; the confidence threshold is swept, and
``settings`` shows how much the other choices matter. Second reading, ``two_thresholds``: the rules of the servers pass
a stricter threshold than those of the client. The share counts the 10,000 cells of the client, as theirs does.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from anonnb.attacks import ChaseAttack
from anonnb.core.tasks import run_tasks
from anonnb.experiments.results import check_size
from anonnb.experiments.results import stored as stored_table
from anonnb.methods import ChaseProtection
from anonnb.rules import Rule, implies, knowledge_base
from anonnb.tables.datasets import ADULT_QUASI, load
from anonnb.tables.incomplete_table import IncompleteTable
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

PAPER = {"server_rules": 13, "client_rules": 75, "hidden": 739, "share": 0.0739}
SECRET, ROWS, SITES = "income", 1000, 3
MIN_SUPPORT, MAX_LENGTH, THRESHOLD = 0.05, 2, 0.2
CHOICES = {
    "quasi-identifiers": [*ADULT_QUASI, "hours-per-week"],
    "with capital gain": [
        *["age", "workclass", "education-num", "marital-status", "occupation", "relationship"],
        *["sex", "capital-gain", "hours-per-week"],
    ],
}
CONFIDENCES = {"quick": (0.97, 0.9, 0.8), "full": (0.97, 0.95, 0.92, 0.9, 0.88, 0.85, 0.82, 0.8)}
SEEDS = {"quick": 1, "full": 5}
SERVER_CONFIDENCES = {"quick": (0.98, 0.95), "full": (0.99, 0.98, 0.97, 0.95)}
CLIENT_CONFIDENCES = {"quick": (0.8,), "full": (0.8, 0.82, 0.85, 0.9)}
SECOND_READING = (
    0.98,
    0.8,
)  # thresholds of the servers and of the client that come nearest to the paper's three counts

_EDGES = {
    "age": [0, 25, 35, 45, 55, 200],
    "hours-per-week": [0, 35, 40, 45, 200],
    "capital-gain": [-1, 0, 7000, 10**6],
    "education-num": [0, 8, 9, 12, 13, 20],
}


def worked_example() -> tuple[IncompleteTable, list[Rule]]:
    """Give object x1 of the paper with d hidden (λ = 1/5), and its ten rules (Table 4).

    >>> system, rules = worked_example()
    >>> len(system), len(rules)
    (1, 10)
    """
    cells = {"a": "a1 2/3 | a2 1/3", "b": "b1", "c": "c1", "d": None, "e": "e1", "f": "f1", "g": "g1"}
    rules = [
        *[("b1 c1", "a1", 1), ("c1 f1", "a1", 1), ("c1", "b1", 2 / 3), ("e1", "b1", 1), ("a1 f1", "c1", 1)],
        *[("a1 c1", "e1", 1), ("e1 g1", "c1", 2 / 3), ("a1 c1", "d1", 1), ("b1 c1", "d1", 1), ("f1", "d1", 1)],
    ]
    system = IncompleteTable.from_frame(pd.DataFrame([cells], index=["x1"]))
    return system, [implies({v[0]: v for v in start.split()}, {end[0]: end}, sure) for start, end, sure in rules]


@cache
def census(choice: str = "quasi-identifiers") -> Table:
    """Return Adult with ten attributes, the numbers in a few ranges; income is the secret.

    >>> len(census().columns)
    10
    """
    names = CHOICES[choice]
    frame = load("adult").frame[[*names, SECRET]].copy()
    for name in set(names) & set(_EDGES):
        edges = _EDGES[name]
        labels = [_range(low, high) for low, high in pairwise(edges)]
        frame[name] = pd.cut(frame[name], edges, labels=labels)
    return Table(frame, quasi=names, sensitive=[SECRET], decision=SECRET)


def _range(low: int, high: int) -> str:
    if high <= 0:
        return "0"
    return f"over {low}" if high in (20, 200, 10**6) else f"{low + 1}–{high}"


def sites(seed: int, choice: str = "quasi-identifiers") -> tuple[Table, list[Table]]:
    """Draw the client and the servers of one repetition.

    Parameters
    ----------
    choice:
        Which ten attributes of Adult are used; see ``CHOICES``.

    Examples
    --------
    >>> client, servers = sites(0)
    >>> len(client), [len(server) for server in servers]
    (1000, [1000, 1000, 1000])
    """
    table = census(choice)
    client, *servers = (table.take(np.sort(part)) for part in np.split(_drawn(seed, table), 1 + SITES))
    return client, servers


def outsiders(seed: int, choice: str = "quasi-identifiers") -> Table:
    """Draw as many people as the client has who are at none of the sites: a control for attacks on it.

    >>> client, servers = sites(0)
    >>> len(outsiders(0)), outsiders(0).index.isin(client.index.append(servers[0].index)).any()
    (1000, np.False_)
    """
    table = census(choice)
    others = np.setdiff1d(np.arange(len(table)), _drawn(seed, table))
    return table.take(np.sort(np.random.default_rng(seed).choice(others, ROWS, replace=False)))


def _drawn(seed: int, table: Table) -> np.ndarray:
    """Return the rows of the client and the servers, one site after the other."""
    return np.random.default_rng(seed).choice(len(table), ROWS * (1 + SITES), replace=False)


def hidden_income(client: Table) -> Release:
    """Publish the client without further protection: only income is hidden.

    >>> client, _ = sites(0)
    >>> hidden_income(client).frame["income"].unique().tolist()
    ['*']
    """
    return Release(client, {SECRET: Column.suppressed(client.attributes[SECRET], len(client))}, np.arange(len(client)))


def one_draw(
    seed: int,
    confidence: float,
    support: float = MIN_SUPPORT,
    length: int = MAX_LENGTH,
    choice: str = "quasi-identifiers",
) -> list[tuple]:
    """Before and after protection on one draw at one setting, as one line."""
    client, servers = sites(seed, choice)
    before = hidden_income(client)
    settings: dict[str, Any] = {"min_support": support, "min_confidence": confidence, "max_length": length}
    rules = knowledge_base(before, servers, **settings)
    about_secret = sum(rule.decision == SECRET for rule in rules)
    release = ChaseProtection(secret=SECRET, rules=rules, threshold=THRESHOLD).anonymize(client)
    told = {"threshold": THRESHOLD, "targets": SECRET}
    open_attack = ChaseAttack(rules=rules, **told).run(before)
    local = ChaseAttack(rules=[rule for rule in rules if rule.decision != SECRET], **told).run(before)
    after = ChaseAttack(rules=rules, **told).run(release)
    again = ChaseAttack(sites=servers, **told, **settings).run(release)
    cells, extra = release.info["cells"], release.info["extra"]
    line: tuple = (seed, confidence, about_secret, len(rules) - about_secret)
    line += (open_attack.info["revealed"], open_attack.info["right"], local.info["revealed"])
    line += (cells, extra, cells / (len(client) * len(client.columns)), after.info["revealed"])
    return [(*line, again.info["revealed"], again.info["right"])]


DRAW_COLUMNS = [
    *["seed", "min_confidence", "server_rules", "client_rules"],
    *["revealed_before", "right_before", "revealed_locally"],
    *["hidden_cells", "extra_cells", "hidden_share", "revealed_after"],
    *["revealed_by_new_rules", "right_by_new_rules"],
]


def draws(size: str = "quick", *, seed: int = 0, **run: Any) -> pd.DataFrame:
    """Run every draw at every confidence threshold: rules, what Chase reveals before and after, what was hidden.

    ``revealed_by_new_rules``: the attacker mines the client's rules again from the protected table.
    """
    check_size(size)
    tasks = [(seed + draw, confidence) for draw in range(SEEDS[size]) for confidence in CONFIDENCES[size]]
    return run_tasks(one_draw, tasks, DRAW_COLUMNS, **run)


def summary(size: str = "quick", *, seed: int = 0, **run: Any) -> pd.DataFrame:
    """Average over the draws for each confidence threshold, with the least and the largest hidden share."""
    found = draws(size, seed=seed, **run)
    grouped = found.groupby("min_confidence", sort=False)
    means = grouped[DRAW_COLUMNS[2:]].mean()
    shares = grouped["hidden_share"].agg(least_share="min", largest_share="max")
    return means.join(shares).reset_index()


def settings(size: str = "quick", *, seed: int = 0, **run: Any) -> pd.DataFrame:
    """Run one draw with other supports, longer premises and other attributes: what the paper leaves open matters."""
    check_size(size)
    choices = {"quick": [(0.05, 2), (0.02, 2)], "full": [(0.05, 2), (0.05, 3), (0.02, 2), (0.02, 3)]}[size]
    tasks = [(seed, conf, *pair, name) for name in CHOICES for pair in choices for conf in (0.97, 0.9, 0.8)]
    return run_tasks(_setting, tasks, ["attributes", "min_support", "max_length", *DRAW_COLUMNS], **run)


def _setting(seed: int, confidence: float, support: float, length: int, choice: str) -> list[tuple]:
    return [(choice, support, length, *one_draw(seed, confidence, support, length, choice)[0])]


def two_thresholds(size: str = "quick", *, seed: int = 0, **run: Any) -> pd.DataFrame:
    """The second reading: one confidence threshold for the rules of the servers, another for those of the client."""
    check_size(size)
    tasks = [
        (seed + draw, server, client)
        for draw in range(SEEDS[size])
        for server in SERVER_CONFIDENCES[size]
        for client in CLIENT_CONFIDENCES[size]
    ]
    return run_tasks(two_threshold_draw, tasks, TWO_COLUMNS, **run)


TWO_COLUMNS = [
    *["seed", "server_confidence", "client_confidence", "server_rules", "client_rules"],
    *["hidden_cells", "hidden_share", "revealed_after"],
]


def two_threshold_draw(seed: int, server: float, client: float) -> list[tuple]:
    """Run one draw with a threshold for each kind of rule; it gives one line."""
    table, servers = sites(seed)
    before = hidden_income(table)
    rules = []
    for confidence, secret in ((server, True), (client, False)):
        mined = knowledge_base(
            before, servers, min_confidence=confidence, min_support=MIN_SUPPORT, max_length=MAX_LENGTH
        )
        rules.append([rule for rule in mined if (rule.decision == SECRET) == secret])
    known = [*rules[0], *rules[1]]
    release = ChaseProtection(secret=SECRET, rules=known, threshold=THRESHOLD).anonymize(table)
    after = ChaseAttack(rules=known, threshold=THRESHOLD, targets=SECRET).run(release)
    cells = release.info["cells"]
    line = (seed, server, client, len(rules[0]), len(rules[1]))
    return [(*line, cells, cells / (len(table) * len(table.columns)), after.info["revealed"])]


# ---- what the text says besides: rules from the table itself, and several secrets -----------------------------------

OWN_RULES, TWO_SECRETS = "income hidden for half of the rows, own rules", "income and marital status hidden"
EXTENSION_COLUMNS = [
    "case",
    "seed",
    "hidden",
    "revealed_before",
    "right_before",
    "guess",
    "hidden_cells",
    "revealed_after",
]


def extensions(size: str = "quick", *, seed: int = 0, **run: Any) -> pd.DataFrame:
    """Run the two cases that the text speaks of beyond the experiment, at a confidence of 0.9, for each draw."""
    check_size(size)
    tasks = [(case, seed + draw) for case in (OWN_RULES, TWO_SECRETS) for draw in range(SEEDS[size])]
    return run_tasks(extension_draw, tasks, EXTENSION_COLUMNS, **run)


def extension_draw(case: str, seed: int) -> list[tuple]:
    """Chase one draw before and after: half of one column with rules from the table itself, or two whole columns.

    ``hidden`` counts hidden cells of the secrets, ``guess`` how many of them the most common value gets right.
    """
    client, others = sites(seed)
    secrets = [SECRET, "marital-status"] if case == TWO_SECRETS else [SECRET]
    if case == OWN_RULES:  # the visible half of the table is where the rules come from
        half = np.random.default_rng(seed).permutation(len(client)) < len(client) // 2
        client, others = client.take(np.flatnonzero(half)), [client.take(np.flatnonzero(~half))]
    gone = {name: Column.suppressed(client.attributes[name], len(client)) for name in secrets}
    before = Release(client, gone, np.arange(len(client)))
    rules = knowledge_base(before, others, min_support=MIN_SUPPORT, min_confidence=0.9, max_length=MAX_LENGTH)
    release = ChaseProtection(secret=secrets, rules=rules, threshold=THRESHOLD).anonymize(client)
    attacks = [ChaseAttack(rules=rules, threshold=THRESHOLD, targets=name) for name in secrets]
    found, after = [each.run(before).info for each in attacks], [each.run(release).info["revealed"] for each in attacks]
    told = [sum(each[name] for each in found) for name in ("revealed", "right")]
    guess = sum(int(client.counts(name).max()) for name in secrets)
    return [(case, seed, len(client) * len(secrets), *told, guess, int(release.info["cells"]), sum(after))]


def stored(table: str) -> pd.DataFrame:
    """Read a committed table of the full run.

    Parameters
    ----------
    table:
        ``"draws"``, ``"summary"``, ``"settings"``, ``"two_thresholds"`` or ``"extensions"``.

    Examples
    --------
    >>> stored("draws")["min_confidence"].nunique() > 1
    True
    """
    return stored_table("chase", table)


TABLES = {
    "draws": draws,
    "summary": summary,
    "settings": settings,
    "two_thresholds": two_thresholds,
    "extensions": extensions,
}
