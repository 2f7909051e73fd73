"""The records of a run of ``make bench``, read and summed up: ratios to peers, growth, limits that were demanded."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from anonnb.experiments.results import stored_file

SECTIONS = ("peers", "scaling", "growth", "tables", "bandwidth", "profile", "limits", "estimates")
BETTER = {"NCP": -1, "accuracy": 1}  # which way a quality is better; others are only equal or different


def results(path: str | Path = "", section: str | None = None) -> pd.DataFrame:
    """Read the records of a run: the committed one, or another.

    Parameters
    ----------
    path:
        A csv file of ``make bench``; empty: the committed one.
    section:
        One of ``SECTIONS``, such as ``"peers"`` or ``"growth"``; None: all of them.

    Returns
    -------
    pd.DataFrame
        A line per measured call.

    Raises
    ------
    ValueError
        If there is no such section.

    Examples
    --------
    >>> set(results()["section"]) <= set(SECTIONS)
    True
    """
    if section is not None and section not in SECTIONS:
        raise ValueError(f"section={section!r} is not known; use {', '.join(SECTIONS)}")
    frame = pd.read_csv(_existing(Path(path) if path else stored_file("benchmarks.csv")), dtype={"rows": "Int64"})
    return frame if section is None else frame[frame["section"] == section].reset_index(drop=True)


def machine(path: str | Path = "") -> pd.DataFrame:
    """Describe what a run was made on: processor, cores, memory, versions, the day, and how busy the machine was.

    Parameters
    ----------
    path:
        A csv file of ``make bench``; empty: the committed one.

    Returns
    -------
    pd.DataFrame
        A line per fact.

    Examples
    --------
    >>> machine().empty
    False
    """
    stored = Path(path) if path else stored_file("benchmarks.csv")
    return pd.read_csv(_existing(stored.with_name(f"{stored.stem}_machine.csv")), dtype=str)


def _existing(path: Path) -> Path:
    if not path.exists():
        raise FileNotFoundError(f"{path.name} is not there; make it: make bench (or python benchmarks/run.py)")
    return path


def exponent(rows: Iterable[float], seconds: Iterable[float]) -> float:
    """Fit the b of seconds = a · rows^b, by least squares of the logarithms.

    Parameters
    ----------
    rows, seconds:
        The sizes, and what each took; as many of both.

    Returns
    -------
    float
        The exponent; NaN for fewer than two sizes.

    Examples
    --------
    >>> round(exponent([10, 100, 1000], [0.2, 20, 2000]), 3)
    2.0
    """
    x, y = np.log(np.array(list(rows), dtype=float)), np.log(np.array(list(seconds), dtype=float))
    return float(np.polyfit(x, y, 1)[0]) if len(np.unique(x)) > 1 else float("nan")


def comparisons(frame: pd.DataFrame) -> pd.DataFrame:
    """Compare each peer with ours of the same subject and data: both times, the ratio, both qualities.

    Parameters
    ----------
    frame:
        Records of a run, as :func:`results` gives them.

    Returns
    -------
    pd.DataFrame
        A line per peer. ``faster`` and ``better`` are "ours", "peer", or what else there is to say: times within a
        tenth and qualities within a hundredth are equal, and a quality without a better side can only be equal or
        different. A peer that was stopped keeps its lower bound.

    Examples
    --------
    >>> frame = results()
    >>> set(comparisons(frame)["faster"]) <= {"ours", "peer", "equal", "unknown"}
    True
    """
    peers = frame[frame["section"] == "peers"]
    ours = peers[peers["who"] == "anonnb"].drop_duplicates(["subject", "data"]).set_index(["subject", "data"])
    lines = []
    for record in peers[~peers["who"].str.startswith("anonnb")].itertuples():
        own = ours.loc[(record.subject, record.data)]
        lines.append(
            {
                "subject": record.subject,
                "data": record.data,
                "rows": own["rows"],
                "peer": record.who,
                "our seconds": own["seconds"],
                "peer seconds": record.seconds,
                "at_least": bool(record.at_least),
                "ratio": record.ratio,
                "faster": _faster(record.ratio, record.at_least),
                "quality": own["quality_name"],
                "our quality": own["quality"],
                "peer quality": record.quality,
                "better": _better(own["quality_name"], own["quality"], record.quality),
                "note": record.note,
            }
        )
    return pd.DataFrame(lines)


def _faster(ratio: float, at_least: bool) -> str:
    if pd.isna(ratio) or (at_least and ratio <= 1.1):  # a peer that was stopped early may be slower or not
        return "unknown"
    return "equal" if 1 / 1.1 <= ratio <= 1.1 else ("ours" if ratio > 1 else "peer")


def _better(name: str, ours: float, theirs: float) -> str:
    if pd.isna(ours) or pd.isna(theirs):
        return "unknown"
    if np.isclose(ours, theirs, rtol=0.01, atol=1e-12):
        return "equal"
    side = BETTER.get(name, 0)
    return "different" if side == 0 else ("ours" if side * (ours - theirs) > 0 else "peer")


def growth(frame: pd.DataFrame) -> pd.DataFrame:
    """Fit the growth of each series of the section "scaling".

    Parameters
    ----------
    frame:
        Records of a run, as :func:`results` gives them.

    Returns
    -------
    pd.DataFrame
        A line per series: the exponent of its seconds in the number of rows, and what its largest size took.

    Examples
    --------
    >>> series = pd.DataFrame({"subject": "a", "data": "b", "rows": [10, 100], "seconds": [1.0, 10.0], "peak_mb": 5.0})
    >>> growth(series.assign(section="scaling", at_least=False))["exponent"].round(2).tolist()
    [1.0]
    """
    measured = frame[(frame["section"] == "scaling") & frame["seconds"].notna() & ~frame["at_least"].astype(bool)]
    lines = []
    for (subject, data), part in measured.groupby(["subject", "data"], sort=False):
        largest = part.loc[part["rows"].idxmax()]
        lines.append(
            {
                "subject": subject,
                "data": data,
                "sizes": len(part),
                "exponent": exponent(part["rows"], part["seconds"]),
                "rows": int(largest["rows"]),
                "seconds": largest["seconds"],
                "peak MB": largest["peak_mb"],
            }
        )
    return pd.DataFrame(lines, columns=["subject", "data", "sizes", "exponent", "rows", "seconds", "peak MB"])


def limits(frame: pd.DataFrame) -> pd.DataFrame:
    """List the demands on time, memory and ratios: what was demanded, what was measured, whether it holds.

    Parameters
    ----------
    frame:
        Records of a run, as :func:`results` gives them.

    Returns
    -------
    pd.DataFrame
        A line per demand, with the share of it that was used. What a run had no time for is left out.

    Examples
    --------
    >>> frame = results()
    >>> limits(frame)["holds"].dtype
    dtype('bool')
    """
    left_out = frame["note"].astype(str).str.contains("left out: ", regex=False)
    part = frame[(frame["section"] == "limits") & ~left_out].reset_index(drop=True)
    measured = part["quality"].where(~part["unit"].isin(["s", "MB"]), part["seconds"])
    measured = measured.where(part["unit"] != "MB", part["peak_mb"])
    direction = part["note"].astype(str).str.extract(r"^(at most|at least)", expand=False)
    return pd.DataFrame(
        {
            "subject": part["subject"],
            "data": part["data"],
            "rows": part["rows"],
            "demanded": [
                f"{how} {value:g} {unit}"
                for how, value, unit in zip(direction, part["demanded"], part["unit"], strict=True)
            ],
            "measured": measured,
            "share": measured / part["demanded"],
            "holds": part["holds"].astype(str).str.lower() == "true",
        }
    )
