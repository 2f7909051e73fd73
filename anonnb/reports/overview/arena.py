"""The arena of a batch: the heat map of attacks on methods, loss against linkage, and where each attack gains most."""

from typing import Any

from anonnb.reports.overview.responsive import drawn
from anonnb.reports.page import Drawing, as_percent

# What the heat map shows of attacks, by what was recorded of them.
WORTH = {
    "excess": (
        "How much more often each attack is right about people in the release than about a control, people who are "
        "not in it, as a percentage of what was left to gain, with the reach of its 95 % interval where there is room; "
        "its success stands below, in brackets"
    ),
    "advantage": (
        "How much more often each attack is right than a guess without the release, as a percentage of what was left "
        "to gain, with the reach of its 95 % interval where there is room; its success stands below, in brackets. An "
        "attack that is silent about many is below a guess for everybody, even where each of its claims is right"
    ),
    "value": "How often each attack succeeds, in percent; neither a baseline nor a control was recorded",
}
# Below this share of true cells a method is not compared by its loss: a borrowed value looks like no loss.
TRUTHFUL = 0.9995


def arena_figures(entry: dict[str, Any]) -> list[Drawing]:
    """The heat map of all attacks and, where it can be drawn, detail lost against linkage."""
    from anonnb.arena.standings import worth
    from anonnb.plots.arena import attack_heat_map, loss_against_risk

    frame = _numeric(entry)
    attacked = frame[frame["kind"] == "attack"].dropna(subset="value")
    lines = len(attacked[["method", "k", "seed"]].drop_duplicates())
    high = 1.3 + 0.36 * lines
    caption = f"{WORTH[worth(frame)]}; blank where an attack does not apply."
    shown = [drawn(lambda ax: attack_heat_map(attacked, ax=ax), caption, wide=(7.0, high), narrow=(3.8, high))]
    truth = frame[frame["name"] == "truthfulness"].set_index("method")["value"]
    truthful = frame[frame["method"].isin(truth.index[truth >= TRUTHFUL])]
    if {"NCP", "LinkageAttack"} <= set(truthful["name"]):
        caption = (
            "Detail lost against linkage: left is useful, down is safe; nobody beats the Pareto front in both. "
            "Methods that publish values that are not true are left out."
        )
        shown.append(drawn(lambda ax: loss_against_risk(truthful, ax=ax), caption, wide=(6.4, 4.8), narrow=(3.8, 4.4)))
    return shown


def _numeric(entry: dict[str, Any]) -> Any:
    """A recorded arena as a frame whose figures are numbers."""
    import pandas as pd

    frame = pd.DataFrame(entry["rows"], columns=entry["columns"])
    texts = ("method", "kind", "name", "secret", "reason")
    return frame.assign(**{name: pd.to_numeric(frame[name]) for name in frame if name not in texts})


def most_learnt(entry: dict[str, Any]) -> dict[str, Any] | None:
    """For each attack the release that it gains most from, the original aside; None where no gain was recorded."""
    from anonnb.arena.standings import worth

    frame, wanted = _numeric(entry), ("coverage", "precision", "baseline", "control")
    gain = worth(frame)
    if gain == "value" or any(name not in frame for name in wanted):
        return None
    lines = frame[(frame["kind"] == "attack") & (frame["method"] != "original")].dropna(subset=["value", gain])
    rows = [
        [
            attack,
            line["method"],
            f"{as_percent(line[gain])} ({as_percent(line[f'{gain} low'])} to {as_percent(line[f'{gain} high'])})",
            *(as_percent(line[name]) for name in ("value", "control", "baseline", "coverage", "precision")),
        ]
        for attack, part in lines.groupby("name", sort=False)
        for line in [part.loc[part[gain].idxmax()]]
    ]
    asked = ["success", "control", "baseline", "makes a claim about", "of these right"]
    return {"columns": ["attack", "most learnt from", gain, *asked], "rows": rows} if rows else None
