"""Text from data is drawn as it is: no value and no column name breaks a picture, whatever it is made of."""

import itertools
import warnings
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from matplotlib import cbook
from matplotlib.text import Text

from anonnb import Release, Table, plots, privacy
from anonnb.attacks import DeepAttack, LinkageAttack, MembershipAttack, ShallowAttack, SinglingOutAttack, SkewnessAttack
from anonnb.methods import (
    Forest,
    KOptimize,
    Microaggregation,
    Mondrian,
    PatternTable,
    Samarati,
    TopDown,
    TreePreserving,
)
from anonnb.methods.chase_protection.chase_protection import search_object
from anonnb.plots.parts.texts import MAX_LETTERS, clip
from anonnb.plots.style import PALETTE
from anonnb.plots.trees import MAX_CONDITION
from anonnb.rules import mlem2
from anonnb.steps import Graph, RowGroups, Step
from anonnb.tables.incomplete_table import IncompleteTable
from anonnb.testing.attack_subject import strangers
from anonnb.trees import grow
from tests.methods.chase_protection.scikd_example import example_rules, example_system

FORMULAS = ["$x", "a$b$", "$\\frac{$", "\\frac{", "two\nlines", "\x00"]
OTHERS = ["{", "100 % {x:g}", "<b>", "\x1b[31m", "\u202eright to left", "שלום", "_underscore", "\\$", "long " * 400, ""]
# Both kinds in one word, so that each plot is drawn once in `make test`; `make thorough` also draws each kind alone.
MIXED = [other + formula for other, formula in zip(OTHERS, itertools.cycle(FORMULAS), strict=False)]
SURROGATE = "\ud800"  # no DataFrame takes it, but a name may have it


class Hostile:
    """A table whose names and values are hostile, and what the plots ask for."""

    def __init__(self, words):
        first, second, number, secret, decision = (f"{words[n % len(words)]} {n}" for n in range(5))
        rows = list(itertools.product(range(len(words)), range(3)))
        frame = pd.DataFrame(
            {
                first: [words[a] for a, _ in rows],
                second: [words[b] for _, b in rows],
                number: [(a * 7 + b) % 9 for a, b in rows],
                secret: [words[(a + b) % len(words)] for a, b in rows],
                decision: [words[a % min(3, len(words))] for a, _ in rows],
            }
        )
        frame = pd.concat([frame, frame], ignore_index=True)
        self.names = first, second, number, secret, decision
        self.table = Table(frame, quasi=[first, second, number], sensitive=[secret], decision=decision)
        self.few = self.table.with_roles(quasi=[first, second])
        self.words = [f"{word} {place}" for place, word in enumerate(itertools.islice(itertools.cycle(words), 10))]
        self.lines = pd.DataFrame(
            {"method": np.repeat(self.words, 2), "k": [2, 3] * 10, "value": 0.5, "accuracy": 0.5, "success": 0.1}
        )

    def original(self):
        return Release.of(self.few)

    def mondrian(self):
        return Mondrian(k=2).anonymize(self.few)


def compared(hostile):
    columns = ["method", "k", "seed", "kind", "name", "value", "reason"]
    kinds = (("utility", "NCP"), ("attack", "LinkageAttack"), ("attack", hostile.words[0]))
    lines = [(m, k, 0, kind, name, 0.1, "") for m in hostile.words for k in (2, 3) for kind, name in kinds]
    return pd.DataFrame(lines, columns=columns)


def peers(hostile):
    both = {"ratio": 8.0, "at_least": False, "faster": "ours", "our quality": 0.1, "peer quality": 0.2}
    return pd.DataFrame({"subject": hostile.words, "peer": hostile.words, "quality": hostile.words}).assign(
        data="d", **both
    )


def measured(hostile):
    lines = [("scaling", w, w, n, n / 100, 100.0, False) for w in hostile.words for n in (10, 100)]
    return pd.DataFrame(lines, columns=["section", "subject", "data", "rows", "seconds", "peak_mb", "at_least"])


def limits(hostile):
    return pd.DataFrame({"subject": hostile.words, "data": hostile.words}).assign(
        demanded="at most 4 s", share=0.5, holds=True
    )


def inferred(hostile):
    found = search_object(example_system(), example_rules(), "d")
    labels = [f"{word} {n}" for n, word in zip(range(len(found.labels)), itertools.cycle(hostile.words), strict=False)]
    return SimpleNamespace(**{name: getattr(found, name) for name in ("knowledge", "weights", "hidden", "secret")},
                           threshold=found.threshold, labels=labels)  # fmt: skip


