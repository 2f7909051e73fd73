"""The committed results of ``make bench``, read and judged; the scripts in benchmarks/ do the measuring.

A run is a frame with a line per measured call. It gives ratios to other libraries, the growth of every method, attack,
measure and inducer, held against ``benchmark_promises.csv``, limits that were demanded, and the targets of
``benchmark_targets.csv``. An exponent is the slope of the logarithm of processor seconds over that of rows. Sizes
below 20 ms say more about the clock and fixed costs than about growth, and small sizes hide what large ones do, so a
fit takes the sizes from 20 ms on that are within a factor of 30 of the largest.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from anonnb.experiments.results import stored_file

SECTIONS = ("peers", "scaling", "growth", "tables", "bandwidth", "profile", "limits", "estimates")
BETTER = {"NCP": -1, "accuracy": 1}  # which way a quality is better; others are only equal or different
MIN_SECONDS = 0.02  # of a size that counts
RANGE = 34.0  # the largest size of a fit over its smallest: four sizes of a ladder of 1, 3, 10, 30
MIN_SIZES = 3  # of a fit: two points are joined by any line
TOLERANCE = 0.15  # an exponent may lie so far above its promise: what noise does to a slope
KINDS = ("method", "attack", "privacy", "utility", "inducer", "rough sets")
COLUMNS = ["kind", "name", "exponent", "from", "to", "sizes", "seconds", "promised", "verdict", "note"]
OURS = ["rows", "seconds", "quality_name", "quality"]
COMPARED = ["subject", "data", "rows", "peer", "our seconds", "peer seconds", "at_least", "ratio", "faster"]
COMPARED += ["quality", "our quality", "peer quality", "better", "note"]
FASTER_THAN = "× "  # a unit that begins so is a ratio: our seconds ÷ those of the fastest call of that library


def results(path: str | Path = "", section: str | None = None) -> pd.DataFrame:
    """Read the records of a run: the committed one, or that of another file; all of them, or one of ``SECTIONS``.

    >>> set(results()["section"]) <= set(SECTIONS)
    True
    """
    if section is not None and section not in SECTIONS:
        raise ValueError(f"section={section!r} is not known; use {', '.join(SECTIONS)}")
    frame = pd.read_csv(_existing(Path(path) if path else stored_file("benchmarks.csv")), dtype={"rows": "Int64"})
    return frame if section is None else frame[frame["section"] == section].reset_index(drop=True)


def machine(path: str | Path = "") -> pd.DataFrame:
    """Describe what a run was made on: processor, cores, memory, versions, the day, and how busy the machine was.

    >>> machine().empty
    False
    """
    stored = Path(path) if path else stored_file("benchmarks.csv")
    return pd.read_csv(_existing(stored.with_name(f"{stored.stem}_machine.csv")), dtype=str)


def _existing(path: Path) -> Path:
    if not path.exists():
        raise FileNotFoundError(f"{path.name} is not there; make it: make bench (or python benchmarks/run.py)")
    return path


# ---- ratios to peers ------------------------------------------------------------------------------------------------


def comparisons(frame: pd.DataFrame, factor: float = 2.0) -> pd.DataFrame:
    """Compare each peer with ours of the same subject and data: both times, the ratio, both qualities.

    ``faster`` and ``better`` are "ours", "peer", or what else there is to say: times within ``factor`` and qualities
    within a hundredth are equal, and a quality without a better side can only be equal or different. A peer that was
    stopped keeps its lower bound. Our own variants ("anonnb, …") are no peers.

    >>> compared = comparisons(results())
    >>> bool(compared.loc[compared["faster"].isin(["ours", "peer"]), "ratio"].between(1 / 2, 2).any())
    False
    """
    peers = frame[frame["section"] == "peers"]
    ours = peers[peers["who"] == "anonnb"].drop_duplicates(["subject", "data"]).set_index(["subject", "data"])
    lines = []
    for record in peers[~peers["who"].str.startswith("anonnb")].itertuples():
        rows, seconds, name, quality = ours.loc[(record.subject, record.data), OURS]
        faster, better = _faster(record.ratio, record.at_least, factor), _better(name, quality, record.quality)
        call = record.subject, record.data, rows, record.who, seconds, record.seconds, bool(record.at_least)
        lines.append((*call, record.ratio, faster, name, quality, record.quality, better, record.note))
    return pd.DataFrame(lines, columns=COMPARED)


def _faster(ratio: float, at_least: bool, factor: float) -> str:
    if pd.isna(ratio) or (at_least and ratio <= factor):  # a peer that was stopped early may be slower or not
        return "unknown"
    return "equal" if 1 / factor <= ratio <= factor else ("ours" if ratio > 1 else "peer")


def _better(name: str, ours: float, theirs: float) -> str:
    if pd.isna(ours) or pd.isna(theirs):
        return "unknown"
    if np.isclose(ours, theirs, rtol=0.01, atol=1e-12):
        return "equal"
    side = BETTER.get(name, 0)
    return "different" if side == 0 else ("ours" if side * (ours - theirs) > 0 else "peer")


# ---- growth and promises --------------------------------------------------------------------------------------------


def exponent(rows: Iterable[float], seconds: Iterable[float]) -> float:
    """Fit the b of seconds = a · rows^b, by least squares of the logarithms; NaN for fewer than two sizes.

    >>> round(exponent([10, 100, 1000], [0.2, 20, 2000]), 3)
    2.0
    """
    x, y = np.log(np.array(list(rows), dtype=float)), np.log(np.array(list(seconds), dtype=float))
    return float(np.polyfit(x, y, 1)[0]) if len(np.unique(x)) > 1 else float("nan")


def growth(frame: pd.DataFrame) -> pd.DataFrame:
    """Fit each series of the section "scaling": the exponent of its seconds, and what its largest size took.

    >>> series = pd.DataFrame({"subject": "a", "data": "b", "rows": [10, 100], "seconds": [1.0, 10.0], "peak_mb": 5.0})
    >>> growth(series.assign(section="scaling", at_least=False))["exponent"].round(2).tolist()
    [1.0]
    """
    measured = frame[(frame["section"] == "scaling") & frame["seconds"].notna() & ~frame["at_least"].astype(bool)]
    lines = []
    for (subject, data), part in measured.groupby(["subject", "data"], sort=False):
        largest, slope = part.loc[part["rows"].idxmax()], exponent(part["rows"], part["seconds"])
        figures = (int(largest["rows"]), largest["seconds"], largest["peak_mb"])
        lines.append((subject, data, len(part), slope, *figures))
    return pd.DataFrame(lines, columns=["subject", "data", "sizes", "exponent", "rows", "seconds", "peak MB"])


def promises() -> pd.DataFrame:
    """Read the promised exponents: one per kind, under the name ``*``, and the exceptions with their reasons.

    An empty exponent promises nothing: the search is exponential.

    >>> promises().columns.tolist()
    ['kind', 'name', 'exponent', 'why']
    """
    file = Path(__file__).with_name("benchmark_promises.csv")
    return pd.read_csv(file, keep_default_na=False, na_values={"exponent": [""]})


def promised(kind: str, name: str, table: pd.DataFrame | None = None) -> float:
    """Look up the exponent that is promised of something: its own, or that of its kind; NaN where there is none.

    >>> promised("method", "a class of somebody else") == promised("method", "*")
    True
    """
    known = promises() if table is None else table
    own = known[(known["kind"] == kind) & known["name"].isin([name, "*"])].set_index("name")["exponent"]
    return float(own.get(name, own.get("*", np.nan)))


def exponents(frame: pd.DataFrame, table: pd.DataFrame | None = None) -> pd.DataFrame:
    """Fit the growth of every line of a run, and hold it against its promise.

    ``seconds`` is what the largest size took. The verdicts "kept" and "exceeded" allow a tolerance of 0.15; "too fast"
    and "too few sizes" have fewer than three sizes to fit, "not measured" has none, "no promise" is not judged.

    >>> line = {"section": "growth", "subject": "method Mondrian", "note": ""}
    >>> frame = pd.DataFrame([line | {"rows": 10**n, "cpu_seconds": 0.1 * 4**n} for n in (3, 3.5, 4)])
    >>> exponents(frame)[["name", "exponent", "to"]].round(2).values.tolist()
    [['Mondrian', 0.6, 10000.0]]
    """
    known = promises() if table is None else table
    part = frame[frame["section"] == "growth"]
    lines = [_line(str(subject), records, known) for subject, records in part.groupby("subject", sort=False)]
    return pd.DataFrame(lines, columns=COLUMNS)


def _line(subject: str, records: pd.DataFrame, known: pd.DataFrame) -> tuple:
    kind = next(kind for kind in KINDS if subject.startswith(f"{kind} "))
    name = subject.removeprefix(f"{kind} ")
    done = records[records["cpu_seconds"].notna()].sort_values("rows")
    fit = done[(done["cpu_seconds"] >= MIN_SECONDS) & (done["rows"] * RANGE >= done["rows"].max())]
    enough = len(fit) >= MIN_SIZES
    slope = exponent(fit["rows"], fit["cpu_seconds"]) if enough else np.nan
    ends = (fit["rows"].min(), fit["rows"].max()) if enough else (np.nan, np.nan)
    seconds = done["cpu_seconds"].iloc[-1] if len(done) else np.nan
    bound = promised(kind, name, known)
    note = "; ".join(note for note in records["note"].fillna("") if note)
    return kind, name, slope, *ends, len(fit), seconds, bound, _growth_verdict(done["cpu_seconds"], slope, bound), note


def _growth_verdict(seconds: pd.Series, slope: float, bound: float) -> str:
    if seconds.empty:
        return "not measured"
    if np.isnan(slope):
        return "too fast" if seconds.max() < MIN_SECONDS * MIN_SIZES else "too few sizes"
    if np.isnan(bound):
        return "no promise"
    return "kept" if slope <= bound + TOLERANCE else "exceeded"


def broken_promises(frame: pd.DataFrame, table: pd.DataFrame | None = None) -> list[str]:
    """List the lines of a run that grow faster than promised; ``make bench`` fails with them.

    >>> line = {"section": "growth", "subject": "method Mondrian", "note": ""}
    >>> frame = pd.DataFrame([line | {"rows": 10**n, "cpu_seconds": 100.0**n / 1e6} for n in (3, 3.5, 4)])
    >>> broken_promises(frame)[0][:60]
    'method Mondrian grows like rows^2.00 from 1,000 to 10,000 ro'
    """
    fits = exponents(frame, table)
    return [
        f"{line['kind']} {line['name']} grows like rows^{line['exponent']:.2f} from {line['from']:,.0f} to "
        f"{line['to']:,.0f} rows; promised is at most {line['promised']:.2f} (tolerance {TOLERANCE})"
        for _, line in fits[fits["verdict"] == "exceeded"].iterrows()
    ]


# ---- limits and targets ---------------------------------------------------------------------------------------------


def limits(frame: pd.DataFrame) -> pd.DataFrame:
    """List the demands on time, memory and quality: what was demanded, measured and used of it, and whether it holds.

    >>> limits(results())["holds"].dtype
    dtype('bool')
    """
    left_out = frame["note"].astype(str).str.contains("left out: ", regex=False)  # a run had no time for it
    part = frame[(frame["section"] == "limits") & ~left_out].reset_index(drop=True)
    measured = part["quality"].where(~part["unit"].isin(["s", "MB"]), part["seconds"])
    measured = measured.where(part["unit"] != "MB", part["peak_mb"])
    direction = part["note"].astype(str).str.extract(r"^(at most|at least)", expand=False)
    demands = zip(direction, part["demanded"], part["unit"], strict=True)
    return part[["subject", "data", "rows"]].assign(
        demanded=[f"{how} {value:g} {unit}" for how, value, unit in demands],
        measured=measured,
        share=measured / part["demanded"],
        holds=part["holds"].astype(str).str.lower() == "true",
    )


def targets(frame: pd.DataFrame) -> pd.DataFrame:
    """List the targets: what was measured before, what is wanted at most, what a run measured, and the verdict.

    >>> line = {"section": "limits", "subject": "MLEM2", "data": "Adult", "who": "anonnb", "seconds": 4.0, "unit": "s"}
    >>> targets(pd.DataFrame([line | {"at_least": False}])).loc[0, ["wanted", "verdict"]].tolist()
    ['≤ 5 s', 'met']
    """
    wanted = pd.read_csv(Path(__file__).with_name("benchmark_targets.csv"))
    measured = [_measured(frame, target) for _, target in wanted.iterrows()]
    pairs = list(zip(measured, wanted["most"], strict=True))
    return wanted[["work", "before"]].assign(
        wanted=[f"≤ {most:g} {unit}" for most, unit in zip(wanted["most"], wanted["unit"], strict=True)],
        measured=measured,
        verdict=["not measured" if np.isnan(one) else "met" if one <= most else "missed" for one, most in pairs],
    )


def _measured(frame: pd.DataFrame, target: pd.Series) -> float:
    """Find what a run says about a target; NaN if it says nothing. A bound that was reached counts as missed."""
    part = frame[(frame["subject"] == target["subject"]) & (frame["data"] == target["data"])]
    if target["unit"] == "exponent":
        slopes = exponents(part)["exponent"].tolist() if len(part) else []
        return float(slopes[0]) if slopes else np.nan
    ours = part[(part["who"] == target["who"]) & ~part["section"].isin(["profile", "scaling", "estimates"])]
    if ours.empty:
        return np.nan
    if target["unit"].startswith(FASTER_THAN):
        library = target["unit"].removeprefix(FASTER_THAN)
        theirs = part[part["who"].str.startswith(library)]["seconds"].min()
        return float(ours["seconds"].min() / theirs)
    if target["unit"] == "s":
        return np.inf if ours["at_least"].astype(bool).all() else float(ours["seconds"].min())
    if target["unit"] == "MB":
        return float(ours["peak_mb"].min())
    return float(ours.loc[ours["quality_name"] == target["unit"], "quality"].min())
