"""Every figure that we call the paper's stands in the paper: its tables, typed off line by line, against our file."""

import re
from pathlib import Path

import pytest

from anonnb.experiments import inuiguchi

PRINTED = Path(__file__).with_name("printed_tables.txt")
KEYS = ["table", "dataset", "k", "method", "attack"]
BOTH_K = [(data, k) for k in (5, 10) for data in ("car", "hayes-roth", "iris", "zoo")]  # the columns of Table 8
METHODS = ("cT1", "cT2", "cT3", "cT4", "M1", "M2")  # the columns of the others


def printed() -> dict[tuple, float]:
    """Tables 8 to 12 in the layout of the page: data sets across (Table 8), or one below the other."""
    found, table, dataset, attack = {}, 0, "", "shallow"
    for line in PRINTED.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words[0] == "Table":
            table = int(words[1])
        elif not re.match(r"0\.\d{4}$", words[-1]):
            dataset, attack = words[0], words[1].strip("(") if len(words) > 1 else "shallow"
        elif table == 8:
            found |= {
                (8, *place, words[0], "rules"): float(word) for place, word in zip(BOTH_K, words[1:], strict=True)
            }
        else:
            for method, word in zip(METHODS, words[1:], strict=True):
                found[table, dataset, int(words[0]), method, attack] = float(word)
    return found


def test_all_568_figures_are_the_printed_ones():
    figures = printed()
    assert len(figures) == 568
    assert inuiguchi.paper().set_index(KEYS)["paper"].to_dict() == figures


def test_committed_results_have_the_printed_figure_beside_ours():
    figures, frame = printed(), inuiguchi.all_figures()
    assert len(frame) == len(figures)
    for line in frame.itertuples():
        assert line.paper == figures[line.table, line.dataset, line.k, line.method, line.attack]
        assert line.difference == pytest.approx(line.ours - line.paper, abs=1.01e-4)
    assert frame["low"].le(frame["ours"] + 1e-4).all()
    assert frame["high"].ge(frame["ours"] - 1e-4).all()
