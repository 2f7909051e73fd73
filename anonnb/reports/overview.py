"""What the index of a batch shows of it as a whole, drawn from recorded tables alone.

The one picture is risk against usefulness, both with 95 % intervals, from a full run of ``anonnb.experiments.rivals``.
The bars of the papers count how many of their checked results hold; the arena has every method against every attack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from anonnb.reports.page import Drawing, as_percent, drawing
from anonnb.reports.records import tables
from anonnb.reports.results import Result

# ---- the one picture -----------------------------------------------------------------------------------------------


MAX_RISK = 0.2  # the upper end of the excess up to which methods are compared by their error
CAPTION = (
    "Left is more useful, down is less risky. Across: how far random range counts on the release are off. Up: the "
    "excess of the attack on a secret that gains most, which is how much more often it is right about published people "
    "than about outsiders, as a percentage of what was left to gain. Points are means over draws of who is published, "
    "and bars are 95 % intervals; the methods that no other beats in both are named. Another attack may gain more: low "
    "is no proof of safety."
)


GAINS_CAPTION = (
    "Each method's largest excess of an attack on a secret: before, when attacks took all rows that fit for equally "
    "likely; with the same attacks now, which weight the rows; and with all attacks now. The intervals hold at once, "
    "with a confidence of 95 %, for all attacks that were tried on a method."
)


def rivals_picture(entry: dict[str, Any]) -> Drawing:
    """Draw every method with its intervals, once for wide screens and once for narrow ones."""
    import pandas as pd

    from anonnb.plots.arena import gains, rivals

    lines = pd.DataFrame(entry["rows"], columns=entry["columns"])
    if entry["kind"] == "rivals":
        loss = "error of range counts"
        return drawn(lambda ax: rivals(lines, loss=loss, ax=ax), CAPTION, wide=(7.0, 4.6), narrow=(3.8, 6.2))
    runs, high = dict(iter(lines.groupby("run", sort=False))), 1.4 + 0.22 * lines["method"].nunique()
    return drawn(lambda ax: gains(runs, ax=ax), GAINS_CAPTION, wide=(7.0, high), narrow=(3.8, high + 0.4))


def least_error(entry: dict[str, Any]) -> dict[str, Any] | None:
    """Return for each promise the method with the least error among those whose largest excess is surely small.

    A method that promises nothing is not compared with one that does. None if no method has so little risk.

    >>> columns = ["method", "family", "promise", "attack", "risk high", "loss", "loss low", "loss high"]
    >>> rows = [["OKA", "clustering", "k", "Skewness", 0.18, 0.2, 0.1, 0.3]]
    >>> least_error({"columns": columns, "rows": rows})["rows"]
    [['k', 'OKA', '20.0 % (10.0 % to 30.0 %)', 'at most 18.0 %', 'Skewness']]
    """
    lines = [dict(zip(entry["columns"], row, strict=True)) for row in entry["rows"]]
    bounded = [line for line in lines if line["family"] != "original" and line["risk high"] <= MAX_RISK]
    best: dict[str, list[str]] = {}
    for line in sorted(bounded, key=lambda line: line["loss"]):
        error = f"{as_percent(line['loss'])} ({as_percent(line['loss low'])} to {as_percent(line['loss high'])})"
        largest = f"at most {as_percent(line['risk high'])}"
        best.setdefault(line["promise"], [line["promise"], line["method"], error, largest, line["attack"]])
    columns = ["promised", "least error", "counts are off by", "largest excess", "attack"]
    most = f"{MAX_RISK:.0%}".replace("%", " %")
    return {"columns": columns, "rows": list(best.values()), "most": most} if best else None


# ---- the papers ----------------------------------------------------------------------------------------------------


NAME, COLUMNS = "verdicts", ["verdict", "checked", "chosen", "input"]


class Count(NamedTuple):
    """How many checked results of a paper got a verdict; ``place`` orders them from what agrees to what does not.

    ``beside`` counts lines that show nothing: those on which a reading was chosen, and inputs.
    """

    place: int
    word: str
    mark: str
    many: int
    beside: tuple[int, int]


class PaperBar(NamedTuple):
    """One paper: its name, the run that compared it, and the counts."""

    paper: str
    result: Result
    counts: list[Count]

    @property
    def total(self) -> int:
        return sum(count.many for count in self.counts)

    @property
    def beside(self) -> str:
        """Say how many of the other lines agree."""
        parts = []
        for index, name in enumerate(("used to choose a reading", "inputs")):
            numbers = [count.beside[index] for count in self.counts]
            if sum(numbers):
                parts.append(f"{sum(numbers[:3])} of {sum(numbers)} {name}")
        return " and ".join(parts)


def paper_bars(results: Iterable[Result]) -> list[PaperBar]:
    """Return the bars of all papers whose notebook recorded verdicts, in the order of the runs."""
    bars = []
    for result in results:
        counts = _counts(result.records.get(NAME)) if result.ok else []
        if counts:
            captions = [entry["caption"] for entry in tables(result.records, "reproduction")]
            bars.append(PaperBar(next(iter(captions), "") or result.title, result, counts))
    return bars


def _counts(entry: Any) -> list[Count]:
    """Return the counts in the order of the verdicts; nothing if the record has another form."""
    from anonnb.experiments.ledger import MARKS

    if not isinstance(entry, dict) or entry["columns"] != COLUMNS:
        return []
    rows = {row[0]: row[1:] for row in entry["rows"] if row[0] in MARKS and all(isinstance(n, int) for n in row[1:])}
    if not rows:
        return []
    found = [rows.get(word, [0, 0, 0]) for word in MARKS]
    return [
        Count(index, word, mark, many, tuple(beside))
        for index, ((word, mark), (many, *beside)) in enumerate(zip(MARKS.items(), found, strict=True))
    ]


# ---- the arena -----------------------------------------------------------------------------------------------------


HEAT_MAP = (
    "What each attack achieves on each release, in percent: the figure that its column names, with the half-width of "
    "its 95 % interval if there is room, and below, in brackets, the figure to compare it with. The excess is how much "
    "more often guesses are right about published people than about outsiders, as a percentage of what was left to "
    "gain; it is bold if its interval lies above 0. Cells are blank where an attack does not apply."
)


def arena_figures(entry: dict[str, Any]) -> list[Drawing]:
    """Draw the heat map of all attacks and, if possible, the detail lost against linkage."""
    from anonnb.arena.standings import TRUTHFUL
    from anonnb.plots.arena import attack_heat_map, loss_against_risk

    frame = _numeric(entry)
    attacked = frame[frame["kind"] == "attack"].dropna(subset="value")
    lines = len(attacked[["method", "k", "seed"]].drop_duplicates())
    high = 1.3 + 0.36 * lines
    parts = [drawn(lambda ax: attack_heat_map(attacked, ax=ax), HEAT_MAP, wide=(7.0, high), narrow=(3.8, high))]
    truth = frame[frame["name"] == "truthfulness"].set_index("method")["value"]
    truthful = frame[frame["method"].isin(truth.index[truth >= TRUTHFUL])]
    if {"NCP", "LinkageAttack"} <= set(truthful["name"]):
        caption = (
            "Detail lost against the share of people linked to their own row; nobody beats the Pareto front in both. "
            "Methods that publish values that are not true are left out."
        )
        parts.append(drawn(lambda ax: loss_against_risk(truthful, ax=ax), caption, wide=(6.4, 4.8), narrow=(3.8, 4.4)))
    return parts


def _numeric(entry: dict[str, Any]) -> Any:
    """Return a recorded arena as a frame whose figures are numbers."""
    import pandas as pd

    frame = pd.DataFrame(entry["rows"], columns=entry["columns"])
    texts = ("method", "kind", "name", "attack kind", "secret", "reason")
    return frame.assign(**{name: pd.to_numeric(frame[name]) for name in frame if name not in texts})


def most_learnt(entry: dict[str, Any]) -> dict[str, Any] | None:
    """Return the release from which each attack learns most, except the original; None without attacks."""
    from anonnb.arena.standings import headlines, in_words

    lines = headlines(_numeric(entry))
    lines = lines[lines["method"] != "original"].dropna(subset="headline")
    if lines.empty:
        return None
    best = lines.loc[lines.groupby("name", sort=False)["headline"].idxmax()]
    rows = [
        [line["name"], line["method"], "; ".join(f"{name} {text}" for name, text in in_words(line).items())]
        for line in best.to_dict("records")
    ]
    return {"columns": ["attack", "learns most from", "what it learns"], "rows": rows}


def by_method(arenas: dict[str, dict[str, Any]]) -> dict[str, Any] | None:
    """Return a line for each method: what it loses and what an attack gains, in each of several arenas by name."""
    import pandas as pd

    from anonnb.arena.standings import headlines

    parts = {}
    for label, entry in arenas.items():
        frame = _numeric(entry)
        frame = frame[frame["method"] != "original"]
        lines = headlines(frame).dropna(subset="headline")
        lines = lines.assign(compared=lines["figure"] == "excess").sort_values(["compared", "headline"], kind="stable")
        most = lines.groupby("method").last()  # the largest excess; of arenas without outsiders the largest success
        gained = most["figure"] + " " + most["headline"].map(as_percent) + ", " + most["name"]
        parts[f"detail lost (NCP), {label}"] = frame[frame["name"] == "NCP"].groupby("method")["value"].mean()
        parts[f"most that an attack gains, {label}"] = gained
    if not parts:
        return None
    shown = pd.DataFrame(parts).rename_axis("method")
    shown = shown.sort_values(shown.columns[0], kind="stable").reset_index().astype(object)
    return {"columns": list(shown), "rows": shown.where(shown.notna(), None).to_numpy().tolist()}


# ---- drawing -------------------------------------------------------------------------------------------------------


Inches = tuple[float, float]


def drawn(draw: Callable[[Any], Any], caption: str, wide: Inches, narrow: Inches) -> Drawing:
    """Call ``draw`` with Axes of each size; the page shows the one that fits the screen."""
    from anonnb.plots.style import axes, detached

    figures = []
    for size in (wide, narrow):
        with detached():
            ax = axes(size=size)
        draw(ax)
        figures.append(ax.figure)
    return drawing(figures[0], caption, narrow=figures[1])
