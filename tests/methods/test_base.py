"""What every method promises: checked parameters, a checked table, a checked release."""

from dataclasses import FrozenInstanceError, dataclass

import numpy as np
import pandas as pd
import pytest

from anonnb import Infeasible, Release, Table, methods
from anonnb.attacks.base import Attack
from anonnb.methods.base import GroupMethod, KMethod, Method
from anonnb.privacy import KAnonymity, LDiversity, Model
from anonnb.tables.value_sets import Column


@dataclass(frozen=True)
class Nothing(KMethod):
    """Publishes the table as it is."""

    def _anonymize(self, table, progress):
        return Release.of(table)


@dataclass(frozen=True)
class OneGroup(GroupMethod):
    """Hides every quasi-identifier."""

    def _anonymize(self, table, progress):
        for _ in progress(range(2), desc="hiding"):
            columns = {name: Column.suppressed(table.attributes[name], len(table)) for name in table.quasi}
        return Release(table, columns, np.arange(len(table)), method=self)


@dataclass(frozen=True)
class Never(Model):
    """A requirement that no group meets."""

    def checker(self, table):
        return lambda groups, n_groups, rows: np.zeros(n_groups, dtype=bool)


@pytest.fixture
def table() -> Table:
    return Table(pd.DataFrame({"age": [1, 1, 2], "ill": list("abc")}), quasi=["age"], sensitive=["ill"])


@pytest.mark.parametrize("k", [True, 2.5, "2", None])
def test_k_is_a_whole_number(k):
    with pytest.raises(TypeError, match="k must be a whole number"):
        Nothing(k=k)


def test_k_is_at_least_one():
    with pytest.raises(ValueError, match="k must be at least 1, not 0"):
        Nothing(k=0)


@pytest.mark.parametrize(
    ("cls", "options"),
    [
        (methods.ChaseProtection, {"threshold": 0}),
        (methods.ChaseProtection, {"secret": []}),
        (methods.FullDomain, {"time_limit": 0}),
        (methods.SafeItemsets, {"min_support": 0}),
        (methods.SafeItemsets, {"min_count": 0}),
        (methods.TreePreserving, {"l": 0.5}),
        (methods.UM3AR, {"max_length": 1}),
        (methods.UM3AR, {"max_length": True}),
    ],
)
def test_values_at_the_edge_are_refused_by_name(cls, options):
    """What is plainly wrong the contract tries on every method."""
    with pytest.raises((TypeError, ValueError), match=next(iter(options))):
        cls(**options)


def test_methods_are_frozen_and_read_as_they_are_written():
    assert str(Nothing(k=3)) == "Nothing(k=3)"
    assert Nothing(k=3) == Nothing(k=3)
    assert eval(str(OneGroup(k=3, require=[KAnonymity(4)]))).require == (KAnonymity(4),)
    with pytest.raises(FrozenInstanceError):
        Nothing(k=3).k = 4


def test_the_table_is_checked_before_the_work(table):
    with pytest.raises(TypeError, match=r"needs an anonnb\.Table, not DataFrame"):
        Nothing().anonymize(table.frame)
    with pytest.raises(Infeasible, match="no rows"):
        Nothing().anonymize(table[:0])
    with pytest.raises(ValueError, match="no quasi-identifier"):
        Nothing().anonymize(table.with_roles(quasi=[]))
    with pytest.raises(Infeasible, match="k = 4 needs at least 4 rows; the table has 3") as error:
        OneGroup(k=4).anonymize(table)
    assert error.value.best == 3


def test_a_release_that_misses_k_is_never_handed_out(table):
    assert Nothing(k=1).anonymize(table).n_groups == 2
    with pytest.raises(Infeasible, match=r"Nothing\(k=2\) reached only k = 1|Nothing\(\) reached only k = 1") as error:
        Nothing(k=2).anonymize(table)
    assert error.value.best == 1


def test_further_requirements_are_checked_too(table):
    assert OneGroup(k=3, require=KAnonymity(3)).anonymize(table).n_groups == 1
    with pytest.raises(Infeasible, match=r"the whole table as one group misses Never"):
        OneGroup(k=2, require=[Never()]).anonymize(table)
    with pytest.raises(TypeError, match="require holds 'l=3', which is no privacy model"):
        OneGroup(k=2, require=["l=3"])


def test_progress_is_any_callable_like_tqdm(table):
    seen = []

    def progress(iterable, **options):
        seen.append(options)
        return iterable

    OneGroup(k=2).anonymize(table, progress=progress)
    assert seen == [{"desc": "hiding"}]


def test_the_bases_do_nothing_by_themselves(table):
    with pytest.raises(NotImplementedError):
        Method().anonymize(table)
    with pytest.raises(NotImplementedError):
        Attack().run(Release.of(table))


ILL = pd.DataFrame({"age": [0, 0, 0, 1, 1, 1], "ill": ["flu"] * 5 + ["cold"], "pay": list("llhhlh")})


@pytest.mark.parametrize("method", [kind for kind in methods.all().values() if issubclass(kind, GroupMethod)])
def test_what_cannot_be_met_is_named(method):
    """Two illnesses are never three: the error says so, in one sentence, by the name of the model."""
    table = Table(ILL, quasi=["age"], sensitive=["ill"], decision="pay")
    with pytest.raises(Infeasible, match=r"LDiversity\(l=3\)") as error:
        method(k=2, require=LDiversity(3)).anonymize(table)
    assert "None" not in str(error.value)
