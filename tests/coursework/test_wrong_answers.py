"""Plausible wrong answers: each gets past what students see of a check, or not, and never past the hidden tests."""

import pandas as pd
import pytest

from anonnb.methods import Mondrian, Samarati
from tests.coursework.test_assignments import ALL, solved

WRONG = {
    1: {
        "check_classes": [{"classes": [{f"p{number}"} for number in range(1, 11)]}, {"classes": []}],
        "check_approximation": [
            {"lower": {"p1", "p5"}},
            {"upper": {"p1", "p2", "p3", "p4", "p5", "p7", "p8", "p9"}},
            {"boundary": {"p3", "p4"}},
        ],
        "check_quality": [
            {"quality": lambda frame, attributes, decision: 0.4 if attributes else 0.0},
            {"quality": lambda frame, attributes, decision: float("nan")},
        ],
        "check_reducts": [
            {"reducts": [{"debts", "savings"}]},
            {"reducts": [{"savings"}], "core": {"savings"}},
            {"core": set()},
        ],
        "check_rules": [
            {"rules": [({"savings": "many"}, "yes")]},
            {"rules": [({"savings": "some"}, "no")]},
        ],
    },
    2: {
        "check_by_hand": [
            {"by_hand": lambda names: names["clinic"]},
            {"by_hand": lambda names: names["clinic"].assign(age="*", zip="*", sex="*")},
            {"by_hand": lambda names: names["by_hand"].assign(age="[21-27]")},
            {"by_hand": lambda names: names["by_hand"].iloc[:6]},
        ],
        "check_smallest_class": [{"smallest_class": lambda frame, quasi: 1 if len(quasi) > 1 else 3}],
        "check_interval_loss": [{"interval_loss": lambda some, low, high: 0.25 * (some[0] == (20, 30))}],
        "check_by_code": [
            {"by_code": lambda names: Samarati(k=5).anonymize(names["table"]).frame},
            {"by_code": lambda names: Mondrian(k=4).anonymize(names["table"]).frame},
            {"by_code": lambda names: names["by_code"].set_axis(names["by_code"].index[::-1])},
        ],
        "check_diverse": [{"diverse": lambda names: names["by_code"]}],
    },
    3: {
        "check_linked": [
            {"linked": lambda names: names["linked"] | {"Gus": "diabetes"}},
            {"linked": lambda names: names["linked"] | {"Ann": "asthma"}},
            {"linked": {}},
        ],
        "check_possible": [{"possible": lambda person, release: {"asthma", "diabetes"}}],
        "check_exposed": [{"exposed": {}}, {"exposed": {"Ann": "flu"}}],
        "check_both": [{"both": {"Bob": "flu"}}, {"both": lambda names: names["linked"]}],
        "check_successes": [{"successes": {"linkage": 0.5, "homogeneity": 0.5, "intersection": 0.5}}],
        "check_repaired": [
            {"repaired": lambda names: names["first"].frame},
            {"repaired": lambda names: names["table"].frame.assign(age="*", sex="*", education="*")},
        ],
    },
    4: {
        "check_roles": [
            {"QUASI": ["sex", "education", "marital-status"]},
            {"SENSITIVE": "sex", "QUASI": ["age", "education", "marital-status"]},
            {"QUASI": ["id", "age", "sex"], "IDENTIFIERS": []},
            {"DATA": "../people.csv"},
            {"DATA": "none.csv"},
        ],
        "check_audit": [{"audit": {"k": 1, "unique": 0.1, "risk": 0.2}}],
    },
    5: {
        "check_test_parts": [
            {"test_parts": lambda n, parts, seed: [list(range(place, n, parts)) for place in range(parts)]},
        ],
        "check_shallow_success": [
            {"shallow_success": lambda people, rows, known, target: 2 / 3 if len(known) > 1 else 0.5},
        ],
        "check_ours": [{"ours": lambda names: names["ours"].assign(ours=names["printed"]["paper"].to_numpy())}],
        "check_beside": [{"beside": lambda names: names["beside"].assign(difference=0.0)}],
        "check_near": [{"near": 18}, {"furthest": (5, "M2")}],
    },
}
FUNCTIONS = {"quality", "smallest_class", "interval_loss", "possible", "test_parts", "shallow_success"}


@pytest.mark.slow
@pytest.mark.parametrize("number", WRONG)
def test_wrong_answers_are_refused(number, tmp_path, monkeypatch):
    names = solved(number, tmp_path, monkeypatch)
    checks = {cell.id: cell.source for cell in ALL[number - 1].checks}
    for check, attempts in WRONG[number].items():
        for attempt in attempts:
            answers = {
                name: value(names) if callable(value) and name not in FUNCTIONS else value
                for name, value in attempt.items()
            }
            with pytest.raises(AssertionError) as error:
                exec(checks[check], names | answers)
            assert str(error.value), f"{check} refuses {attempt} without a word"


@pytest.mark.slow
def test_wrong_files_are_refused(tmp_path, monkeypatch):
    names = solved(4, tmp_path, monkeypatch)
    checks = [cell for cell in ALL[3].checks if cell.id in ("check_published", "check_diversity", "check_usefulness")]
    good, table = pd.read_csv("published.csv", dtype=str), names["table"]
    columns = [*names["QUASI"], names["SENSITIVE"]]
    attempts = {
        "nothing is blurred": (table.frame[columns], "not 5-anonymous"),
        "one row many times": (pd.concat([good.iloc[:1]] * 500), "no original row of its own fits"),
        "few rows": (good.iloc[:400], "must be at least 0.95"),
        "an identifier": (good.assign(id="c1"), "publishes the identifier 'id'"),
        "another column": (good.assign(**{"native-country": "*"}), "must not be published"),
        "invented occupations": (good.assign(occupation="Sales"), "no original row of its own fits"),
        "a column less": (good.drop(columns="age"), "lacks the column 'age'"),
    }
    for what, (frame, message) in attempts.items():
        frame.to_csv("published.csv", index=False)
        with pytest.raises(AssertionError) as error:
            for check in checks:
                exec(check.source, dict(names))
        assert message in str(error.value), what
    (tmp_path / "published.csv").unlink()
    with pytest.raises(AssertionError, match=r"There is no published\.csv"):
        exec(checks[0].source, dict(names))


@pytest.mark.slow
def test_ones_own_table_may_be_published(tmp_path, monkeypatch):
    """A student who brings another table can meet the same checks."""
    names = solved(4, tmp_path, monkeypatch)
    own = names["load"]("gbsg2").frame.assign(grade=lambda frame: frame["pnodes"].clip(upper=6).astype(str))
    own[["age", "menostat", "tsize", "estrec", "grade"]].to_csv("own.csv", index=False)
    answers = {"DATA": "own.csv", "IDENTIFIERS": [], "QUASI": ["age", "menostat", "tsize"], "SENSITIVE": "grade"}
    names |= answers
    for cell in ALL[3].cells:
        if cell.role == "check" or (cell.role == "answer" and cell.id != "roles"):
            exec(cell.source, names)
