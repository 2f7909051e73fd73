"""Checks: each passes what is right, and names what is wrong and where."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest

from anonnb import Hierarchy, Table, load
from anonnb.coursework import checks
from anonnb.coursework.checks import Wrong
from anonnb.methods import Mondrian

FRAME = pd.DataFrame(
    {"age": [21, 24, 35, 39], "zip": ["4701", "4702", "4801", "4802"], "ill": ["flu", "cold", "flu", "flu"]},
    index=["p1", "p2", "p3", "p4"],
)
TABLE = Table(FRAME, quasi=["age", "zip"], sensitive=["ill"], hierarchies={"zip": Hierarchy.mask(4)})
GOOD = FRAME.assign(age=["[21-24]"] * 2 + ["[35-39]"] * 2, zip=["470*"] * 2 + ["480*"] * 2)


def wrong(check, *arguments, **options):
    with pytest.raises(Wrong) as error:
        check(*arguments, **options)
    return str(error.value)


def test_a_notebook_shows_the_sentence_and_no_traceback():
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output

    code = "from anonnb.coursework import checks\nchecks.at_least('k', 2, 3, hint='more')"
    with capture_output() as shown:
        result = InteractiveShell().run_cell(code)
    assert isinstance(result.error_in_exec, AssertionError)
    assert shown.stdout == "Not yet. k is 2, but must be at least 3. Hint: more\n"


def test_nan_never_passes():
    for check in (checks.at_least, checks.at_most):
        assert wrong(check, "x", float("nan"), 0).startswith("x is nan")
    assert wrong(checks.equal, "x", float("nan"), 0.5)


def test_a_true_release_is_read():
    release = checks.generalized("mine", GOOD, TABLE)
    checks.k_anonymous("mine", release, 2)
    checks.loses_at_most("mine", release, TABLE, 0.4)
    shuffled = checks.generalized("mine", GOOD.iloc[[2, 0, 3, 1]], TABLE)
    assert shuffled.rows.tolist() == [2, 0, 3, 1]


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ("a text", "mine must be a DataFrame, not a str. Hint: hand in release.frame."),
        (GOOD.drop(columns="zip"), "mine lacks the column 'zip'."),
        (GOOD.iloc[:3], "mine must have one row for each of the 4 rows of the table, with the same index."),
        (GOOD.iloc[[0, 0, 1, 2]], "mine: the index has 'p1' twice."),
        (
            GOOD.assign(zip=["480*"] * 4),
            "mine: in row 'p1' the cell '480*' of column 'zip' does not hold the original value.",
        ),
        (
            GOOD.assign(ill=["flu", "cold", "cold", "flu"]),
            "mine: in row 'p3' the sensitive column 'ill' was changed; publish it as it is.",
        ),
    ],
    ids=["type", "column", "rows", "twice", "untrue", "sensitive"],
)
def test_false_releases_are_told(frame, message):
    assert wrong(checks.generalized, "mine", frame, TABLE).removesuffix(".") == message.removesuffix(".")


def test_requirements_on_a_release():
    release = checks.generalized("mine", GOOD, TABLE)
    told = wrong(checks.k_anonymous, "mine", release, 3)
    assert told == "mine is not 3-anonymous: the class with age = [21-24], zip = 470* has 2 row(s)."
    assert wrong(checks.diverse, "mine", release, 2) == (
        "mine is not 2-diverse: some class has 1 distinct sensitive value(s)."
    )
    assert wrong(checks.loses_at_most, "mine", release, TABLE, 0.1).startswith(
        "the NCP of mine is 0.2639,"
    )  # (7/36 + 1/3) / 2
    everything = FRAME.assign(age="*", zip="*")
    assert wrong(checks.k_anonymous, "mine", checks.generalized("mine", everything, TABLE), 5)


def published(table, k=3):
    return Mondrian(k=k).anonymize(table).published()


def test_a_published_file_could_come_from_its_table():
    table = load("adult").take(range(0, 3000, 30)).select(["age", "sex", "occupation"])
    table = table.with_roles(quasi=["age", "sex"], sensitive=["occupation"])
    frame = published(table).astype(str)
    assert len(checks.could_come_from("it", frame, table)) == 100
    assert "is 0.9, but must be at least 0.95" in wrong(checks.could_come_from, "it", frame.iloc[:90], table)
    doubled = pd.concat([frame, frame.iloc[:1]])
    assert wrong(checks.could_come_from, "it", doubled, table) == "it has 101 rows, but the table only 100."
    invented = frame.assign(occupation=frame["occupation"].iloc[0])
    assert "no original row of its own fits" in wrong(checks.could_come_from, "it", invented, table)


def test_identifiers_must_not_be_published():
    table = Table(FRAME.reset_index(names="name"), identifier=["name"], quasi=["age"], sensitive=["ill"])
    frame = table.frame[["name", "age", "ill"]]
    assert wrong(checks.could_come_from, "it", frame, table) == "it publishes the identifier 'name'."


SIX = load("decision6")
RULES = [
    ({"sex": "male", "occupation": "salesman"}, "high"),
    ({"sex": "female", "occupation": "salesman"}, "low"),
    ({"sex": "female", "occupation": "engineer"}, "medium"),
    ({"sex": "male", "occupation": "engineer"}, "low"),
]


def test_rules_that_are_certain_and_complete():
    matched = checks.certain_rules("rules", RULES, SIX)
    assert [int(rows.sum()) for rows, _ in matched] == [3, 1, 1, 1]
    checks.complete_rules("rules", RULES, SIX)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ([], "rules must be a list of rules"),
        ([("sex", "high")], "rule 1 is not a pair"),
        ([({"age": 3}, "high")], "rule 1 asks for 'age'"),
        ([({"sex": "male"}, "great")], "rule 1 concludes 'great'"),
        ([*RULES, ({"sex": "other"}, "low")], "rule 5 matches nobody"),
        ([({"sex": "male"}, "high")], "rule 1 says 'high', but it matches 'o5', whose evaluation is 'low'"),
        (RULES[:3], "no rule matches 'o5'"),
        ([*RULES[:3], (RULES[3][0] | {"domicile": "Osaka"}, "low")], "in rule 4 the condition on 'sex' can go"),
    ],
)
def test_bad_rules_are_told(rules, message):
    assert message in wrong(checks.complete_rules, "rules", rules, SIX)


@pytest.mark.slow
def test_the_matching_is_the_largest():
    """Against brute force over all assignments of published to original rows."""
    rng, outcomes = np.random.default_rng(1), []
    for _ in range(30):
        people = pd.DataFrame({"a": rng.integers(0, 4, 4), "b": list("mnmn"), "s": rng.choice(["x", "y"], 4)})
        low = people["a"] - rng.integers(-1, 2, 4)
        rows = people.assign(low=low, high=low + rng.integers(1, 3, 4)).sample(frac=1, random_state=1)
        orders = permutations(people.to_dict("records"))
        possible = any(all(map(fits, rows.to_dict("records"), order)) for order in orders)
        frame = rows.assign(a=[f"[{one}-{two}]" for one, two in zip(rows["low"], rows["high"], strict=True)])
        table = Table(people, quasi=["a", "b"], sensitive=["s"])
        try:
            checks.could_come_from("it", frame[["a", "b", "s"]], table)
            outcomes.append((possible, True))
        except Wrong:
            outcomes.append((possible, False))
    assert set(outcomes) == {(True, True), (False, False)}


def fits(row, person):
    return row["low"] <= person["a"] <= row["high"] and (row["b"], row["s"]) == (person["b"], person["s"])
