"""Our own methods hold the contract that we ask of everybody's."""

from dataclasses import replace

import pytest

from anonnb import methods
from anonnb.testing import check_method
from anonnb.testing.fresh import published_elsewhere
from anonnb.testing.subjects import MethodSubject


@pytest.fixture(scope="module")
def subjects():
    """The methods with their tables: what the contract ran is not run again for a comparison."""
    return {name: MethodSubject(cls(), seed=0) for name, cls in methods.all().items()}


@pytest.mark.slow
@pytest.mark.parametrize("name", methods.all())
def test_the_contract_holds(name, subjects, monkeypatch):
    monkeypatch.setattr("anonnb.testing.methods.MethodSubject", lambda method, seed: subjects[name])
    check_method(methods.get(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, cls in methods.all().items() if hasattr(cls(), "k")])
def test_the_contract_holds_at_k_3(name):
    check_method(replace(methods.get(name)(), k=3))


@pytest.mark.slow
def test_a_fresh_process_publishes_the_same_bytes(subjects):
    """As the thorough property does, with one process for all."""
    asked = [one for one in subjects.values() if "a fresh process" not in one.method.exempt]
    for subject, elsewhere in zip(asked, published_elsewhere([one.method for one in asked], seed=0), strict=True):
        here = [subject.run(case).written for case in [*subject.ordinary, *subject.nasty.values()]]
        assert elsewhere == here, subject.method


def test_exemptions_are_few_and_reasoned():
    private = {"PrivateMarginals"}  # its noise cannot be repeated, its rows are nobody's, its domains are declared
    exempt = [pair for cls in methods.all().values() for pair in cls.exempt.items()]
    usual = {name for key, cls in methods.all().items() if key not in private for name in cls.exempt}
    assert usual <= {"progress is called"}
    assert all(reason.endswith(".") for _, reason in exempt)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, cls in methods.all().items() if cls.order_matters])
def test_order_matters_where_it_is_said_to(name):
    """A method that is said to depend on the order, and does not, should say so: it could promise more."""
    cls = methods.get(name)
    settled = type(name, (cls,), {"order_matters": False, "__module__": cls.__module__})
    [asked] = [each for each in _contract() if each.name == "row order"]
    assert not asked.finding(MethodSubject(settled(), seed=0)).passed


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, cls in methods.all().items() if not cls.truthful])
def test_untrue_cells_where_it_is_said_to_publish_them(name):
    cls = methods.get(name)
    settled = type(name, (cls,), {"truthful": True, "__module__": cls.__module__})
    [asked] = [each for each in _contract() if each.name == "truth"]
    assert not asked.finding(MethodSubject(settled(), seed=0)).passed


def _contract():
    from anonnb.testing.methods import CONTRACT

    return CONTRACT.properties
