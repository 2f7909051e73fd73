"""Plots of the benchmarks."""

import pandas as pd
import pytest

from anonnb import plots


@pytest.fixture
def compared():
    lines = [
        ("Mondrian", "slow 1", 8.0, False, "ours", "NCP", 0.1, 0.2),
        ("Mondrian", "stopped 1", 50.0, True, "ours", "NCP", 0.1, None),
        ("Tree", "fast 1", 0.1, False, "peer", "accuracy", 0.8, 0.81),
        ("Tree", "absent", None, False, "unknown", "accuracy", 0.8, None),
    ]
    names = ["subject", "peer", "ratio", "at_least", "faster", "quality", "our quality", "peer quality"]
    return pd.DataFrame(lines, columns=names).assign(data="Adult")


def test_ratios_have_a_bar_for_every_measured_peer(compared):
    ax = plots.peer_ratios(compared)
    assert len(ax.patches) == 3
    assert ax.get_xscale() == "log"
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels == ["Tree, Adult: fast 1", "Mondrian, Adult: stopped 1", "Mondrian, Adult: slow 1"]
    texts = [text.get_text() for text in ax.texts]
    assert texts == ["0.1×   accuracy ours 0.8, peer's 0.81", "≥ 50×", "8×   NCP ours 0.1, peer's 0.2"]


def test_exponents_have_a_mark_each_and_the_title_counts_those_that_are_kept():
    lines = [("method", "a", 1.0, "kept"), ("method", "b", 2.0, "exceeded"), ("attack", "c", 3.0, "no promise")]
    frame = pd.DataFrame([*lines, ("attack", "d", None, "too fast")], columns=["kind", "name", "exponent", "verdict"])
    ax = plots.promised_exponents(frame)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["method (2)", "attack (1)"]
    assert sum(len(marks.get_offsets()) for marks in ax.collections) == 3
    assert ax.get_title().replace("\n", " ") == "1 of 2 exponents keep their promises; the largest is 3.00 (c)"


def test_curves_tell_their_exponents():
    lines = [("scaling", "a", "d", n, n / 100, 100.0, False) for n in (10, 100)] + [
        ("scaling", "b", "d", n, n**2 / 100, 200.0, False) for n in (10, 100)
    ]
    frame = pd.DataFrame(lines, columns=["section", "subject", "data", "rows", "seconds", "peak_mb", "at_least"])
    ax = plots.scaling_curves(frame)
    assert sorted(text.get_text() for text in ax.texts) == ["a: rows^1.00", "b: rows^2.00"]
    ax = plots.scaling_curves(frame, "peak_mb")
    assert ax.get_ylabel() == "peak memory in MB"


def test_limits_that_are_missed_look_different():
    limits = pd.DataFrame(
        {
            "subject": ["a", "b", "c"],
            "data": "d",
            "demanded": ["at most 4 s", "at most 1 MB", "at least 0.5 accuracy"],
            "share": [0.5, 2.0, 1.2],
            "holds": [True, False, True],
        }
    )
    ax = plots.limit_shares(limits)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["b, d: ≤ 1 MB", "Memory", "a, d: ≤ 4 s", "Time"]
    assert ax.get_title() == "1 of 2 upper limits hold; at most 200 % of a limit is used"
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["holds", "missed"]


def test_of_each_kind_of_limit_the_nearest_are_drawn():
    """Four limits of time and one of loss; two of each at most."""
    limits = pd.DataFrame(
        {
            "subject": list("abcde"),
            "data": "d",
            "demanded": ["at most 4 s"] * 3 + ["at most 0.7 s of import", "at most 0.05 NCP"],
            "share": [0.5, 0.1, 0.9, 0.2, 0.3],
            "holds": True,
        }
    )
    ax = plots.limit_shares(limits, most=2)
    shown = [label.get_text() for label in ax.get_yticklabels()]
    assert shown == ["e, d: ≤ 0.05 NCP", "What comes out", "a, d: ≤ 4 s", "c, d: ≤ 4 s", "Time"]
    assert "3 of 5, the nearest to their limits" in ax.get_xlabel()


def test_the_homes_of_functions_add_up_to_the_whole():
    who = ["anonnb.methods.moved_since.f", "pandas.core.g", "sort of numpy.ndarray", "builtins.isinstance"]
    frame = pd.DataFrame({"section": "profile", "subject": "job", "who": who, "quality": [0.4, 0.3, 0.1, 0.05]})
    ax = plots.profile_homes(frame)
    widths = {bars.get_label(): bars[0].get_width() for bars in ax.containers}
    assert widths == pytest.approx(
        {"anonnb": 40, "pandas": 30, "numpy": 10, "Python": 5, "functions that take less": 15}
    )
    assert "moved_since" not in str([text.get_text() for text in ax.get_yticklabels()])
