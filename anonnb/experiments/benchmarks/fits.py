"""How fast time grows with the rows: exponents fitted to a run, beside what ``promises.csv`` promises of each.

An exponent is the slope of the logarithm of processor seconds over that of rows. Sizes below 20 ms say more about the
clock and fixed costs than about growth, and small sizes hide what large ones do, so the fit takes the sizes from 20 ms
on that are within a factor of 30 of the largest.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from anonnb.experiments.benchmarks.records import exponent

LEAST = 0.02  # seconds of a size that counts
RANGE = 34.0  # the largest size of a fit over its smallest: four sizes of a ladder of 1, 3, 10, 30
SIZES = 3  # a fit needs as many: two points are joined by any line
TOLERANCE = 0.15  # an exponent may lie so far above its promise: what noise does to a slope
KINDS = ("method", "attack", "privacy", "utility", "inducer", "rough sets")
COLUMNS = ["kind", "name", "exponent", "from", "to", "sizes", "seconds", "promised", "verdict", "note"]


def promises() -> pd.DataFrame:
    """Read the promised exponents: one per kind, under the name ``*``, and the exceptions with their reasons.

    Returns
    -------
    pd.DataFrame
        The columns kind, name, exponent and why. An empty exponent promises nothing: the search is exponential.

    Examples
    --------
    >>> promises().columns.tolist()
    ['kind', 'name', 'exponent', 'why']
    """
    return pd.read_csv(Path(__file__).with_name("promises.csv"), keep_default_na=False, na_values={"exponent": [""]})


def promised(kind: str, name: str, table: pd.DataFrame | None = None) -> float:
    """Look up the exponent that is promised of something: its own, or that of its kind.

    Parameters
    ----------
    kind:
        "method", "attack", "privacy", "utility", "inducer" or "rough sets".
    name:
        A registered class, a measure or a function.
    table:
        Promises to look in; by default :func:`promises`.

    Returns
    -------
    float
        The exponent; NaN where nothing is promised.

    Examples
    --------
    >>> promised("method", "a class of somebody else") == promised("method", "*")
    True
    """
    known = promises() if table is None else table
    own = known[(known["kind"] == kind) & known["name"].isin([name, "*"])].set_index("name")["exponent"]
    return float(own.get(name, own.get("*", np.nan)))


def exponents(frame: pd.DataFrame, table: pd.DataFrame | None = None) -> pd.DataFrame:
    """Fit the growth of every line of a run, and hold it against its promise.

    Parameters
    ----------
    frame:
        Records of a run; the section "growth" is read.
    table:
        Promises; by default :func:`promises`.

    Returns
    -------
    pd.DataFrame
        A line per method, attack, measure and inducer: exponent, range of the fit, seconds at the largest size that was
        measured, the promise and a verdict. "kept" and "exceeded" are judged with a tolerance of 0.15; "too fast" and
        "too few sizes" have fewer than three to fit, "not measured" has none, "no promise" is not judged.

    Examples
    --------
    >>> line = {"section": "growth", "subject": "method Mondrian", "note": ""}
    >>> frame = pd.DataFrame([line | {"rows": 10**n, "cpu_seconds": 0.1 * 4**n} for n in (3, 3.5, 4)])
    >>> exponents(frame)[["name", "exponent", "to"]].round(2).values.tolist()
    [['Mondrian', 0.6, 10000.0]]
    """
    known = promises() if table is None else table
    part = frame[frame["section"] == "growth"]
    lines = [_line(subject, records, known) for subject, records in part.groupby("subject", sort=False)]
    return pd.DataFrame(lines, columns=COLUMNS)


def _line(subject: str, records: pd.DataFrame, known: pd.DataFrame) -> dict:
    kind = next(kind for kind in KINDS if subject.startswith(f"{kind} "))
    name = subject.removeprefix(f"{kind} ")
    done = records[records["cpu_seconds"].notna()].sort_values("rows")
    notes = [note for note in records["note"].fillna("") if note]
    fit = done[(done["cpu_seconds"] >= LEAST) & (done["rows"] * RANGE >= done["rows"].max())]
    enough = len(fit) >= SIZES
    slope = exponent(fit["rows"], fit["cpu_seconds"]) if enough else np.nan
    most = promised(kind, name, known)
    return {
        "kind": kind,
        "name": name,
        "exponent": slope,
        "from": fit["rows"].min() if enough else np.nan,
        "to": fit["rows"].max() if enough else np.nan,
        "sizes": len(fit),
        "seconds": done["cpu_seconds"].iloc[-1] if len(done) else np.nan,
        "promised": most,
        "verdict": _verdict(done["cpu_seconds"], slope, most),
        "note": "; ".join(notes),
    }


def _verdict(seconds: pd.Series, slope: float, most: float) -> str:
    if seconds.empty:
        return "not measured"
    if np.isnan(slope):
        return "too fast" if seconds.max() < LEAST * SIZES else "too few sizes"
    if np.isnan(most):
        return "no promise"
    return "kept" if slope <= most + TOLERANCE else "exceeded"


def broken_promises(frame: pd.DataFrame, table: pd.DataFrame | None = None) -> list[str]:
    """List the lines of a run that grow faster than promised; ``make bench`` fails with them.

    Parameters
    ----------
    frame, table:
        As for :func:`exponents`.

    Returns
    -------
    list[str]
        A sentence for each; empty when all promises are kept.

    Examples
    --------
    >>> line = {"section": "growth", "subject": "method Mondrian", "note": ""}
    >>> frame = pd.DataFrame([line | {"rows": 10**n, "cpu_seconds": 100.0**n / 1e6} for n in (3, 3.5, 4)])
    >>> broken_promises(frame)[0][:60]
    'method Mondrian grows like rows^2.00 from 1,000 to 10,000 ro'
    """
    found = exponents(frame, table)
    return [
        f"{line['kind']} {line['name']} grows like rows^{line['exponent']:.2f} from {line['from']:,.0f} to "
        f"{line['to']:,.0f} rows; promised is at most {line['promised']:.2f} (tolerance {TOLERANCE})"
        for _, line in found[found["verdict"] == "exceeded"].iterrows()
    ]
