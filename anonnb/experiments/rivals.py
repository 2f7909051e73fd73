"""The rivals: every family of methods on the same tables, under the same attacks, over many draws of the people.

In each draw half of a table's people are published, and the other half are the control of every attack. What is kept of
a figure is its mean over the draws with a 95 % interval, so that chance and difference can be told apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd
from scipy.stats import t

from anonnb import arena, methods, utility
from anonnb.arena.comparing import COLUMNS as FIGURES
from anonnb.arena.standings import TRUTHFUL, headlines, unbeaten
from anonnb.attacks.intervals import excess
from anonnb.experiments.results import check_size, stored
from anonnb.methods.base import Method
from anonnb.methods.promises import Anonymity, Promise
from anonnb.privacy import LDiversity
from anonnb.tables.datasets import load

K = 5
PEOPLE = 1_000  # of a larger table, drawn anew each time
SECONDS = 2.0  # for searches that publish the best they found
DRAWS = {"quick": 2, "full": 20}
DATA = {"quick": ("survey", "hayes-roth"), "full": ("adult", "gbsg2", "car", "iris", "hayes-roth", "zoo", "survey")}
# besides those that take part by default; left out are attacks that run the method again or read something else
STRONGER = ("BackgroundAttack", "ModelAttack", "MembershipAttack", "SinglingOutAttack", "RefinementAttack")
KNOWS_MORE = ("BackgroundAttack",)  # than the quasi-identifiers of the people attacked
GAINS = ("excess", "linked", "TPR − FPR")  # the figures of attacks of which a largest one is looked for
MEASURES = ["NCP", "truthfulness", "error of tables", "accuracy kept", "error of counts", "suppressed rows"]
PROMISES = ("k and true values", "k", "no k", "differential privacy")  # methods are compared within each of these
# settings of one method that behave like methods of their own; each is left out where its method is not there
VARIANTS: dict[str, tuple[str, dict]] = {
    "Mondrian by loss": ("Mondrian", {"cut": "loss"}),
    "Mondrian, means": ("Mondrian", {"summary": "mean"}),
    "Mondrian, 2-diverse": ("Mondrian", {"require": [LDiversity(2)]}),
    "OKA, 2-diverse": ("OKA", {"require": [LDiversity(2)]}),
    "V-MDAV": ("Microaggregation", {"algorithm": "v-mdav"}),
    "PRAM, uniform": ("PRAM", {"kind": "uniform"}),
    "correlated noise": ("NoiseAddition", {"amount": 0.5, "correlated": True}),
    "RankSwapping, 20 %": ("RankSwapping", {"percent": 20}),
}
COLUMNS = ["table", "family", *(name for name in FIGURES if name not in ("k", "seed", "seconds"))]


def standings(
    size: str = "quick",
    *,
    jobs: int = 1,
    cache_folder: str | Path | None = None,
    seed: int = 0,
    progress: Callable[..., Iterable] | None = None,
) -> pd.DataFrame:
    """Run every method on every table: the lines of ``arena.compare`` with the table and the method's family."""
    check_size(size)
    options: dict[str, Any] = {"jobs": jobs, "cache_folder": cache_folder, "progress": progress}
    return pd.concat([on_table(name, DRAWS[size], seed=seed, **options) for name in DATA[size]], ignore_index=True)


def on_table(
    name: str,
    draws: int,
    entered: Mapping[str, object] | None = None,
    *,
    draw: int | None = None,
    seed: int = 0,
    **options: Any,
) -> pd.DataFrame:
    """Compute all figures of one table over the draws, or of a single draw."""
    table, known = load(name), families()
    members, outsiders = arena.halves(table, draw or 1, people=PEOPLE)
    drawn: dict[str, Any] = {"draws": draws, "people": PEOPLE} if draw is None else {"control": outsiders}
    frame = arena.compare(
        table if draw is None else members,
        entrants() if entered is None else entered,
        [*arena.default_attacks(), *STRONGER],
        [measure for measure in MEASURES if measure in set(utility.report(members, members)["measure"])],
        k=K,
        seeds=seed,
        time_limit=SECONDS,
        **drawn,
        **options,
    )
    return frame.assign(table=name, family=frame["method"].map(known).fillna("original"))[COLUMNS]


