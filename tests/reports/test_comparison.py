"""The page of a sweep."""

import base64
import re

from anonnb.reports.comparison import Sweep, _lines, comparison_page
from anonnb.reports.page import loads_from_outside
from anonnb.reports.results import Result
from tests.reports.conftest import HOSTILE
from tests.reports.records import ARENA


def sweep(records=lambda k, data: {"loss": k / 10, "rows": 100}, **changes):
    results = [
        Result(f"a-{data}-{k}", "a.ipynb", "A", {"DATA": data, "K": k}, "", records=records(k, data), **changes)
        for data in ("survey", "car")
        for k in (2, 10)
    ]
    return Sweep("a-comparison", ("DATA", "K"), results)


def test_a_line_for_each_run_and_a_column_for_each_figure():
    page = comparison_page(sweep())
    rows = re.findall(r"<tr>(.*?)</tr>", page)
    cells = [re.findall(r">([^<>]+)<", row) for row in rows]
    assert cells[0] == ["DATA", "K", "state", "loss", "rows"]
    assert cells[1] == ["survey", "2", "ok", "0.200", "100"]
    assert cells[4] == ["car", "10", "ok", "1", "100"]
    assert 'href="a-survey-2.html"' in rows[1]
    assert loads_from_outside(page) == []


def test_failed_runs_are_listed_and_not_drawn():
    one = sweep()
    one.results[0].status, one.results[0].records = "timeout", {}
    assert _lines(one, "K", "loss")["survey"] == [(10, 1.0)]
    assert "timeout" in comparison_page(one)


def test_a_sweep_over_words_is_drawn_without_lines():
    results = [Result(f"a-{data}", "a.ipynb", "A", {"DATA": data}, "", records={"x": 1}) for data in ("survey", "car")]
    page = comparison_page(Sweep("a-comparison", ("DATA",), results))
    svg = base64.b64decode(re.search(r"svg\+xml;base64,([^\"]+)", page)[1]).decode()
    assert svg.count("<use") >= 2
    assert page == comparison_page(Sweep("a-comparison", ("DATA",), results))


def test_arenas_are_compared_method_by_method():
    page = comparison_page(sweep(lambda k, data: {"arena": ARENA}))
    cells = [re.findall(r"<td[^>]*>([^<>]*)<", row) for row in re.findall(r"<tr>(.*?)</tr>", page.partition("<h2>")[2])]
    assert [row[0] for row in cells[1:]] == ["M3AR", "Mondrian", "Samarati"]
    assert len(cells[2]) == 1 + 2 * 4
    assert cells[2][1:3] == ["0.200", "success 40.0 %, SkewnessAttack"]
    assert "recorded no figures" not in page


def test_hostile_figures_stay_text():
    page = comparison_page(sweep(lambda k, data: {HOSTILE: HOSTILE, f"{HOSTILE} $x": k}))
    assert page.count("<script") == 1  # ours
