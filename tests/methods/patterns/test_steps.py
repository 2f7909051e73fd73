"""Pattern tables tell R(u), the others and the patterns: the paper's example, and what is told is published."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Infeasible
from anonnb.methods import PatternTable
from tests.methods.patterns.test_pattern_table import NEAREST, choices_of, decision_tables, table2  # noqa: F401


@pytest.fixture(scope="module")
def table():
    return anonnb.load("decision6")


def test_the_papers_example(table, table2):  # noqa: F811
    told = PatternTable(k=2, rules=table2).steps(table)
    assert told[0].state is table2
    needed = {step.title.split()[-1]: step for step in told if step.title.startswith("Rules of")}
    found = {row: [label.split(":")[0] for label in step.chosen] for row, step in needed.items()}
    # Table 4 has I4 and I6 for o2, which matches what o1 does, and I2 and I5 for o4: ties, of which we take the first
    assert found == {"o1": ["I3", "I6"], "o3": ["I1", "I4"], "o4": ["I1", "I5"], "o5": ["I2", "I3"], "o6": ["I3", "I5"]}
    leaves = {"o1": "high", "o3": "low", "o4": "medium", "o5": "low", "o6": "high"}
    assert all(f"which leave {leaves[row]};" in step.sentence for row, step in needed.items())
    others = {step.title: step for step in told if step.title.startswith("Others")}
    alike = 0
    for choice in choices_of(NEAREST):
        title = f"Others for row o{choice.row + 1} by I{choice.rule + 1}"
        if title in others and (choice.row, choice.rule) not in {(0, 5), (1, 5)}:  # ties that Table 4 breaks otherwise
            assert others[title].chosen == (f"row o{choice.others[0] + 1}",)
            alike += 1
    assert alike == 8
    assert others["Others for row o5 by I3"].candidates["values in common"].to_dict() == {
        "row o1": 2,
        "row o2": 1,
        "row o6": 1,
    }


@settings(max_examples=12)
@given(
    decision_tables(), st.integers(1, 4), st.sampled_from(["cT1", "cT2", "cT3", "cT4"]), st.booleans(), st.booleans()
)
def test_what_is_told_is_published(table, k, variant, printed, with_row):
    if len(np.unique(table.codes("d"))) < 2:
        return
    method = PatternTable(k=k, variant=variant, printed=printed, with_row=with_row)
    try:
        told = method.steps(table, most=10_000)
    except Infeasible:
        return
    rules, choices = told.result.info["rules"], told.result.info["choices"]
    for step in told:
        if step.title.startswith("Rules of") and step.candidates is not None:
            numbers = [int(label.split(":")[0][1:]) - 1 for label in step.candidates.index]
            needed = [int(label.split(":")[0][1:]) - 1 for label in step.chosen]
            leaves = rules.concludes[numbers].all(axis=0)
            assert step.left_out or (rules.concludes[needed].all(axis=0) == leaves).all()
            for spare in needed if len(needed) > 1 else ():
                rest = [number for number in needed if number != spare]
                assert step.left_out or (rules.concludes[rest].all(axis=0) != leaves).any()
        if step.title.startswith("Others") and step.chosen:
            row = f"row {step.title.split()[3]}"
            common = step.candidates["values in common"].drop(row, errors="ignore")
            chosen, rest = common[common.index.isin(step.chosen)], common[~common.index.isin(step.chosen)]
            alike, other = (chosen, rest) if variant in ("cT1", "cT2") else (rest, chosen)
            assert chosen.empty or rest.empty or alike.min() >= other.max()
    last = told[-2]
    assert last.title.startswith("Pattern of")
    assert len(last.state) == len(choices)
    shown = {tuple(line) for line in last.state.astype(str).itertuples(index=False)}
    columns = [told.result.columns[name].texts() for name in last.state]
    assert shown == set(zip(*columns, strict=True))