def repeat(
    name: str, method: str, draw: int | None = None, *, progress: Callable[..., Iterable] | None = None
) -> pd.DataFrame:
    """Compute the figures of one method on one table again: one draw of the people, or all of them.

    Returns
    -------
    pd.DataFrame
        A line per attack and measure: its ``figure``, what is ``stored`` (the mean over the draws) with its interval,
        and what came out now.

    Examples
    --------
    >>> frame = repeat("survey", "Mondrian", draw=2)
    >>> bool(frame["draw 2"].notna().all())
    True
    """
    entered = {method: entrants()[method]}
    again = on_table(name, DRAWS["full"], entered, draw=draw)
    before = stored("rivals", "standings")
    keys = ["name", "figure"]
    old, new = (
        _figures(frame[(frame["table"] == name) & (frame["method"] == method)]).set_index(keys)
        for frame in (before, again)
    )
    label = "again, mean" if draw is None else f"draw {draw}"
    return (
        old.rename(columns={"headline": "stored"}).join(new["headline"].rename(label)).dropna().round(4).reset_index()
    )


def _figures(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the headline of every attack and the value of every measure, with their intervals."""
    values = {"value": "headline", "value low": "low", "value high": "high"}
    measures = frame[frame["kind"] == "utility"].rename(columns=values).assign(figure="value")
    return pd.concat([headlines(frame), measures])[["name", "figure", "headline", "low", "high"]]


def entrants() -> dict[str, type[Method] | partial[Method]]:
    """Return every method that publishes tables, and the variants, by name.

    >>> len(entrants()) >= 30
    True
    """
    known = {name: methods.get(name) for name in arena.table_methods()}
    variants = {label: (known[name], options) for label, (name, options) in VARIANTS.items() if name in known}
    return {**known, **{label: partial(cls, **options) for label, (cls, options) in variants.items()}}


def families() -> dict[str, str]:
    """Return the folder of the code of each entrant, which is the name of its notebook too."""
    return {label: cls.__module__.split(".")[2].replace("_", " ") for label, cls in _classes().items()}


def _classes() -> dict[str, type[Method]]:
    """Return the class of each entrant; a variant fixes some parameters of one."""
    made = entrants().items()
    return {label: cast(type[Method], entry.func) if isinstance(entry, partial) else entry for label, entry in made}


def risk_and_loss(frame: pd.DataFrame, loss: str = "error of counts") -> pd.DataFrame:
    """Give for each method the excess of the attack on a secret that gains most, and a loss, with their intervals.

    Returns
    -------
    pd.DataFrame
        A line per table and method, with what the method promises (:data:`PROMISES`). ``front`` flags methods that no
        other beats in both figures; ``attack`` names the attack that gains most. The interval of its excess is that of
        :func:`largest_gains`.

    Examples
    --------
    >>> from anonnb.experiments.results import stored
    >>> frame = stored("rivals", "standings")
    >>> bool(risk_and_loss(frame)["front"].any())
    True
    """
    worst = largest_gains(frame)
    worst = worst[worst["figure"] == "excess"].drop(columns="figure")
    worst = worst.rename(columns={"gain": "risk", "low": "risk low", "high": "risk high"})
    lost = frame[(frame["name"] == loss) & frame["value"].notna()]
    lost = lost[["table", "method", "value", "value low", "value high"]]
    lost = lost.rename(columns=lambda name: name.replace("value", "loss"))
    both = worst.merge(lost, on=["table", "method"])
    front = pd.Series(True, index=both.index)
    for rows in both.groupby("table", sort=False).groups.values():
        front[rows] = unbeaten(both.loc[rows, ["risk", "loss"]].to_numpy())
    return both.assign(front=front, promise=_promises(frame, both))


def _promises(frame: pd.DataFrame, points: pd.DataFrame) -> list[str]:
    """Return what the method of each line promises; values count as true if they are in this run."""
    shares = frame[frame["name"] == "truthfulness"].set_index(["table", "method"])["value"].to_dict()
    classes, names = _classes(), []
    for key in zip(points["table"], points["method"], strict=True):
        promised = classes[key[1]].promised if key[1] in classes else Promise
        if issubclass(promised, Anonymity):
            names.append(PROMISES[0 if shares.get(key, 0.0) >= TRUTHFUL else 1])
        else:
            names.append(PROMISES[3 if promised.name == "differential privacy" else 2])
    return names


def largest_gains(frame: pd.DataFrame) -> pd.DataFrame:
    """Find for each method the attack that gains most: of those on secrets, of linkage and of membership.

    The largest of several uncertain figures is likely to be too large. So the intervals are those of Bonferroni, which
    hold for all attacks of the kind at once with a confidence of 95 %. An attacker who knows more than the
    quasi-identifiers, as that of ``BackgroundAttack`` does, is not compared.

    Parameters
    ----------
    frame:
        The standings: a line per table, method and figure.

    Returns
    -------
    pd.DataFrame
        A line per table, method and ``figure``, with the ``attack``, its ``gain``, ``low`` and ``high``.

    Examples
    --------
    >>> from anonnb.experiments.results import stored
    >>> lines = largest_gains(stored("rivals", "standings"))
    >>> {"excess", "linked"} <= set(lines["figure"])
    True
    """
    lines = headlines(frame[~frame["name"].isin(KNOWS_MORE)]).dropna(subset="headline")
    lines = lines[lines["figure"].isin(GAINS)]
    keys = ["table", "method", "figure"]
    tried, free = lines.groupby(keys)["name"].transform("size"), lines["draws"].astype(float) - 1
    wider = pd.Series(t.ppf(1 - 0.025 / tried, free) / t.ppf(0.975, free), lines.index).fillna(1.0)
    ends = {end: lines["headline"] + wider * (lines[end] - lines["headline"]) for end in ("low", "high")}
    lines = lines.assign(**ends).rename(columns={"headline": "gain", "name": "attack"})
    largest = lines.loc[lines.groupby(keys, sort=False)["gain"].idxmax()]
    return largest[["table", "method", "family", "figure", "attack", "gain", "low", "high"]]


def constant_guess(name: str, draws: int = DRAWS["full"]) -> list[float]:
    """Return per draw the excess of guessing the most common published secret for everybody; of several, the worst.

    If a small table is halved, what is common in one half is rare in the other, so even this guess has an excess.

    >>> bool(np.mean(constant_guess("iris")) > 0.05 > np.mean(constant_guess("adult")))
    True
    """
    table, found = load(name), []
    parts = [arena.halves(table, seed, PEOPLE) for seed in range(1, draws + 1)]
    for secret in table.sensitive:
        size = table.attributes[secret].size
        pairs = [[np.bincount(half.codes(secret), minlength=size) / len(half) for half in part] for part in parts]
        found.append([excess(own.max(), others[own.argmax()]) for own, others in pairs])
    return max(found, key=np.mean)


def best_for_readers(frame: pd.DataFrame, most_risk: float = 0.2, loss: str = "error of counts") -> pd.DataFrame:
    """Find for three kinds of readers and every table the method with the least loss.

    The first reader takes any method, the second wants every published value to be true, the third a promised k as
    well.

    Parameters
    ----------
    most_risk:
        The largest excess that all three accept: its interval must lie below.

    Returns
    -------
    pd.DataFrame
        A line per reader and table, with the method, its family, loss and risk; none where no method will do.

    Examples
    --------
    >>> from anonnb.experiments.results import stored
    >>> frame = stored("rivals", "standings")
    >>> best_for_readers(frame)["reader"].unique().tolist()
    ['any', 'true', 'true and k']
    """
    points = risk_and_loss(frame, loss)
    points = points[(points["risk high"] <= most_risk) & (points["family"] != "original")]
    shares = frame[frame["name"] == "truthfulness"].set_index(["table", "method"])["value"]
    true = pd.MultiIndex.from_frame(points[["table", "method"]]).map(shares).to_numpy(dtype=float) >= TRUTHFUL
    readers = {"any": np.ones(len(points), dtype=bool), "true": true, "true and k": points["promise"] == PROMISES[0]}
    parts = []
    for reader, fits in readers.items():
        mine = points[fits]
        best = mine.loc[mine.groupby("table", sort=False)["loss"].idxmin()]
        parts.append(best.assign(reader=reader)[["reader", "table", "method", "family", "loss", "risk"]])
    return pd.concat(parts, ignore_index=True)


TABLES = {"standings": standings}
