"""The index of a batch, from recorded figures alone."""

import json
from pathlib import Path

import nbformat
import pytest

from anonnb.reports.comparison import Sweep
from anonnb.reports.page import loads_from_outside
from anonnb.reports.records import collect, tables
from anonnb.reports.results import Result
from anonnb.reports.runs import Run
from anonnb.reports.summary import SOURCES, index_page, write_summary
from tests.reports.conftest import HOSTILE
from tests.reports.records import ARENA, GAINS, REPRODUCTION, RIVALS, VERDICTS

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def result(name="13_mondrian", **changes):
    return Result(
        **{"name": name, "notebook": f"{name}.ipynb", "title": f"About {name}", "parameters": {}} | changes,
        fingerprint="",
    )


def section(page, name):
    return page.partition(f'<section id="{name}">')[2].partition("</section>")[0]


ORDER = ("picture", "papers", "notebooks", "details", "about")


def whole_batch():
    papers = {"reproduction": REPRODUCTION, "verdicts": VERDICTS}
    return [
        result("13_mondrian"),
        *(result(name, records=papers) for name in SOURCES["reproduction"]),
        result("45_arena", records={"arena": ARENA, "rivals": RIVALS}),
    ]


@pytest.mark.slow
def test_the_page_opens_with_what_it_is_then_the_picture_the_papers_the_notebooks_and_the_details():
    page = index_page(whole_batch())
    places = [page.index(f'<section id="{name}">') for name in ORDER]
    assert places == sorted(places)
    header = page.partition("<header>")[2].partition("</header>")[0]
    assert header.index("What do methods that anonymize tables protect") < header.index("7 notebooks, all of them ran")
    links = [line for line in header.splitlines() if 'href="#' in line]
    assert [f"#{name}" in "".join(links) for name in ORDER] == [True] * len(ORDER)
    assert "survey" not in page[: page.index('<section id="details">')]  # the toy table does not come first


def test_the_largest_gains_before_and_now_stand_below_the_picture_and_count_what_rose():
    picture = section(index_page([result("45_arena", records={"rivals": RIVALS, "gains": GAINS})]), "picture")
    assert picture.count("<figure>") == 2
    assert picture.index("Adult: 20 draws") > picture.index("<figure>")
    assert "The intervals hold at once" in picture


def test_the_papers_are_shown_as_they_were_recorded():
    page = index_page([result("41_migration_experiment", records={"reproduction": REPRODUCTION})])
    papers = section(page, "details")
    for text in ("Somebody (2023)", "30,169", "32,169", "−2,000", "0.123", "below 0.2", "–"):
        assert text in papers
    assert 'href="41_migration_experiment.html"' in papers


@pytest.mark.slow
def test_what_an_attack_learns_is_told_in_people_and_never_below_0():
    names = ["attack kind", "secret", "attempts", "baseline", "control", "excess", "excess low", "excess high"]
    names += ["sure", "sure_right"]
    figures = ["secret", "ill", 200, 0.75, 0.25, -0.1667, -0.2, 0.3, 36, 36]
    rows = [
        [*row, *(figures if row[4] == "SkewnessAttack" and row[5] is not None else [None] * len(names))]
        for row in ARENA["rows"]
    ]
    measured = ARENA | {"columns": [*ARENA["columns"], *names], "rows": rows}
    arena = section(index_page([result("45_arena", records={"arena": measured})]), "details")
    assert "the figure that its column names" in arena
    assert "secret ill; sure about 36 of 200 (18.0 %); right about 36 (100.0 %)" in arena
    assert "all guesses right no better than guessing; by guessing 75.0 %; about outsiders 25.0 %" in arena
    assert "excess at most 30.0 %" in arena
    assert "−16.7" not in arena


@pytest.mark.slow
def test_ones_own_table_comes_first_and_no_sample_stands_for_it():
    rows = [["rows", 52_000], ["k", 5], ["rows published", 51_990]]
    own = {"kind": "own table", "caption": "people.csv", "columns": ["what", "figure"], "rows": rows}
    sampled = [ARENA | {"caption": f"people, 1,500 of 52,000 rows, k = {k}"} for k in (2, 5)]
    arenas = [
        result(f"45_arena-K={k}", parameters={"K": k}, records={"arena": entry})
        for k, entry in zip((2, 5), sampled, strict=True)
    ]
    page = index_page([*arenas, result("50_your_own_data", records={"release": own})])
    assert "<h1>people.csv: a report</h1>" in page
    assert (
        page.index('<section id="own">') < page.index('<section id="arena">') < page.index('<section id="notebooks">')
    )
    assert "51,990" in section(page, "own")
    assert section(page, "arena").index("k = 5") < section(page, "arena").index("k = 2")
    assert 'id="papers"' not in page
    assert 'id="picture"' not in page


def test_what_is_missing_is_named_and_no_old_figure_shown():
    failed = result("45_arena", status="failed", records={"arena": ARENA, "rivals": RIVALS})
    page = index_page([failed, result("40_imprecise_rules_experiment", records={"reproduction": REPRODUCTION})])
    assert "data:image/svg" not in page
    for name in ("picture", "details"):
        assert "Failed, or recorded nothing: <code>45_arena</code>" in section(page, name)
    papers = section(page, "papers")
    assert "Not in this batch: <code>41_migration_experiment</code>" in papers
    assert "Failed" not in papers
    assert "<code>40_imprecise_rules_experiment</code>" not in papers


