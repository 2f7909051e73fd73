"""What every attack says when it is given something that it cannot read."""

import pytest

import anonnb
from anonnb import arena, attacks
from anonnb.methods import SafeItemsets, SafeTree

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


def test_the_arena_attacks_mined_results_as_they_are_and_says_why_others_cannot(table):
    frame = arena.compare(table, ["SafeItemsets", "SafeTree"], "all", k=3).query("method != 'original'")
    lines = frame[frame["kind"] == "attack"].set_index(["method", "name"])
    for method, mined in (("SafeItemsets", SafeItemsets(k=3)), ("SafeTree", SafeTree(k=3))):
        for name in ON_MINED:
            found = attacks.get(name)(k=3).run(mined.anonymize(table))
            assert lines.loc[(method, name), "value"] == found.success == 0  # that is what the methods promise
        assert lines.loc[method].loc[ON_ROWS, "reason"].str.contains("attack them with").all()
    assert set(frame["kind"]) == {"method", "attack"}  # no measures: they are about tables


def test_strong_variants_differ_from_the_attack_itself():
    variants = [(cls, options) for cls in attacks.all().values() for options in cls.strong]
    assert variants
    assert all(cls(**options) != cls() for cls, options in variants)