def incomplete(hostile):
    shares = pd.DataFrame({"exact": 0.5, "partly": 0.3, "unknown": 0.2}, index=hostile.words)
    return SimpleNamespace(incompleteness=lambda: shares)


def budgets(hostile):
    return pd.DataFrame({"antecedents": hostile.words, "consequents": hostile.words, "eq8": 3, "spent": 1})


def draws():
    return pd.DataFrame(
        [(0.9, 0.1, 500, 400, 0), (0.8, 0.3, 900, 600, 0)],
        columns=["min_confidence", "hidden_share", "revealed_before", "right_before", "revealed_after"],
    )


def sweep(value):
    return pd.DataFrame({"min_support": [0.1, 0.5] * 2, "min_confidence": [0.5, 0.5, 0.9, 0.9], value: [10, 2, 4, 0]})


def moved(hostile):
    table = hostile.table.with_roles(quasi=[hostile.names[2]])
    return plots.moved_values(TreePreserving(k=1, max_leaves=3).anonymize(table), hostile.names[2])


def centres(hostile):
    table = hostile.table.with_roles(quasi=[hostile.names[2], hostile.names[0]])
    return plots.centres(Microaggregation(k=2).anonymize(table), *table.quasi)


def ordered(h):
    table = h.table.recoded(kinds=dict.fromkeys((h.names[0], h.names[4]), "ordinal"))
    value = table.attributes[h.names[4]].domain[-1]
    return plots.dominance_regions(table, value, h.names[2], h.names[0], cost=[h.names[2]])


def numbered(h):
    """The table with numbers in its first column, whose name is hostile still."""
    return Table(h.table.frame.assign(**{h.names[0]: h.table.codes(h.names[0])}), decision=h.names[4])


def stood(h):
    """Methods and families with hostile names, as the experiment of the rivals gives them."""
    ends = ("risk", "risk low", "risk high", "loss", "loss low", "loss high")
    lines = [
        {"method": word, "family": word, "front": True} | dict.fromkeys(ends, 0.1 * n) for n, word in enumerate(h.words)
    ]
    return pd.DataFrame(lines)


def hostile_steps(h):
    """A small table and its release, with hostile titles, too."""
    small = h.few.take(np.arange(6))
    states = (small, Mondrian(k=2).anonymize(small))
    return [Step(word, word, state) for word, state in zip(h.words, states, strict=False)]


