"""What an attack found, in words: every secret by name, counts of people first, no percentage below 0."""

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from anonnb import Release, load
from anonnb.attacks import HomogeneityAttack
from anonnb.attacks.findings import findings, most_exposed
from anonnb.attacks.result import SecretResult
from anonnb.attacks.result_kinds import LinkageResult, MembershipResult


def result(right, attempts=100, sure=0, sure_right=0, secret="ill", targets=None):
    """Guesses, the first ``sure`` of them with certainty; 60 of 100 people have the most common value."""
    beliefs = pd.DataFrame({"weight": 1.0, "belief": np.linspace(1, 0, attempts), "right": np.arange(attempts) < right})
    return SecretResult(
        "a guess",
        attempts,
        right,
        pd.DataFrame() if targets is None else targets,
        sure=sure,
        sure_right=sure_right,
        values=pd.Series({"flu": 0.6 * attempts, "cold": 0.4 * attempts}),
        beliefs=beliefs,
        secret=secret,
    )


def test_every_secret_is_named_and_the_one_with_the_most_sure_people_comes_first():
    each = {"ill": result(70, sure=2, sure_right=1), "paid": result(65, sure=20, sure_right=20, secret="paid")}
    outside = SecretResult.worst({"ill": result(62), "paid": result(60, secret="paid")})
    assert findings(SecretResult.worst(each)) == [
        "paid: the attacker would be sure about 20 of 100 people (20.0 %), and right about 20 of them. Guessing for "
        "everybody, the attacker is right in 65.0 % of cases, compared with 60.0 % without the release.",
        "ill: the attacker would be sure about 2 of 100 people (2.0 %), and right about 1 of them. Guessing for "
        "everybody, the attacker is right in 70.0 % of cases, compared with 60.0 % without the release.",
    ]
    first, second = findings(SecretResult.worst(each).against(outside))
    assert "the strongest beliefs about the same share of outsiders are right in 100.0 % of cases. Guessing" in first
    assert "65.0 % of cases, compared with 60.0 % for outsiders and 60.0 % without the release; excess 12.5 % " in first
    assert second.startswith("ill: ")


@given(*[st.integers(0, 50)] * 2, st.lists(st.booleans(), min_size=4, max_size=12))
def test_no_percentage_is_below_zero(right, other, claimed):
    half = len(claimed) // 2
    inside, outside = (
        MembershipResult("a guess", len(part), np.nan, pd.DataFrame(), scores=part.astype(float), claimed=part)
        for part in (np.array(claimed[:half]), np.array(claimed[half:]))
    )
    linked = LinkageResult("a search", 50, right / 2, pd.DataFrame(), linked=right, rows=50)
    results = [
        result(right, attempts=50).against(result(other, attempts=50)),
        inside.against(outside),
        linked.against(linked.replace(linked=other, right=0)),
    ]
    for one in results:
        assert not any("-" in text for text in [*findings(one), repr(one)])


def test_whom_the_attack_is_sure_about_come_first():
    targets = pd.DataFrame(
        {
            "known": list("abcd"),
            "candidates": [4, 9, 5, 4],
            "belief": [1, 0.9, 0.9, 0.9],
            "sure": [False, True, True, True],
            "score": [1, 0, 0, 0],
        }
    )
    assert most_exposed(result(1, targets=targets), 4)["known"].tolist() == ["d", "c", "b", "a"]
    linked = LinkageResult("a search", 3, 1.0, targets[["known", "score"]], linked=3, rows=3)
    assert most_exposed(linked, 2)["known"].tolist() == ["a"]


def test_the_counts_are_those_of_a_plain_loop():
    table = load("survey")
    alike = table.frame.groupby(table.quasi)["Hypertension"]
    sure = sum(len(group) for _, group in alike if group.nunique() == 1)
    assert sure > 0
    (text,) = findings(HomogeneityAttack().run(Release.of(table)))
    assert text.startswith(f"Hypertension: the attacker would be sure about {sure} of {len(table)} people (")
    assert f"and right about {sure} of them." in text
