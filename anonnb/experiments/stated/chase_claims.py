"""What the SCIKD paper states: its worked example (section 3), and its one experiment (section 4).

The experiment is a few counts; thresholds and attributes are not printed. Readings: one threshold for all rules,
or one for the servers and another for the client, which was chosen on the three counts. "Self-generated
rules" come from the rows whose income is visible: half of them, as a column that is hidden as a whole teaches nothing.
"""

from __future__ import annotations

from anonnb.experiments import chase_experiment as experiment
from anonnb.experiments.ledger import figure, sentence
from anonnb.methods.chase_protection.chase_protection import search_object

NAMES = {"server_rules": "rules of the servers", "client_rules": "rules of the client", "hidden_cells": "hidden cells"}
# Section 3: the closure of each set that the search looks at, in its order, and whether it is marked.
CLOSURES = (
    *("a1 2/3", "b1", "a1 2/3, b1 2/3, c1, d1 2/3, e1 2/3", "b1, e1", "d1, f1", "g1"),
    *("a1 2/3, b1", "a1 2/3, b1, e1", "a1 2/3, g1", "b1, e1", "b1, g1", "a1 2/3, b1 2/3, c1 2/3, d1 2/3, e1, g1"),
    *("a1 2/3, b1, e1", "a1 2/3, b1, g1"),
)
MARKED = (2, 4, 11)


def lines() -> list[dict]:
    """Return the lines of the paper: four inputs, three counts, the worked example, and the sentences."""
    client, servers = experiment.sites(0)
    sites = 1 + len(servers)
    given = [("rows of all sites", 4000, len(client) * sites), ("attributes", 10, len(client.columns))]
    given += [("sites", 4, sites), ("rows of a site", 1000, len(client))]
    two, (server, own) = experiment.stored("two_thresholds"), experiment.SECOND_READING
    chosen = two[(two["server_confidence"] == server) & (two["client_confidence"] == own)]
    where = f"servers {server}, client {own}, chosen on these three counts; the range of five draws"
    counts = [
        figure(
            "4",
            name,
            experiment.PAPER[key],
            *chosen[column].agg(["mean", "min", "max"]),
            count=True,
            reading=where,
            part="chosen",
        )
        for (column, name), key in zip(NAMES.items(), ("server_rules", "client_rules", "hidden"), strict=True)
    ]
    inputs = [figure("4", *line, count=True, part="input") for line in given]
    return [*inputs, *counts, *_worked(), *sentences()]


def sentences() -> list[dict]:
    """Return the line of every sentence about Chase and the protection, counted over all draws and thresholds."""
    draws, more = experiment.stored("draws"), experiment.stored("extensions")
    guesses = {seed: int(experiment.sites(seed)[0].counts("income").max()) for seed in draws["seed"].unique().tolist()}
    guessed = draws["seed"].map(guesses)
    sure = draws["right_before"] / draws["revealed_before"] > guessed / experiment.ROWS
    own, several = (more[more["case"] == case] for case in (experiment.OWN_RULES, experiment.TWO_SECRETS))
    few = (
        "two readings: more people right than a guess for everybody (never), more often right where it speaks (always)"
    )
    return [
        sentence("1", "part or all of the confidential data may be revealed by Chase", draws["revealed_before"] > 0),
        sentence("1", "rules from the visible part of the table itself find secret data", own["right_before"] > 0),
        sentence(
            "2",
            "Chase reveals hidden data quite successfully",
            [*(draws["right_before"] > guessed), *sure],
            reading=few,
        ),
        sentence("abstract", "after the protection Chase reveals nothing", draws["revealed_after"] == 0),
        sentence("4", "the method protects two confidential attributes as well", several["revealed_after"] == 0),
    ]


def _worked() -> list[dict]:
    system, rules = experiment.worked_example()
    search = search_object(system, rules, "d", threshold=0.2)
    marked = [bool(mark) == (place in MARKED) for place, mark in enumerate(search.sets["marked"])]
    closures = [ours == theirs for ours, theirs in zip(search.sets["closure"], CLOSURES, strict=True)]
    kept = [", ".join(names) in ("a, b, e", "a, b, g") for names in search.kept]
    slip = "of {e1, g1}: b1 is printed with 2/3, but e1 → b1 is certain; the mark is the same"
    short = [search.sets["set"].map(len).max() < 6]
    return [
        sentence("3", "marked are c1, f1 and the pair e1, g1, the other eleven sets are not", marked),
        sentence("3", "the fourteen closures, with their weights", closures, reading=slip),
        sentence("3", "{a1, b1, e1} and {a1, b1, g1} are the largest sets that stay", [*kept, len(kept) == 2]),
        sentence("3", "the number of iterations is not large (x1: below its six values)", short),
    ]
