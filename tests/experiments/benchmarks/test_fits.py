"""Exponents and promises, on figures that are made up: the gate of ``make bench`` must open and close."""

import math

import numpy as np
import pandas as pd
import pytest

from anonnb import attacks, methods
from anonnb.experiments import benchmarks

SIZES = (100, 1_000, 3_000, 10_000, 30_000, 100_000)


def series(subject, power, *, at_most=2.0, sizes=SIZES):
    """A line that takes ``at_most`` seconds at its largest size."""
    return [
        {
            "section": "growth",
            "subject": subject,
            "data": "d",
            "who": "anonnb",
            "rows": rows,
            "cpu_seconds": at_most * (rows / max(sizes)) ** power,
            "note": "",
            "at_least": False,
        }
        for rows in sizes
    ]


def promising(**exponents):
    lines = [("method", name if name != "others" else "*", value, "") for name, value in exponents.items()]
    return pd.DataFrame(lines, columns=["kind", "name", "exponent", "why"])


@pytest.mark.parametrize(("power", "verdict"), [(0.9, "kept"), (1.3, "kept"), (1.34, "kept"), (1.4, "exceeded")])
def test_an_exponent_is_held_against_its_promise_with_a_tolerance(power, verdict):
    found = benchmarks.exponents(pd.DataFrame(series("method M", power)), promising(M=1.2)).iloc[0]
    assert found["exponent"] == pytest.approx(power)
    assert found["verdict"] == verdict


def test_the_gate_names_the_line_the_range_and_the_promise():
    frame = pd.DataFrame([*series("method Slow", 2.0), *series("method Fine", 1.0)])
    (sentence,) = benchmarks.broken_promises(frame, promising(others=1.5))
    assert sentence == (
        "method Slow grows like rows^2.00 from 10,000 to 100,000 rows; promised is at most 1.50 (tolerance 0.15)"
    )


def test_a_promise_of_its_own_goes_before_that_of_its_kind():
    frame = pd.DataFrame(series("method Pairs", 2.0))
    assert benchmarks.broken_promises(frame, promising(others=1.2, Pairs=2.0)) == []
    assert benchmarks.broken_promises(frame, promising(others=2.0, Pairs=1.2)) != []


def test_an_empty_promise_is_not_judged():
    frame = pd.DataFrame(series("method Search", 4.0, at_most=200.0))
    assert benchmarks.exponents(frame, promising(Search=np.nan))["verdict"].tolist() == ["no promise"]
    assert benchmarks.broken_promises(frame, promising(Search=np.nan)) == []


def test_small_sizes_and_short_times_are_not_fitted():
    """A fixed cost of 1 s up to 1,000 rows must not flatten what is quadratic beyond."""
    lines = series("method M", 2.0, at_most=100.0)
    for line in lines:
        line["cpu_seconds"] += 1.0 if line["rows"] <= 1_000 else 0.0
    found = benchmarks.exponents(pd.DataFrame(lines), promising(M=1.2)).iloc[0]
    assert (found["from"], found["to"], found["sizes"]) == (3_000, 100_000, 4)
    assert found["exponent"] == pytest.approx(2.0)


def test_what_never_takes_20_ms_is_too_fast_to_judge():
    found = benchmarks.exponents(pd.DataFrame(series("privacy k", 1.0, at_most=0.015))).iloc[0]
    assert math.isnan(found["exponent"])
    assert found["verdict"] == "too fast"


def test_a_line_that_failed_says_why():
    line = series("method M", 1.0)[0] | {"cpu_seconds": np.nan, "note": "failed: ValueError: no rules"}
    found = benchmarks.exponents(pd.DataFrame([line])).iloc[0]
    assert (found["verdict"], found["note"]) == ("not measured", "failed: ValueError: no rules")


def test_promises_name_what_exists_and_every_kind_has_one():
    promises = benchmarks.promises()
    assert not promises.duplicated(["kind", "name"]).any()
    assert (promises.loc[promises["name"] == "*", "exponent"] > 0).all()
    assert (promises["why"].str.len() > 0).all()
    own = promises[promises["name"] != "*"]
    assert set(own.loc[own["kind"] == "method", "name"]) <= set(methods.all())
    assert set(own.loc[own["kind"] == "attack", "name"]) <= set(attacks.all())
