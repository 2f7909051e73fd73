"""The attacks for the officer's page: one budget, a sentence for what does not finish, a sample of many people."""

import os
import signal
import sys
import time

import numpy as np
import pandas as pd
import pytest

import anonnb
from anonnb import Table
from anonnb.attacks import DeFinettiAttack
from anonnb.methods import Mondrian
from anonnb.publishing import attacking
from anonnb.publishing.attacking import AttackBudget, attack_release, sample_people

forks = pytest.mark.skipif(sys.platform != "linux", reason="a new process does not know what the test changed")


@pytest.fixture
def release():
    return Mondrian(k=9).anonymize(anonnb.load("survey"))


def sleep(*_):
    time.sleep(60)


def devour(*_):
    return [np.ones(10**8) for _ in range(100)]


def crash(*_):
    os.kill(os.getpid(), signal.SIGKILL)


@forks
@pytest.mark.slow
@pytest.mark.parametrize(
    ("behaviour", "sentence"),
    [
        (sleep, "DeFinettiAttack did not finish within the 4 s that all attacks have together."),
        (devour, "DeFinettiAttack did not finish, because it takes more memory than the 500 MB that attacks may add."),
        (crash, "DeFinettiAttack ended before it had a result, probably for lack of memory."),
    ],
    ids=["endless", "greedy", "broken"],
)
def test_an_attack_that_gets_nowhere_costs_a_sentence_and_no_other_attack(release, monkeypatch, behaviour, sentence):
    whole = attack_release(release, AttackBudget())
    monkeypatch.setattr(DeFinettiAttack, "_learnt", behaviour)
    start = time.monotonic()
    found = attack_release(release, AttackBudget(seconds=4, megabytes=500))
    assert time.monotonic() - start < 10
    assert found.unfinished == [sentence]
    assert [str(one) for one in found.results] == [str(one) for one in whole.results if one[0] != "DeFinettiAttack"]


@forks
@pytest.mark.slow
def test_one_secret_that_takes_long_costs_no_other_secret(monkeypatch):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"age": rng.integers(20, 60, 90), "ill": rng.choice(list("abc"), 90)})
    frame["pay"], frame["job"] = rng.integers(0, 9, 90), rng.choice(list("xyz"), 90)
    release = Mondrian(k=5).anonymize(Table(frame, quasi=["age"], sensitive=["ill", "pay", "job"]))
    learnt = DeFinettiAttack._learnt
    slow = {"ill", "job"}
    monkeypatch.setattr(
        DeFinettiAttack, "_learnt", lambda self, cases: (cases.secret in slow and sleep()) or learnt(self, cases)
    )
    found = attack_release(release, AttackBudget(seconds=4))
    text = "DeFinettiAttack on 'ill', 'job' did not finish within the 4 s that all attacks have together."
    assert found.unfinished[-1] == text
    about = [(name, one.secret) for name, one in found.results if name in ("DeFinettiAttack", "HomogeneityAttack")]
    others = [("HomogeneityAttack", name) for name in ("ill", "job", "pay")]
    assert sorted(about) == [("DeFinettiAttack", "pay"), *others]


def test_the_results_are_those_of_the_attacks_themselves(release):
    found = dict(attack_release(release, AttackBudget()).results)
    expected = DeFinettiAttack().run(release, release.table)
    assert found["DeFinettiAttack"].figures == expected.figures
    assert not len(found["DeFinettiAttack"].targets)  # nothing about single people leaves the process


def test_of_many_people_a_sample_is_attacked_with_all_of_their_rows(monkeypatch):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"id": np.repeat(np.arange(60), 3), "age": rng.integers(20, 60, 180)})
    frame["ill"] = rng.choice(list("abc"), 180)
    table = Table(frame, quasi=["age"], sensitive=["ill"], person="id")
    drawn = sample_people(table, 25)
    assert drawn.n_people == 25
    assert set(np.bincount(drawn.people)) == {3}
    monkeypatch.setattr(attacking, "MAX_PEOPLE", 25)
    found = attack_release(Mondrian(k=5).anonymize(table), AttackBudget())
    assert {one.attempts for name, one in found.results if name == "LinkageAttack"} == {25}
    assert found.unfinished[0].startswith("The attacks were tried on a random sample of 25 of 60 people")


def test_a_table_that_is_too_large_for_an_attack_and_no_attack_at_all(release, monkeypatch):
    monkeypatch.setattr(DeFinettiAttack, "rows_in_minutes", 60)
    found = attack_release(release, AttackBudget())
    assert found.unfinished == ["DeFinettiAttack was not tried: 66 rows are more than the 60 that it is meant for."]
    none = attack_release(release)
    assert (len(none.results), len(none.unfinished)) == (0, 1)


@pytest.mark.parametrize("text", ["", "soon", "0s", "-5s", "5 km", "1e3s", "s"])
def test_what_is_no_budget_is_refused(text):
    with pytest.raises(ValueError, match="is no budget; write a time, such as 60s"):
        AttackBudget.from_text(text)


def test_budgets():
    assert AttackBudget.from_text("1.5h, 500MB") == AttackBudget(5400, 500)
    assert AttackBudget.from_text("90") == AttackBudget(90, 1000)
