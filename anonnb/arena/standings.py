"""Reading the frame of the arena: one line per method, and which methods no other beats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from anonnb import methods
from anonnb.core.wording import percent
from anonnb.methods.promises import Anonymity
from anonnb.tables.attribute import preview

RELEASE = ["method", "k", "seed"]
GUESSING = ("baseline", "by guessing")
# By the kind of an attack: what its success is called, and column and name of the figure to show with it.
SUCCESS = {
    "secret": ("guessed right", *GUESSING),
    "linkage": ("linked", "false_links", "outsiders linked"),
    "membership": ("TPR − FPR", "auc", "AUC"),
    "isolation": ("isolated", *GUESSING),
    "cells": ("right", *GUESSING),
}
# The same in words for people, and what they read if it is not above the baseline.
CALLED = {
    "secret": "all guesses right",
    "linkage": "linked to their own row",
    "membership": "members minus outsiders found",
    "isolation": "predicates that isolate",
}
NO_BETTER = "no better than guessing"
TRUTHFUL = 0.9995  # below this share of true cells NCP says little: a borrowed value looks like no loss


def headlines(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the lines of attacks, each with the figure that its kind is measured by.

    Returns
    -------
    pd.DataFrame
        The ``headline`` is the excess of an attack on a secret, and the success of the other kinds and of an attack
        that was not tried on outsiders; ``low`` and ``high`` are its interval and ``figure`` is its name. ``second`` is
        the figure to show with it, and ``second figure`` the name of that one.

    Examples
    --------
    >>> import anonnb
    >>> from anonnb.arena import compare
    >>> attacks = ["LinkageAttack", "HomogeneityAttack"]
    >>> lines = headlines(compare(anonnb.load("survey"), ["Mondrian"], attacks, ["NCP"], k=4, draws=1))
    >>> lines.query("method == 'Mondrian'")[["figure", "second figure"]].to_numpy().tolist()
    [['linked', 'outsiders linked'], ['excess', 'guessed right']]
    """
    attacks = frame[frame["kind"] == "attack"]
    places = list(attacks.groupby("name").indices.values()) or [np.arange(0)]
    parts = pd.concat([_with_headline(attacks.iloc[rows]) for rows in places])
    return parts.iloc[np.argsort(np.concatenate(places))]


def _with_headline(lines: pd.DataFrame) -> pd.DataFrame:
    """Add headline and second figure to the lines of one attack."""

    def known(column: str) -> bool:
        return column in lines and bool(lines[column].notna().any())

    kind = next(iter(lines["attack kind"]), "") if "attack kind" in lines else ""
    (figure, *second), column = SUCCESS.get(kind, ("success", *GUESSING)), "value"
    if known("excess"):
        (figure, *second), column = ("excess", "value", "guessed right"), "excess"
    elif not known(second[0]):
        second = [*GUESSING]
    columns = {"headline": column, "low": f"{column} low", "high": f"{column} high", "second": second[0]}
    shown = {name: lines[one].astype(float) if one in lines else np.nan for name, one in columns.items()}
    return lines.assign(**shown, figure=figure, **{"second figure": second[1]})


def in_words(line: Mapping[str, Any]) -> dict[str, str]:
    """Return the known figures of an attack by what people call them; none is a share below 0.

    >>> line = {"attack kind": "linkage", "value": 0.2, "baseline": 0.005, "false_links": 0.6}
    >>> in_words(line)
    {'linked to their own row': '20.0 %', 'by guessing': '0.5 %', 'outsiders linked': '60.0 %'}
    >>> in_words(line | {"value": 0.0})["linked to their own row"]
    'no better than guessing'
    """
    known = {name: cell for name, cell in line.items() if pd.notna(cell)}
    words = {}
    if "sure" in known:
        sure, attempts = known["sure"], known["attempts"]
        words = {
            "secret": str(known["secret"]),
            "sure about": f"{_count(sure)} of {attempts:,.0f} ({percent(sure / attempts)})",
        }
        right = known["sure_right"]
        words |= {"right about": f"{_count(right)} ({percent(right / sure)})"} if sure else {}
    value, baseline = known["value"], known.get("baseline", -1.0)
    guessing = value <= baseline and (value < 0 or baseline > 0)  # 0 % is 0 %
    words[CALLED.get(known.get("attack kind", ""), "right")] = NO_BETTER if guessing else percent(value)
    shares = {"by guessing": "baseline", "about outsiders": "control", "outsiders linked": "false_links"}
    words |= {text: percent(known[name]) for text, name in shares.items() if name in known}
    if "control" in known:
        words["excess"] = _excess_text(known)
    return words | ({"AUC": f"{known['auc']:.2f}"} if "auc" in known else {})


