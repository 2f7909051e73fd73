"""Nothing ignores survey weights and households in silence: methods, attacks and measures use them or say so."""

import warnings

import numpy as np
import pandas as pd
import pytest

from anonnb import Release, Table, attacks, methods, privacy, utility
from anonnb.methods import Mondrian
from anonnb.privacy import LDiversity, PopulationCount


@pytest.fixture(scope="module")
def table():
    draw, home = np.random.default_rng(5), np.arange(60) // 2
    frame = pd.DataFrame({"age": draw.integers(1, 5, 60), "sex": draw.choice(["f", "m"], 60)})
    frame = frame.assign(
        ill=draw.choice(["a", "b"], 60), pay=draw.choice(["low", "high"], 60), hid=home, w=2.0 + home % 3
    )
    roles = {"quasi": ["age", "sex"], "sensitive": "ill", "decision": "pay", "household": "hid", "weight": "w"}
    return Table(frame, **roles, domains={"age": [1, 2, 3, 4, 5]})


def quietly(work):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return work()


@pytest.mark.slow
@pytest.mark.parametrize("name", methods.all())
def test_a_method_says_what_it_does_with_them_or_refuses(name, table):
    cls = methods.get(name)
    method = cls(**({"k": 2} if "k" in cls.constraints() else {}))
    for each in (table, table.with_roles(unit="household")):
        try:
            release = quietly(lambda each=each: method.anonymize(each))
        except ValueError:
            continue
        said = release.info["survey"]
        assert "survey weights (w)" in said
        assert "(hid)" in said
        if isinstance(release, Release):
            assert release.told()[-1] == said
            shown = {"hid"} if release.household_numbers is not None else set()
            assert {"hid", "w"} & set(release.published().columns) == shown
        else:
            with pytest.warns(UserWarning, match="survey weights .w. play no role"):
                method.anonymize(each)


@pytest.mark.slow
@pytest.mark.parametrize("name", attacks.all())
def test_an_attack_says_what_it_does_with_them_or_refuses(name, table):
    attack = attacks.get(name)()
    miner = "SafeTree" if "Tree" in name else "SafeItemsets"
    target = methods.get(miner)() if attack.reads == "mined" else Mondrian(k=3)
    try:
        result = quietly(lambda: attack.run(target.anonymize(table), table))
    except (ValueError, TypeError):
        return
    assert "survey weights (w) play no role" in result.info["survey"]
    assert "(hid) plays no role" in result.info["survey"]


def test_measures_say_what_they_do_with_weights(table):
    release = Mondrian(k=3).anonymize(table)
    plain = table.with_roles(weight=None, household=None)
    for frame, before in [
        (privacy.report(release), privacy.report(Mondrian(k=3).anonymize(plain))),
        (utility.report(table, release), utility.report(plain, Mondrian(k=3).anonymize(plain))),
        (utility.analysis(table, release), None),
    ]:
        said = frame["meaning"].str.contains("weight") | frame["measure"].str.contains("weight|unique rows|households")
        assert said.all(), frame[~said]
        assert before is None or not before["meaning"].str.contains("weight").any()


def test_models_that_weigh_are_named(table):
    release = Mondrian(k=2, require=[LDiversity(1.2, "entropy"), PopulationCount(6)]).anonymize(table)
    assert (
        "survey weights (w) count in LDiversity(l=1.2, kind='entropy') and PopulationCount(count=6) only"
        in release.told()[-1]
    )
    assert "k counts households (hid)" in Mondrian(k=2).anonymize(table.with_roles(unit="household")).told()[-1]
