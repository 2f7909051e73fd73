"""Plots of attacks: who is exposed by which knowledge, and how sure an attacker can be of single people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from anonnb.attacks.ranking import roc
from anonnb.attacks.result import AttackResult
from anonnb.attacks.result_kinds import IsolationResult, MembershipResult
from anonnb.core.wording import percent
from anonnb.plots.parts.labels import plain_log
from anonnb.plots.parts.texts import SMALL, clip, fitted
from anonnb.plots.style import (
    BLUE,
    GREY,
    INK,
    ORANGE,
    axes,
    below,
    dot_look,
    figure_of,
    fill_look,
    finding,
    ink_on,
    line_look,
)


def exposure(result: AttackResult, *, most: int = 30, ax: Axes | None = None) -> Axes:
    """Draw a heat map of an attack: the share of inferred values per set of known attributes and target.

    An empty cell was not attacked (the target was known).

    Parameters
    ----------
    result:
        The result of an attack such as ``ShallowAttack``.
    most:
        How many of the most revealing sets of known attributes are shown, in the order of the table.

    Examples
    --------
    >>> from anonnb import Release, load
    >>> from anonnb.attacks import ShallowAttack
    >>> " ".join(exposure(ShallowAttack(known=2).run(Release.of(load("decision6")))).get_title().split())
    'evaluation is exposed most: 86 % of its values are inferred on average'
    """
    cells = result.targets.pivot_table(index="attributes", columns="target", values="score", sort=False)
    cells = cells[sorted(cells.columns, key=_order(result.targets["attributes"].unique()))]
    hidden = len(cells) - most
    if hidden > 0:
        cells = cells.loc[cells.index.isin(cells.mean(axis=1).nlargest(most).index)]
    ax = axes(ax, size=(max(2.9 + 0.5 * cells.shape[1], 5.0), max(1.6 + 0.24 * len(cells), 3.0)))
    values = 100 * cells.to_numpy()
    image = ax.imshow(
        values, cmap="cividis", vmin=0, vmax=max(float(np.nanmax(values, initial=1.0)), 1.0), aspect="auto"
    )
    ax.set_xticks(range(cells.shape[1]), map(clip, cells.columns), rotation=45, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(len(cells)), [fitted(name, 2.2) for name in cells.index], fontsize=SMALL)
    if 0.55 * figure_of(ax).get_figwidth() / max(cells.shape[1], 1) > 0.26:  # inches that three figures take
        for (row, column), share in np.ndenumerate(values):
            if not np.isnan(share):
                colour = ink_on(image.to_rgba(share)[:3])
                ax.text(column, row, f"{share:.0f}", ha="center", va="center", fontsize=8, color=colour)
    ax.set(xlabel="attacked attribute", ylabel="known attributes" + (f" ({most} most telling)" if hidden > 0 else ""))
    ax.spines[:].set_visible(False)
    ax.grid(False)
    ax.figure.colorbar(image, ax=ax, label="values inferred (%)")
    most_exposed = result.targets.groupby("target")["score"].mean()
    share = most_exposed.max()
    names = [str(name) for name in most_exposed.index[np.isclose(most_exposed, share)]]
    who = " and ".join(names) if len(names) < 3 else f"{len(names)} attributes"
    verb, whose = ("is", "its") if len(names) == 1 else ("are", "their")
    return finding(ax, f"{who} {verb} exposed most: {percent(share, 0)} of {whose} values are inferred on average")


def _order(known: np.ndarray) -> Callable[[str], int]:
    """Return the position of a target among the known attributes; targets that are never known come last."""
    names = list(dict.fromkeys(name for text in known for name in text.split(", ")))
    return lambda name: names.index(name) if name in names else len(names)


def shallow_and_deep(shallow: AttackResult, deep: AttackResult, *, ax: Axes | None = None) -> Axes:
    """Draw what the shallow attack infers about each target and what the deep attack adds.

    >>> from anonnb import Release, load
    >>> from anonnb.attacks import DeepAttack, ShallowAttack
    >>> release = Release.of(load("decision6"))
    >>> len(shallow_and_deep(ShallowAttack().run(release), DeepAttack().run(release)).patches) > 0
    True
    """
    first, second = (result.targets.groupby("target")["score"].mean() for result in (shallow, deep))
    names = sorted(first.index, key=_order(shallow.targets["attributes"].unique()))
    first, second = first[names], second[names]
    ax = axes(ax, size=(6.4, 1.2 + 0.34 * len(first)))
    positions = np.arange(len(first))
    ax.barh(positions, 100 * first, label="shallow", **fill_look(0))
    ax.barh(positions, 100 * (second - first), left=100 * first, label="deep adds", **fill_look(1))
    for index, (one, two) in enumerate(zip(100 * first, 100 * (second - first), strict=True)):
        ax.text(one + two, index, f" {one:.0f} + {two:.0f}", va="center", fontsize=SMALL, color=INK)
    ax.set_yticks(positions, map(clip, first.index))
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.set(xlabel="values inferred (%)", xlim=(0, max(1.18 * 100 * float(second.max()), 10)))
    gain = second - first
    finding(ax, f"The deep attack adds most about {clip(gain.idxmax())}: {100 * gain.max():.0f} points")
    return below(ax)


# ---- attacks on single people -------------------------------------------------------------------------------------


def candidates(results: Mapping[str, AttackResult], *, ax: Axes | None = None) -> Axes:
    """Draw, per result, the share of people with at most x candidates: high at the left is bad.

    >>> from anonnb import Release, load
    >>> from anonnb.attacks import LinkageAttack
    >>> len(candidates({"original": LinkageAttack().run(Release.of(load("survey")))}).lines)
    1
    """
    ax = axes(ax, size=(7.0, 3.6))
    for index, (name, result) in enumerate(results.items()):
        size, people = (result.targets[column].to_numpy() for column in ("candidates", "people"))
        size, people = size[size > 0], people[size > 0]
        order = np.argsort(size, kind="stable")
        share = 100 * np.cumsum(people[order]) / result.targets["people"].sum()
        ax.step([1, *size[order]], [0, *share], where="post", label=clip(name), **_stroke(index))
    ax.set(
        xlabel="candidates for a person (published rows that fit; log scale)", ylabel="people with at most so many (%)"
    )
    ax.set(xscale="log", ylim=(-3, 103))
    plain_log(ax, max([1, *(result.targets["candidates"].max() for result in results.values())]))
    alone = {name: _share_of(result, result.targets["candidates"] == 1) for name, result in results.items()}
    worst = max(alone, key=lambda name: alone[name])
    finding(ax, f"{clip(worst)}: {percent(alone[worst], 0)} of the people have a single candidate")
    return below(ax) if len(results) > 1 else ax


def _stroke(index: int) -> dict:
    style = line_look(index)
    return {"color": style["color"], "linestyle": style["linestyle"], "linewidth": 1.8}


def _share_of(result: AttackResult, chosen: pd.Series) -> float:
    people = result.targets["people"]
    return float(people[chosen].sum() / max(people.sum(), 1))


def beliefs(results: Mapping[str, AttackResult], *, threshold: float | None = None, ax: Axes | None = None) -> Axes:
    """Draw, per result, about how many people the attacker has at least a given belief.

    >>> from anonnb import Release, load
    >>> from anonnb.attacks import SkewnessAttack
    >>> survey = load("survey")
    >>> beliefs({"original": SkewnessAttack().run(Release.of(survey), survey)}).get_xlabel()
    'belief in the likeliest secret (%)'
    """
    ax = axes(ax, size=(6.8, 3.8))
    for index, (name, result) in enumerate(results.items()):
        share, people = (result.targets[column].to_numpy() for column in ("belief", "people"))
        order = np.argsort(-share, kind="stable")
        reached = 100 * np.cumsum(people[order]) / people.sum()
        ax.step(100 * share[order], reached, where="pre", label=clip(name), **_stroke(index))
    if threshold is not None:
        ax.axvline(100 * threshold, color=INK, linestyle=":", label=f"belief of {percent(threshold, 0)}")
        sure = {name: _share_of(result, result.targets["belief"] >= threshold) for name, result in results.items()}
        ends = " to ".join(dict.fromkeys(percent(end, 0) for end in (min(sure.values()), max(sure.values()))))
        finding(ax, f"For {ends} of the people the belief in a secret reaches {percent(threshold, 0)}")
    ax.set(xlabel="belief in the likeliest secret (%)", ylabel="people with at least that (%)")
    ax.set_ylim(-3, 103)
    return below(ax)


def roc_curves(results: Mapping[str, MembershipResult], *, ax: Axes | None = None) -> Axes:
    """Draw, per membership attack, the share of members found against the share of outsiders taken for members.

    A curve on the diagonal means that nobody can be told apart; a point marks the attack's threshold.

    >>> from anonnb import Release, load
    >>> from anonnb.attacks import MembershipAttack
    >>> survey = load("survey")
    >>> inside, outside = survey.take(range(40)), survey.take(range(40, 66))
    >>> roc_curves({"original": MembershipAttack().run(Release.of(inside), inside, control=outside)}).get_ylabel()
    'members found (%)'
    """
    ax = axes(ax, size=(6.8, 4.0))
    ax.plot([0, 100], [0, 100], color=GREY, linewidth=1, linestyle="--", label="guessing")
    for index, (name, result) in enumerate(results.items()):
        if result.outside is None:
            raise ValueError(f"{name}: the attack was run without a control, and a curve needs outsiders")
        false, true = roc(result.scores, result.outside.scores)
        ax.plot(100 * false, 100 * true, label=f"{clip(name)}: area {result.auc:.2f}", **_stroke(index))
        ax.plot(100 * result.false_positives, 100 * result.true_positives, linestyle="none", **dot_look(index))
    ax.set(xlabel="outsiders taken for members (%)", ylabel="members found (%)", xlim=(-2, 102), ylim=(-2, 102))
    worst = max(results, key=lambda name: results[name].auc)
    finding(ax, f"{clip(worst)} gives members away most: area {results[worst].auc:.2f}, guessing 0.50")
    return below(ax)


def refined_cells(frame: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Draw how many generalized cells downcoding refines as tables have more clusters; chance is dashed.

    Bands reach from the least to the most of all seeds.

    Parameters
    ----------
    frame:
        A frame as :func:`anonnb.experiments.downcoding.success_by_clusters` makes it.

    Examples
    --------
    >>> frame = pd.DataFrame({"method": "A", "clusters": [2, 4], "k": 5, "success": [0.1, 0.3], "baseline": 0.1})
    >>> refined_cells(frame).get_xlabel()
    'clusters (log scale)'
    """
    ax, named = axes(ax, size=(6.8, 3.4)), set()
    for index, (method, lines) in enumerate(frame.groupby("method", sort=False)):
        colour = line_look(index)["color"]
        by_count = 100 * lines.groupby("clusters")[["success", "baseline"]].mean()
        ends = 100 * lines.groupby("clusters")["success"].agg(["min", "max"])
        ax.fill_between(ends.index, ends["min"], ends["max"], color=colour, alpha=0.2, linewidth=0)
        ax.plot(by_count["success"], label=clip(method), **line_look(index) | {"linestyle": "-"})
        if by_count["success"].any():
            label = None if "luck" in named else "dashed: luck (band: all draws)"
            ax.plot(by_count["baseline"], color=colour, linestyle="--", label=label)
            named.add("luck")
    counts = sorted(frame["clusters"].unique())
    ax.set_xscale("log", base=2)
    ax.set_xticks(counts, map(str, counts))
    ax.set(xlabel="clusters (log scale)", ylabel="blurred cells refined (%)", ylim=(-4, 104))
    return below(ax)