def _count(people: float) -> str:
    """Write how many people; a small average has a decimal."""
    return f"{people:,.{0 if people >= 10 or people == round(people) else 1}f}"


def _excess_text(known: Mapping[str, Any]) -> str:
    """Return the excess with its interval; of an interval that does not lie above 0, only the upper end."""
    if "excess" not in known:
        return "none left: right about all outsiders"
    low, high = known["excess low"], min(known["excess high"], 1.0)
    if low > 0:
        return f"{percent(known['excess'])} ({percent(low)} to {percent(high)})"
    return f"at most {percent(high)}" if high > 0 else "no better than about outsiders"


def summary(frame: pd.DataFrame, names: Sequence[str] | None = None, *, attacks: str = "headline") -> pd.DataFrame:
    """Turn the frame of :func:`compare` into one line per method and k, with one column per figure.

    Methods that made no release have no line; the frame gives their reasons. With a line for every secret, an attack
    has a column for each of them.

    Parameters
    ----------
    names:
        The measures and attacks to show; None: all of them.
    attacks:
        The column to show of attacks, such as ``value``, which is their success, ``control`` or ``sure``. By default
        the ``headline`` of each (:func:`headlines`).

    Examples
    --------
    >>> import anonnb
    >>> from anonnb.arena import compare
    >>> frame = compare(anonnb.load("survey"), ["Mondrian", "Samarati"], ["LinkageAttack"], ["NCP"], k=4)
    >>> summary(frame, ["NCP"]).round(3).reset_index()[["method", "NCP"]].to_numpy().tolist()
    [['original', 0.0], ['Mondrian', 0.115], ['Samarati', 0.126]]
    """
    unknown = [name for name in names or () if name not in set(frame["name"])]
    if unknown:
        raise KeyError(
            f"the frame has no figure {unknown[0]!r}; it has {preview(list(dict.fromkeys(frame['name'])), 40)}"
        )
    wanted = frame if names is None else frame[frame["name"].isin(names)]
    value, of_attack = wanted["value"].to_numpy(dtype=float, copy=True), (wanted["kind"] == "attack").to_numpy()
    value[of_attack] = headlines(wanted)[attacks]
    wanted = wanted.assign(value=value)
    if "secret" in wanted:
        several = wanted.duplicated([*RELEASE, "name"], keep=False) & wanted["secret"].notna()
        named = zip(wanted["name"], wanted["secret"], several, strict=True)
        wanted = wanted.assign(name=[f"{name}, {secret}" if each else name for name, secret, each in named])
    wide = wanted.pivot_table(index=RELEASE, columns="name", values="value", sort=False, dropna=False)
    return wide[[name for name in dict.fromkeys(wanted["name"]) if name in wide]].dropna(how="all")


def pareto(frame: pd.DataFrame, loss: str = "NCP", risk: str = "LinkageAttack") -> pd.DataFrame:
    """List the methods that have both figures, and whether any other beats them.

    Parameters
    ----------
    loss:
        A measure, of which less is better.
    risk:
        An attack or a measure, of which less is better. Of an attack its headline is compared.

    Returns
    -------
    pd.DataFrame
        A line per method: both figures, for attacks ``low`` and ``high``, the ends of the interval, and ``front``:
        whether no other is at least as good in both and better in one.

    Examples
    --------
    >>> import anonnb
    >>> from anonnb.arena import compare
    >>> frame = compare(anonnb.load("survey"), ["Mondrian", "Samarati"], ["LinkageAttack"], ["NCP"], k=4)
    >>> pareto(frame)[["method", "front"]].to_numpy().tolist()
    [['original', True], ['Mondrian', True], ['Samarati', False]]
    """
    both = summary(frame, [loss, risk]).dropna().reset_index()
    lines = headlines(frame)
    ends = lines[lines["name"] == risk].set_index(RELEASE)[["low", "high"]]
    if len(ends):
        both[["low", "high"]] = ends.reindex(pd.MultiIndex.from_frame(both[RELEASE])).to_numpy()
    points = both[[loss, risk]].to_numpy().round(12)  # what differs only by rounding is equal
    return both.assign(front=unbeaten(points))


def unbeaten(points: np.ndarray) -> list[bool]:
    """Flag each line that no other beats: as small in every column, and smaller in one.

    >>> unbeaten(np.array([[1, 3], [2, 2], [2, 3]]))
    [True, True, False]
    """
    return [not ((points <= p).all(axis=1) & (points < p).any(axis=1)).any() for p in points]


# ---- what to look at first ------------------------------------------------------------------------------------------