def drawn_steps(h):
    """Groups of rows as points, and a graph."""
    nodes = {word: (place % 3, "now") for place, word in enumerate(h.words)}
    graph = Graph.of(nodes, {(h.words[0], h.words[1]): h.words[2]})
    groups = RowGroups(h.few, np.arange(len(h.few)) // 9)
    return [Step(word, word, state) for word, state in zip(h.words[2:], (groups, graph), strict=False)]


def gained(h):
    """Largest gains of methods with hostile names in two runs."""
    lines = pd.DataFrame({"method": h.words, "figure": "excess", "gain": 0.3, "low": 0.2, "high": 0.4})
    return {"before": lines, "all attacks now": lines}


DRAWINGS = {
    "gains": lambda h: plots.gains(gained(h)),
    "rivals": lambda h: plots.rivals(stood(h), loss=h.words[0]),
    "loss_against_risk": lambda h: plots.loss_against_risk(compared(h), risk=h.words[0]),
    "attack_heat_map": lambda h: plots.attack_heat_map(compared(h)),
    "draws": lambda h: plots.draws(pd.DataFrame({"method": h.words * 2, "excess": np.arange(2.0 * len(h.words))})),
    "curves_over_k": lambda h: plots.curves_over_k(compared(h), h.words[0]),
    "candidates": lambda h: plots.candidates(dict.fromkeys(h.words, LinkageAttack().run(h.original()))),
    "beliefs": lambda h: plots.beliefs(dict.fromkeys(h.words, SkewnessAttack().run(h.original(), h.few))),
    "roc_curves": lambda h: plots.roc_curves(
        dict.fromkeys(h.words, MembershipAttack().run(h.original(), control=strangers(h.few)))
    ),
    "refined_cells": lambda h: plots.refined_cells(h.lines.assign(clusters=4, baseline=0.1)),
    "isolation": lambda h: plots.isolation([SinglingOutAttack(attempts=9).run(h.mondrian())]),
    "rule_coverage": lambda h: plots.rule_coverage(mlem2(h.table), h.table),
    "support_histogram": lambda h: plots.support_histogram(mlem2(h.table), 2),
    "rule_row_matrix": lambda h: plots.rule_row_matrix(mlem2(h.table), h.table),
    "rule_boxes": lambda h: plots.rule_boxes(
        mlem2(numbered(h), attributes=[h.names[2], h.names[0]]), numbered(h), h.names[2], h.names[0]
    ),
    "votes": lambda h: plots.votes(np.arange(len(h.words)), tuple(h.words), title=h.words[0]),
    "granules": lambda h: plots.granules(h.table, h.table.attributes[h.names[4]].domain[0], h.names[:2]),
    "approximations": lambda h: plots.approximations(h.table),
    "quality_steps": lambda h: plots.quality_steps(h.table),
    "granule_shares": lambda h: plots.granule_shares(h.table, h.table.attributes[h.names[4]].domain[0], h.names[:2]),
    "dominance_regions": ordered,
    "cut_grid": lambda h: plots.cut_grid(numbered(h), h.names[2], h.names[0], {h.names[2]: [2.5], h.names[0]: [1.5]}),
    "fuzzy_degrees": lambda h: plots.fuzzy_degrees(h.table, h.words[0].rpartition(" ")[0], h.names[2]),
    "kept_quality": lambda h: plots.kept_quality(h.lines.assign(**{h.words[0]: 0.5}), value=h.words[0], original=0.7),
    "boxes": lambda h: plots.boxes(h.mondrian(), color=h.names[4]),
    "centres": centres,
    "lattice_search": lambda h: plots.lattice_search(Samarati(k=2).anonymize(h.few)),
    "intervals": lambda h: plots.intervals(KOptimize(k=2).anonymize(h.few)),
    "hierarchy_cut": lambda h: plots.hierarchy_cut(TopDown(k=2).anonymize(h.few), h.names[0]),
    "cost_ratios": lambda h: plots.cost_ratios(h.lines.assign(ratio=1.5, bound=3.0)),
    "forest": lambda h: plots.forest(Forest(k=2).anonymize(h.few.take(np.arange(12)))),
    "exposure": lambda h: plots.exposure(ShallowAttack(known=2).run(h.original())),
    "usefulness_protection": lambda h: plots.usefulness_protection(h.lines),
    "beside_paper": lambda h: plots.beside_paper(h.lines.assign(dataset=h.lines["method"], ours=0.4, paper=0.5)),
    "verdict_bars": lambda h: plots.verdict_bars(
        pd.DataFrame({word: [1, 2] for word in h.words[:4]}, index=h.words[4:6])
    ),
    "shallow_and_deep": lambda h: plots.shallow_and_deep(
        ShallowAttack().run(h.original()), DeepAttack().run(h.original())
    ),
    "pattern_boxes": lambda h: plots.pattern_boxes(PatternTable(k=2).anonymize(h.few), *h.names[:2]),
    "tree": lambda h: plots.tree(grow(h.few, max_leaves=4), k=3),
    "itemset_lattice": lambda h: plots.itemset_lattice({(): 9, **{(word,): 5 for word in h.words}}, k=3),
    "routes": lambda h: plots.routes(h.lines.assign(route=h.lines["method"])),
    "route_differences": lambda h: plots.route_differences(
        pd.DataFrame({"k": 5, "route": h.words, "difference": -0.1, "low": -0.2, "high": -0.01})
    ),
    "audit": lambda h: plots.audit(privacy.audit(h.table)),
    "class_sizes": lambda h: plots.class_sizes(dict.fromkeys(h.words, h.mondrian()), k=2),
    "sensitive_shares": lambda h: plots.sensitive_shares(h.mondrian()),
    "hierarchy": lambda h: plots.hierarchy(h.table.attributes[h.names[0]]),
    "trade_off": lambda h: plots.trade_off(pd.DataFrame({h.names[0]: [2, 3], "ncp": 0.1, "risk": 0.2}), x=h.names[0]),
    "bars": lambda h: plots.bars(pd.DataFrame({word: [1, 2] for word in h.words[:4]}, index=h.words[4:6]), h.words[0]),
    "lines": lambda h: plots.lines(pd.DataFrame({word: [1, 2] for word in h.words}, index=h.words[4:6]), h.words[0]),
    "rankings": lambda h: plots.rankings(pd.DataFrame({word: [1, 2] for word in h.words[:9]}, index=h.words[4:6])),
    "itemset_counts": lambda h: plots.itemset_counts(
        pd.DataFrame({word: [9, 3] for word in h.words}, index=[0.1, 0.5])
    ),
    "rule_scatter": lambda h: plots.rule_scatter(
        pd.DataFrame({"support": [0.5, 0.6], "confidence": 0.7, "lift": [1, 2]})
    ),
    "measure_by_k": lambda h: plots.measure_by_k(h.lines, h.words[0]),
    "budgets": lambda h: plots.budgets(budgets(h)),
    "threshold_map": lambda h: plots.threshold_map(sweep(h.words[0]), h.words[0], h.words[0]),
    "size_change": lambda h: plots.size_change(np.array([1, 1, 8]), np.array([5, 5]), 5),
    "moved_values": moved,
    "against_leaves": lambda h: plots.against_leaves(h.lines.assign(leaves=h.lines["k"]), "value", h.words[0]),
    "linear_time": lambda h: plots.linear_time(
        pd.DataFrame({h.names[0]: [1, 2, 3], "seconds": [2.0, 4.0, 6.0]}), h.names[0]
    ),
    "inference_graph": lambda h: plots.inference_graph(inferred(h)),
    "incompleteness": lambda h: plots.incompleteness(incomplete(h)),
    "weighted_cells": lambda h: plots.weighted_cells(IncompleteTable.of(h.few.take(range(3)))),
    "hidden_by_confidence": lambda h: plots.hidden_by_confidence(draws(), paper=0.1),
    "incomes_filled_in": lambda h: plots.incomes_filled_in(draws()),
    "before_after": lambda h: plots.before_after(h.few, h.mondrian()),
    "peer_overview": lambda h: plots.peer_overview(peers(h).assign(kind=h.words[0])),
    "promised_exponents": lambda h: plots.promised_exponents(
        pd.DataFrame({"kind": h.words, "name": h.words, "exponent": 1.1, "verdict": "kept"})
    ),
    "bandwidth_shares": lambda h: plots.bandwidth_shares(
        pd.DataFrame({"section": "bandwidth", "subject": h.words, "quality": 10.0})
    ),
    "peer_ratios": lambda h: plots.peer_ratios(peers(h)),
    "scaling_curves": lambda h: plots.scaling_curves(measured(h)),
    "peak_memory": lambda h: plots.peak_memory(pd.DataFrame({"subject": h.words, "rows": 10, "peak MB": 300.0})),
    "profile_homes": lambda h: plots.profile_homes(
        pd.DataFrame({"section": "profile", "subject": h.words, "who": h.words, "quality": 0.1})
    ),
    "limit_shares": lambda h: plots.limit_shares(limits(h)),
    "step": lambda h: plots.step(*reversed(hostile_steps(h))),
    "filmstrip": lambda h: plots.filmstrip(hostile_steps(h) + drawn_steps(h), 4),
}


ALONE = [pytest.param(words, marks=pytest.mark.thorough) for words in (FORMULAS, OTHERS)]


@pytest.fixture(scope="module", params=[MIXED, *ALONE], ids=["mixed", "formulas", "others"])
def hostile(request):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # columns without a hierarchy get a simple one
        return Hostile(request.param)


def test_every_plot_is_tried():
    assert set(DRAWINGS) == set(plots.__all__) - {"axes", "panels"}


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWINGS)
@pytest.mark.filterwarnings("ignore")
def test_hostile_names_and_values_are_drawn(name, hostile, tmp_path):
    with np.errstate(all="ignore"):
        ax = DRAWINGS[name](hostile)
    for suffix in ("png", "svg"):
        ax.figure.savefig(tmp_path / f"picture.{suffix}", dpi=30)
        assert (tmp_path / f"picture.{suffix}").stat().st_size > 0
    for artist in ax.figure.findobj(Text):
        words = artist.get_text()
        assert len(words) <= (1.1 * MAX_CONDITION if name == "tree" else 2 * MAX_LETTERS + 20), words
        assert not cbook.is_math_text(words) or "\\mathdefault" in words, words


@pytest.mark.parametrize("word", [*FORMULAS, *OTHERS, SURROGATE])
def test_a_shown_text_has_the_same_letters_and_begins_no_formula(word):
    artist = Text(0, 0, clip(word))
    drawn, is_formula = artist._preprocess_math(artist.get_text())
    assert not is_formula
    assert drawn.isprintable() or drawn.startswith("\u2060")
    if word.isprintable() and len(word) <= MAX_LETTERS:
        assert drawn.removeprefix("\u2060") == word
    assert len(drawn) <= 10 * MAX_LETTERS


def test_there_are_more_lines_than_colours_where_lines_are_counted():
    assert len(Hostile(FORMULAS).words) > len(PALETTE)


def test_what_begins_with_an_underscore_is_named():
    frame = pd.DataFrame({"method": ["_a", "_a"], "k": [2, 3], "value": [1, 2]})
    assert [text.get_text().endswith("_a") for text in plots.measure_by_k(frame, "x").texts] == [True]


def test_bars_of_values_that_look_alike_stay_apart():
    classes = tuple("x" * 200 + str(n) for n in range(3))
    assert len({bar.get_y() for bar in plots.votes(np.ones(3), classes).patches}) == 3
