"""What every attack says when it is given something that it cannot read."""

import re

import pandas as pd
import pytest

import anonnb
from anonnb import Table, arena, attacks
from anonnb.methods import Mondrian, SafeItemsets, SafeTree

ON_ROWS = [name for name, cls in attacks.all().items() if cls.reads == "release"]
ON_MINED = [name for name, cls in attacks.all().items() if cls.reads == "mined"]


@pytest.fixture(scope="module")
def table():
    return anonnb.load("survey")


@pytest.mark.parametrize("name", ON_ROWS)
@pytest.mark.parametrize("method", [SafeItemsets(k=3), SafeTree(k=3)], ids=["itemsets", "tree"])
def test_attacks_on_rows_name_the_attacks_on_mined_results(name, method, table):
    with pytest.raises(TypeError, match=r"mined results .* have none; attack them with Inference.* or Reconstruction"):
        attacks.get(name)().run(method.anonymize(table), table)


@pytest.mark.parametrize("name", ON_ROWS)
def test_attacks_on_rows_refuse_what_is_no_release(name, table):
    with pytest.raises(TypeError, match=rf"{name} reads the rows of a release, not a Table; .* Release.of\(table\)"):
        attacks.get(name)().run(table)
    with pytest.raises(TypeError, match="not NoneType; give what a method's anonymize returns"):
        attacks.get(name)().run(None, table)


@pytest.mark.parametrize("name", ON_ROWS)
@pytest.mark.parametrize("lacking", ["zip", "town", "income", "ill"])
def test_attacks_name_the_column_that_people_lack(name, lacking):
    """Or do without it; the release keeps ``zip``, ``town`` and a decision, and ``ill`` is the secret."""
    rows = range(24)
    frame = pd.DataFrame({"zip": rows, "town": [row % 3 for row in rows], "income": [row % 2 for row in rows]})
    frame = frame.astype({"town": str, "income": str}).assign(ill=["flu", "cold", "asthma"] * 8)
    roles = {"quasi": ["zip", "town"], "sensitive": ["ill"], "decision": "income"}
    release = Mondrian(k=3).anonymize(Table(frame, **roles))
    left = {role: [name for name in names if name != lacking] for role, names in roles.items() if role != "decision"}
    people = Table(frame.drop(columns=lacking), decision=None if lacking == "income" else "income", **left)
    said = refusal(attacks.get(name)(), release, people)
    named = rf"the (people|table) ha(ve|s) no column '{lacking}', "
    assert re.search(
        f"^$|{named}|known=2 is more than the 1 attribute to know|the downcoding attack cannot begin", said
    )


def refusal(attack, release, people) -> str:
    try:
        attack.run(release, people)
    except (KeyError, ValueError) as error:
        return str(error)
    return ""


def test_the_arena_attacks_mined_results_as_they_are_and_says_why_others_cannot(table):
    frame = arena.compare(table, ["SafeItemsets", "SafeTree"], "all", k=3).query("method != 'original'")
    lines = frame[frame["kind"] == "attack"].set_index(["method", "name"])
    for method, mined in (("SafeItemsets", SafeItemsets(k=3)), ("SafeTree", SafeTree(k=3))):
        for name in ON_MINED:
            found = attacks.get(name)(k=3).run(mined.anonymize(table))
            assert lines.loc[(method, name), "value"] == found.success == 0  # that is what the methods promise
        assert lines.loc[method].loc[ON_ROWS, "reason"].str.contains("attack them with").all()
    assert set(frame["kind"]) == {"method", "attack"}  # no measures: they are about tables