def shortlist(frame: pd.DataFrame) -> pd.DataFrame:
    """Choose for each k up to three methods to look at first, and say why.

    Only methods that promise k, reach it and publish secrets and true cells are compared. The first loses least by NCP,
    the second gives least away, and the third has the least sum of both, each as a share of its range. What a release
    gives away is the upper end of the largest excess of an attack or, without outsiders, the largest share of people
    about whom an attack is sure and right.

    >>> import anonnb
    >>> from anonnb.arena import compare
    >>> tried = compare(anonnb.load("survey"), ["Mondrian", "Samarati", "OKA", "PRAM"], ["HomogeneityAttack"], k=4)
    >>> for line in shortlist(tried).itertuples():
    ...     print(line.method, line.why, sep=": ")
    OKA: loses least and gives least away; NCP 8.8 %; HomogeneityAttack sure and right about 0.0 %
    Mondrian: a compromise; NCP 11.5 %; HomogeneityAttack sure and right about 0.0 %
    Samarati: a compromise; NCP 12.6 %; HomogeneityAttack sure and right about 0.0 %
    """
    lines = frame[frame["method"] != "original"]
    wide = lines[lines["kind"] != "attack"].pivot_table(index=["method", "k"], columns="name", values="value")
    if not {"NCP", "k", "truthfulness"} <= set(wide):
        return pd.DataFrame(columns=["method", "k", "why"])
    fair = (wide["truthfulness"] >= TRUTHFUL) & (wide["k"] >= wide.index.get_level_values("k")) & wide["NCP"].notna()
    fair &= wide.index.get_level_values("method").map(_promises_k)
    ends = lines[lines["name"] == "NCP"].set_index(["method", "k"])[["value", "value low", "value high"]]
    figures = pd.concat([ends.groupby(level=[0, 1]).mean(), _given_away(lines)], axis=1).loc[wide.index[fair]]
    parts = [_three(part.droplevel("k")).assign(k=k) for k, part in figures.groupby(level="k")]
    return pd.concat(parts or [pd.DataFrame(columns=["method", "why", "k"])], ignore_index=True)


def _promises_k(name: str) -> bool:
    known = methods.all().get(name.partition("(")[0])
    return known is not None and issubclass(known.promised, Anonymity) and not known.hides_sensitive


def _given_away(lines: pd.DataFrame) -> pd.DataFrame:
    """Return what each release gives away at worst, from where to where it may be, and in words."""
    tried = lines[(lines["kind"] == "attack") & lines["value"].notna()]
    if tried["excess"].notna().any():
        high = tried["excess high"].fillna(tried["excess"]).clip(0, 1)
        risk = tried.assign(risk=high, least=tried["excess low"])
        words = [f"excess at most {percent(one.risk)} ({one.name})" for one in risk[["risk", "name"]].itertuples()]
    else:
        risk = tried.assign(risk=tried["sure_right"] / tried["attempts"]).assign(least=lambda part: part["risk"])
        words = [f"{one.name} sure and right about {percent(one.risk)}" for one in risk[["risk", "name"]].itertuples()]
    worst = risk.assign(words=words).dropna(subset="risk").sort_values("risk", kind="stable")
    return worst.groupby(["method", "k"])[["risk", "least", "words"]].last()


def _three(figures: pd.DataFrame) -> pd.DataFrame:
    """Choose up to three of the releases with one k."""
    lost, risk = figures["value"], figures["risk"].fillna(figures["risk"].max()).fillna(0.0)
    both = sum((each - each.min()) / (np.ptp(each) or 1.0) for each in (lost, risk))
    chosen = {lost.idxmin(): "loses least"}
    safest = pd.DataFrame({"risk": risk, "lost": lost}).sort_values(["risk", "lost"], kind="stable").index[0]
    if figures["risk"].notna().any():
        chosen[safest] = f"{chosen[safest]} and gives least away" if safest in chosen else "gives least away"
    for name in both.sort_values(kind="stable").index:
        if len(chosen) < 3:
            chosen.setdefault(name, "a compromise" if figures["risk"].notna().any() else "loses little")
    why = []
    for name, role in chosen.items():
        line = figures.loc[name]
        low, high = max(line["value low"], 0.0), min(line["value high"], 1.0)
        span = "" if pd.isna(line["value low"]) else f" ({percent(low)} to {percent(high)})"
        parts = [f"NCP {percent(line['value'])}{span}", *([line["words"]] if pd.notna(line["words"]) else [])]
        rivals = figures.drop(index=name)
        near = rivals.index[rivals["value low"] <= line["value high"]] if role.startswith("loses least") else ()
        near = rivals.index[rivals["least"] <= line["risk"]] if role == "gives least away" else near
        parts += [f"its interval overlaps with that of {preview(list(near), 3)}"] if len(near) and span else []
        why.append(f"{role}; {'; '.join(parts)}")
    return pd.DataFrame({"method": list(chosen), "why": why})
