"""The one picture of a batch: what attacks gain from each method's release, against how far its counts are off.

Both with 95 % intervals, from the table that a notebook has recorded of a full run of ``anonnb.experiments.rivals``.
"""

from typing import Any

from anonnb.reports.overview.responsive import drawn
from anonnb.reports.page import Drawing, as_percent

MOST_RISK = 0.2  # the excess up to which methods are compared by their error
CAPTION = (
    "Left is useful, down is safe. Across: how far random range counts on the release are off. Up: how much more often "
    "the attack that gains most is right about people in the release than about people who are not in it. Bars are "
    "95 % intervals; named are the methods that no other beats in both. Some attacks look for true values and gain "
    "little where a method has moved them: low is no proof of safety."
)


def rivals_picture(entry: dict[str, Any]) -> Drawing:
    """Every method with its intervals; one drawing for wide screens, one for narrow ones."""
    import pandas as pd

    from anonnb.plots.arena import rivals

    points = pd.DataFrame(entry["rows"], columns=entry["columns"])

    def draw(ax):
        rivals(points, loss="error of range counts", ax=ax)

    return drawn(draw, CAPTION, wide=(7.0, 4.6), narrow=(3.8, 6.2))


def least_error(entry: dict[str, Any]) -> dict[str, str] | None:
    """Of the methods whose largest excess is small the one that errs least, with its figures; None if there is none.

    >>> columns = ["method", "family", "attack", "risk", "loss", "loss low", "loss high"]
    >>> rows = [["OKA", "clustering", "Linkage", 0.15, 0.2, 0.1, 0.3], ["PRAM", "noise", "Linkage", 0.5, 0, 0, 0]]
    >>> least_error({"columns": columns, "rows": rows})
    {'method': 'OKA', 'most': '20 %', 'loss': '20.0 % (10.0 % to 30.0 %)', 'risk': '15.0 %', 'attack': 'Linkage'}
    """
    lines = [dict(zip(entry["columns"], row, strict=True)) for row in entry["rows"]]
    safe = [line for line in lines if line["family"] != "original" and line["risk"] <= MOST_RISK]
    if not safe:
        return None
    best = min(safe, key=lambda line: line["loss"])
    reach = f"({as_percent(best['loss low'])} to {as_percent(best['loss high'])})"
    return {
        "method": best["method"],
        "most": f"{MOST_RISK:.0%}".replace("%", " %"),
        "loss": f"{as_percent(best['loss'])} {reach}",
        "risk": as_percent(best["risk"]),
        "attack": best["attack"],
    }
