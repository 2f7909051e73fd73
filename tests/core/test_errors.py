"""Messages carry their remedies, through exceptions, warnings and pickles, and everybody phrases them."""

import pickle
import warnings

import pandas as pd
import pytest

from anonnb import Infeasible, Table, attacks, load, methods
from anonnb.core import remedies
from anonnb.core.errors import Message, advice, in_python, message_of, prefixed, said

NAMED = Message(
    "no {sensitive} column",  # braces of a name are no place for anything
    advice("; name one: ", remedies.role("sensitive"), remedies.parameter("column", role="sensitive")),
    advice("; or use ", remedies.method("Forest", k=3), tail=" instead", otherwise="; or stop"),
)


def test_a_message_is_a_text_with_data():
    assert NAMED == (
        "no {sensitive} column; name one: table.with_roles(sensitive=[…]) or column=…; or use Forest(k=3) instead"
    )
    assert NAMED.problem == "no {sensitive} column"
    assert [remedy.kind for remedy in NAMED.remedies] == ["role", "parameter", "method"]
    assert NAMED.said(in_python) == NAMED


def test_what_nobody_can_do_is_left_out_and_equal_words_are_said_once():
    assert NAMED.said(lambda remedy: None) == "no {sensitive} column; or stop"
    assert NAMED.said(lambda remedy: "this") == "no {sensitive} column; name one: this; or use this instead"
    three = Message("x", advice(": ", *map(remedies.method, "abc")))
    assert three == "x: a, b or c"


@pytest.mark.parametrize("kind", [ValueError, TypeError, KeyError, Infeasible, UserWarning])
def test_exceptions_keep_it_and_so_does_a_pickle(kind):
    error = pickle.loads(pickle.dumps(kind(NAMED)))
    assert type(error) is kind
    assert message_of(error).remedies == NAMED.remedies
    assert said(error, lambda remedy: None) == "no {sensitive} column; or stop"
    if kind is not KeyError:
        assert str(error) == NAMED


def test_plain_errors_are_said_as_they_are():
    assert said(KeyError("there is no column 'zip'"), in_python) == "there is no column 'zip'"
    assert said(ValueError("with_roles(decision=…)"), lambda remedy: None) == "with_roles(decision=…)"
    assert prefixed("t.csv: ", "odd") == "t.csv: odd"
    assert prefixed("t.csv: ", NAMED).remedies == NAMED.remedies


def test_values_that_would_do():
    with pytest.raises(Infeasible) as caught:
        methods.get("Mondrian")(k=67).anonymize(load("survey"))
    assert str(caught.value) == "k = 67 needs at least 67 rows; the table has 66"
    assert [(remedy.name, remedy.value) for remedy in caught.value.remedies] == [("k", 66)]
    assert said(caught.value, lambda remedy: f"--{remedy.name} {remedy.value}").endswith("has 66; --k 66 would do")
    assert pickle.loads(pickle.dumps(caught.value)).remedies == caught.value.remedies


def test_warnings_keep_it():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        Table(pd.DataFrame({"birth date": [1, 2, 3]})).attributes["birth date"].levels  # noqa: B018
    (message,) = [message_of(warning.message) for warning in caught]
    assert [(remedy.kind, remedy.name) for remedy in message.remedies] == [("hierarchy", "birth date")]


@pytest.mark.parametrize("name", [name for name, cls in methods.all().items() if cls.needs_decision])
def test_methods_that_need_a_decision_say_which_role(name):
    with pytest.raises(ValueError, match="decision") as caught:
        methods.get(name)(k=2).anonymize(load("survey").with_roles(decision=None))
    assert ("role", "decision") in [(remedy.kind, remedy.name) for remedy in message_of(caught.value).remedies]


def test_remedies_name_methods_and_parameters_that_exist():
    with pytest.raises(ValueError, match="use Forest") as caught:
        methods.get("Factor")(k=7)
    (remedy,) = message_of(caught.value).remedies
    assert remedy.name in methods.all()
    with pytest.raises(ValueError, match="nothing is left to infer") as caught:
        attacks.get("ShallowAttack")(known=["Sex"], targets=["Sex"]).run(
            methods.get("Mondrian")(k=5).anonymize(load("survey"))
        )
    (remedy,) = message_of(caught.value).remedies
    assert remedy.name in attacks.get("ShallowAttack").constraints()