@pytest.mark.parametrize("kind", SOURCES)
def test_the_notebooks_that_are_named_as_sources_do_record(kind):
    """Without this, the summary could wait for ever for a notebook that was renamed."""
    for name in SOURCES[kind]:
        notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
        assert len(tables(collect(notebook), kind)) == 1, name


def test_failures_come_first_and_a_hanging_notebook_is_among_them():
    hang = result("31_deep", status="timeout", cell=7, error="a\nThe notebook was stopped after 20 seconds.")
    page = index_page([result(), hang])
    assert "2 notebooks, 1 failed" in page
    failed = section(page, "failed")
    assert "timeout in cell 7" in failed
    assert "stopped after 20 seconds" in failed
    assert page.index('id="failed"') < page.index('id="picture"')
    assert section(index_page([result()]), "failed") == ""


def test_a_card_shows_the_last_line_of_an_error_and_no_folder():
    error = "File /home/me/venv/x.py:5, in f\n  5 g()\nOSError: no file '/home/me/people.csv'"
    page = index_page([result(status="failed", cell=4, error=error)])
    card = section(page, "notebooks")
    assert "Stopped in cell 4" in card
    assert "<pre>OSError: no file &#39;people.csv&#39;</pre>" in card
    assert "/home/me" not in page


def test_the_runs_of_a_sweep_share_one_place():
    given = {"DATA": "survey"}
    runs = [result(f"13_mondrian-K={k}", notebook="13_mondrian.ipynb", parameters=given | {"K": k}) for k in (2, 5)]
    page = index_page(runs, [Sweep("13_mondrian-comparison", ("K",), runs)])
    assert "2 runs of 1 notebook, all of them ran" in page
    assert page.count('class="card"') == 1
    for link in ("13_mondrian-comparison.html", "13_mondrian-K%3D2.html", "13_mondrian-K%3D5.html"):
        assert f'href="{link}"' in section(page, "notebooks")
    assert ">K = 5</a>" in section(page, "notebooks")
    assert "13_mondrian-comparison.html" in section(page, "details")


def test_the_machine_is_described_and_not_named(monkeypatch):
    monkeypatch.setattr("platform.node", lambda: "secrethost")
    page = index_page([result(reused=True)], command="anonnb report --plan quick")
    about = section(page, "about")
    for text in (
        "cores",
        "GB of memory",
        "<code>anonnb report --plan quick</code>",
        "--fresh",
        "1 of 1",
        "results.json",
    ):
        assert text in about
    assert "secrethost" not in page


def test_folders_of_the_machine_stay_out_of_what_is_passed_on(tmp_path):
    own = result(parameters={"DATA": "/home/me/people.csv", "MORE": [{"x": "/home/me/more.csv"}]})
    write_summary(tmp_path, [Run(Path("a.ipynb"), own.name, own.parameters, "a-comparison", ("DATA",))], [own])
    for name in ("index.html", "a-comparison.html", "results.json"):
        text = (tmp_path / name).read_text()
        assert "people.csv" in text
        assert "/home/me" not in text


@pytest.mark.slow
def test_hostile_text_stays_text_everywhere():
    table = REPRODUCTION | {"caption": HOSTILE, "rows": [[HOSTILE, HOSTILE, 1, 1]], "columns": [HOSTILE, "a", "b", "c"]}
    arena = ARENA | {"caption": HOSTILE, "rows": [[HOSTILE, *row[1:]] for row in ARENA["rows"][:4]]}
    rivals = RIVALS | {"caption": HOSTILE, "rows": [[HOSTILE, HOSTILE, *row[2:]] for row in RIVALS["rows"]]}
    records = {
        "a": table,
        "b": arena,
        "c": rivals,
        "verdicts": VERDICTS | {"rows": [[HOSTILE, 3, 0, 0], ["close", 4, 0, 0]]},
    }
    bad = result(title=HOSTILE, question=HOSTILE, records=records, parameters={"DATA": HOSTILE})
    page = index_page([bad], [Sweep("x", (HOSTILE,), [bad])], command=HOSTILE)
    assert page.count("<script") == 1  # ours
    assert loads_from_outside(page) == []


def test_results_are_kept_for_programs_and_are_the_same_bytes_again(tmp_path):
    runs = [Run(Path("41_migration_experiment.ipynb"), "41_migration_experiment")]
    results = [result("41_migration_experiment", records={"reproduction": REPRODUCTION, "k": 5}, seconds=1.5)]
    write_summary(tmp_path, runs, results)
    first = (tmp_path / "results.json").read_bytes()
    kept = json.loads(first)
    assert kept[0]["records"]["reproduction"]["rows"] == REPRODUCTION["rows"]
    assert kept[0]["records"]["k"] == 5
    results[0].seconds = 9.9
    write_summary(tmp_path, runs, results)
    assert (tmp_path / "results.json").read_bytes() == first