def isolation(results: Sequence[IsolationResult], *, ax: Axes | None = None) -> Axes:
    """Draw how often singling out isolates a row, by class size, with the formula and the trivial attacker.

    >>> from anonnb import load
    >>> from anonnb.attacks import SinglingOutAttack
    >>> from anonnb.methods import Mondrian
    >>> isolation([SinglingOutAttack(attempts=9).run(Mondrian(k=5).anonymize(load("survey")))]).get_xlabel()
    'k, the rows of the class'
    """
    ax = axes(ax, size=(6.8, 3.4))
    rows = np.array([result.info["rows of the class"] for result in results])
    success = 100 * np.array([result.success for result in results])
    low, high = 100 * np.array([result.success_interval for result in results]).T
    grid = np.arange(1, rows.max() + 1)
    ax.plot(grid, 100 * (1 - 1 / grid) ** (grid - 1), color=INK, linewidth=1, label="(1 − 1/k)^(k − 1)")
    ax.errorbar(
        rows, success, (success - low, high - success), color=BLUE, fmt="o", capsize=3, label="with the release"
    )
    trivial = [100 * result.baseline for result in results]
    ax.plot(rows, trivial, "s", color=ORANGE, label="without it, at the same weight")
    ax.set(xlabel="k, the rows of the class", ylabel="predicates that isolate (%)", ylim=(-4, 104))
    finding(ax, f"{success.min():.0f} to {success.max():.0f} % of the predicates isolate a row (95 % intervals)")
    return below(ax)
