"""What an attack found, in words: every secret by name, counts of people first, no percentage below 0."""

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from anonnb import Release, load
from anonnb.attacks import HomogeneityAttack
from anonnb.attacks.findings import by_secret, concern, counts_text, most_exposed, secret_text
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
    worst = SecretResult.worst(each)
    assert [(one.secret, secret_text(one)) for one in by_secret(worst)] == [
        (
            "paid",
            "the attacker would be sure about 20 of 100 people (20.0 %), and right about 20 of them. Guessing for "
            "everybody, the attacker is right in 65.0 % of cases, compared with 60.0 % without the release.",
        ),
        (
            "ill",
            "the attacker would be sure about 2 of 100 people (2.0 %), and right about 1 of them. Guessing for "
            "everybody, the attacker is right in 70.0 % of cases, compared with 60.0 % without the release.",
        ),
    ]
    first, second = by_secret(worst.against(outside))
    text = secret_text(first)
    assert "the strongest beliefs about the same share of outsiders are right in 100.0 % of cases. Guessing" in text
    assert "65.0 % of cases, compared with 60.0 % for outsiders and 60.0 % without the release; excess 12.5 % " in text
    assert second.secret == "ill"


def test_a_reader_looks_where_claims_or_guesses_are_above_guessing():
    said = {
        "": result(62, sure=5, sure_right=4),  # 4 of 5 may be chance
        "claims more often right than by guessing": result(55, sure=50, sure_right=45),
        "guesses more often right than by guessing": result(80),
    }
    assert {concern(one) for one in said.values()} == {*said}
    assert all(concern(one) == text for text, one in said.items())
    few = result(55, sure=3, sure_right=3)
    assert concern(few) == "claims more often right than by guessing"  # a class with one secret is certain
    assert concern(few.against(result(55))) == "", "the three strongest beliefs about outsiders are right, too"


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
        text_of = secret_text if isinstance(one, SecretResult) else counts_text
        assert not any("-" in text for text in [text_of(one), repr(one)])


def test_only_what_was_learned_is_a_case():
    targets = pd.DataFrame(
        {
            "known": list("abcde"),
            "candidates": [4, 9, 5, 4, 1],
            "belief": [1, 0.9, 0.9, 0.9, 1],
            "sure": [False, True, True, True, True],
            "score": [1, 1, 1, 1, 0],
        }
    )
    assert most_exposed(result(1, targets=targets), 4)["known"].tolist() == ["d", "c", "b"], "sure and right"
    inferred = targets[["known", "score"]].assign(inferred=["", "x", "", "y", "z"])
    assert most_exposed(result(1, targets=inferred), 4)["known"].tolist() == ["b", "d"]


def test_the_counts_are_those_of_a_plain_loop():
    table = load("survey")
    alike = table.frame.groupby(table.quasi)["Hypertension"]
    sure = sum(len(group) for _, group in alike if group.nunique() == 1)
    assert sure > 0
    text = secret_text(HomogeneityAttack().run(Release.of(table)))
    assert text.startswith(f"the attacker would be sure about {sure} of {len(table)} people (")
    assert f"and right about {sure} of them." in text
