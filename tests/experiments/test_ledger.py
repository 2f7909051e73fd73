"""The ledger: how figures and sentences are judged, what every line says, and that the file is the made one."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonnb.experiments import ledger, migration
from anonnb.experiments.__main__ import main
from anonnb.experiments.stated import chase_claims, migration_claims, routes_claims, tree_preserving_claims
from anonnb.experiments.three_routes import ROUTES

LINES = (Path(__file__).parent / "stated/printed_sentences.txt").read_text(encoding="utf-8").splitlines()
figures = st.floats(0, 1).map(lambda figure: round(figure, 4))


@given(figures, figures, figures)
def test_a_figure_is_judged_by_chance_before_distance(printed, ours, reach):
    word = ledger.verdict(printed, ours, ours - reach, ours + reach)
    apart = abs(printed - ours)
    if apart > reach + 1e-6:
        limit = min(0.03, printed / 2)
        assert word == ("close" if apart <= limit + 1e-9 else "differs")
    elif apart < reach - 1e-6:
        assert word == ("within chance" if apart > 0.00006 else "exact")


def test_a_small_figure_is_close_only_if_half_of_it_is_met():
    assert ledger.verdict(0.02, 0.031) == "differs"
    assert ledger.verdict(0.0, 0.0001) == "differs"
    assert ledger.verdict(0.5, 0.531) == "differs"


def test_order_is_judged_per_method_and_only_over_four_values_of_k():
    frame = pd.DataFrame({"m": list("aaaabbb"), "printed": [1, 2, 3, 4, 1, 2, 3], "ours": [9, 8, 7, 6, 5, 6, 7]})
    words = ledger.by_order(frame.assign(verdict="differs"), ["m"])["verdict"].tolist()
    assert words == ["differs"] * 4 + ["undecided"] * 3


@given(st.integers(1, 60), st.data())
def test_a_sentence_must_beat_a_coin(n, data):
    agree = data.draw(st.integers(0, n))
    word, chance = ledger.sentence_verdict(agree, n), ledger.sign_test(agree, n)
    assert (word == "exact") == (agree == n)
    assert word != "close" or chance <= 0.05
    assert word != "undecided" or (chance > 0.05 and 2 * agree > n)


def test_a_sentence_is_compared_with_the_printed_table_cell_by_cell():
    line = ledger.sentence("4", "A is better.", [True, False, True], [False, False, True])
    assert (line["printed"], line["ours"]) == ("1 of 3", "2 of 3 as printed")
    with pytest.raises(ValueError, match="has no comparison"):
        ledger.sentence("4", "A is better.", [])


def test_a_bound_is_judged_over_all_runs():
    assert [ledger.bound("4", "x", 0.2, runs)["verdict"] for runs in ([0.1], [0.1, 0.3], [0.3])] == [
        "exact",
        "within chance",
        "differs",
    ]


@pytest.mark.parametrize("paper", ledger.PAPERS)
def test_every_line_has_a_part_and_says_why_it_differs(paper):
    lines = ledger.read(paper)
    assert set(lines["part"]) <= set(ledger.PARTS)
    assert set(lines["verdict"]) <= set(ledger.VERDICTS)
    assert not lines.duplicated(["place", "what"]).any()
    if paper != "Inuiguchi et al. (2019)":
        bad = lines[lines["verdict"].isin(["differs", "undecided"])]
        assert (bad["reading"] != "").all(), bad["what"].tolist()
    assert f"of {len(lines[lines['part'] == 'checked'])} checked lines" in ledger.headline(lines)


def test_inputs_and_figures_that_were_tuned_on_are_no_results():
    parts = ledger.read().set_index(["paper", "what"])["part"]
    assert parts["SCIKD", "hidden cells"] == "chosen"
    assert {parts["SCIKD", "sites"], parts["TPP", "rows of Adult"], parts["Truong (2023)", "attributes"]} == {"input"}
    assert parts["Inuiguchi et al. (2019)", "hayes-roth, condition attributes"] == "input"


@pytest.mark.slow
def test_the_committed_ledger_is_the_one_that_the_results_make(tmp_path, capsys):
    assert main(["ledger", "--results", str(tmp_path)]) == 0
    made = (tmp_path / "ledger.csv").read_text(encoding="utf-8")
    assert made == ledger.stored_file("ledger.csv").read_text(encoding="utf-8")
    assert main(["readings"]) == 0
    assert "partition" in capsys.readouterr().out


# ---- the four papers without tables --------------------------------------------------------------------------------


def numbers(words):
    found = re.findall(r"(\d[\d,]*(?:\.\d+)?)\s*(%?)", words)
    return {round(float(digits.replace(",", "")) / (100 if percent else 1), 6) for digits, percent in found}


@pytest.mark.parametrize(
    ("paper", "typed"),
    [
        ("Truong (2023)", "migration"),
        ("Ciriani et al. (2008)", "routes"),
        ("TPP", "tree preserving"),
        ("SCIKD", "chase"),
    ],
)
def test_every_printed_figure_stands_in_the_paper(paper, typed):
    stated = set().union(*(numbers(line) for line in LINES if line.startswith((typed, "table"))))
    for line in ledger.read(paper).itertuples():
        printed = line.printed if not isinstance(line.printed, str) else line.printed.removeprefix("below ")
        if printed != "stated":
            assert float(printed) in stated, line.what


def test_the_printed_tables_are_the_chapters():
    pattern = re.compile(r"table (1\.\d+(?: \(\w\))?): (.+) (\d+) \((\d+)Y, (\d+)N\)")
    typed = [match.groups() for line in LINES if (match := pattern.fullmatch(line))]
    assert [(figure, row, *map(int, counts)) for figure, row, *counts in typed] == list(routes_claims.PRINTED)


def said(lines, start):
    (line,) = [line for line in lines if line["what"].startswith(start)]
    return line["ours"]


def test_new_rules_of_any_order_refute_that_none_reaches_the_thresholds():
    orders = migration.stored("orders")
    results = migration.stored("comparison")
    assert said(migration_claims.sentences(results, orders), "the new rules reach neither").startswith("0 of")
    lossy = migration_claims.sentences(results, orders.assign(lrp=0.9))
    assert said(lossy, "U-M3AR has a lower DRP") == "0 of 20 as printed"


def test_routes_are_counted_over_k():
    lines = [
        (k, route, 0.8, 5 * (route == ROUTES[0] and k == 10), place)
        for k in (2, 10)
        for place, route in enumerate(ROUTES)
    ]
    means = pd.DataFrame(lines, columns=["k", "route", "accuracy", "people exposed", "seconds"])
    means.loc[(means["k"] == 10) & (means["route"] == ROUTES[2]), "accuracy"] = 0.9
    found = routes_claims.sentences(means)
    assert said(found, "mining results can") == said(found, "… so anonymize") == "1 of 2 as printed"
    assert said(found, "mine and anonymize is more efficient") == "0 of 12 as printed"


def test_a_tree_that_does_not_survive_is_counted():
    stored = tree_preserving_claims.experiment.stored
    quality, privacy, learners = (stored(name) for name in ("quality", "privacy", "learners"))
    broken = privacy.assign(same=privacy["same"] & ~((privacy["dataset"] == "adult") & (privacy["leaves"] == 8)))
    assert (
        said(tree_preserving_claims.sentences(quality, broken, learners), "TPP always preserves") == "5 of 6 as printed"
    )


def test_the_worked_example_of_the_chase():
    assert said(chase_claims.lines(), "the fourteen closures") == "13 of 14 as printed"
    assert np.isclose(routes_claims.lattice()["ABC"], 17)
