"""check_method lets a correct method pass, and tells of every broken one which property it breaks."""

import pickle

import pytest

from anonnb import privacy
from anonnb.methods import Mondrian
from anonnb.testing import BrokenContract, check_method
from anonnb.testing.cases import NASTY, blocks
from anonnb.testing.method_promises import requirements
from anonnb.testing.methods import CONTRACT
from anonnb.testing.subjects import MethodSubject, run
from tests.testing.broken import BROKEN_METHODS, Hiding, NoBest, NoCard

KNOWN = {each.name for each in CONTRACT.properties}
THOROUGH = {each.name for each in CONTRACT.properties if each.thorough}


def failed(report) -> set[str]:
    """The properties that failed; where more than three nasty tables did, they count as one."""
    names = set(report[~report["passed"]]["property"])
    nasty = {name for name in names if name.startswith("promise kept: ")}
    return (names - nasty) | ({"promise kept on nasty tables"} if len(nasty) > 3 else nasty)


@pytest.mark.slow
def test_a_correct_method_passes():
    report = check_method(Hiding(k=3))
    assert report.columns.tolist() == ["property", "passed", "sentence"]
    assert report["passed"].all()
    assert report["sentence"].str.endswith(".").all()
    assert len(set(report["property"]) - {f"promise kept: {name}" for name in NASTY}) >= 25


def test_there_are_twenty_broken_methods():
    assert len(BROKEN_METHODS) >= 20


# What breaks much is always held to the whole contract: Counting, say, is right again after a few runs.
TOLD_APART = {cls: names & KNOWN if len(names) <= 5 else set() for cls, names in BROKEN_METHODS.items()}


@pytest.mark.slow
@pytest.mark.parametrize("cls", [cls for cls, names in TOLD_APART.items() if names], ids=lambda cls: cls.__name__)
def test_a_broken_method_fails_what_it_breaks(cls):
    subject = MethodSubject(cls(), seed=0)
    asked = [each for each in CONTRACT.properties if each.name in TOLD_APART[cls]]
    assert not [each.name for each in asked if each.finding(subject).passed]


@pytest.mark.slow
@pytest.mark.parametrize(
    "cls",
    [
        pytest.param(cls, id=cls.__name__, marks=() if place % 4 == 0 or not TOLD_APART[cls] else pytest.mark.thorough)
        for place, cls in enumerate(BROKEN_METHODS)
    ],
)
def test_a_broken_method_fails_what_it_breaks_and_nothing_else(cls):
    expected = BROKEN_METHODS[cls]
    report = check_method(cls, thorough=bool(expected & THOROUGH), report=True)
    assert failed(report) == expected, report[~report["passed"]].to_string()


@pytest.mark.slow
def test_what_is_broken_is_raised_in_sentences():
    with pytest.raises(
        BrokenContract, match=r"(?s)^NoBest\(k=3\) breaks 1 property of its contract:\n  k above the rows: Inf"
    ) as error:
        check_method(NoBest(k=3))
    assert error.value.failed == ("k above the rows",)
    assert isinstance(error.value, AssertionError)
    assert set(error.value.report["property"]) > {"truth", "card"}


@pytest.mark.slow
def test_an_exemption_is_told_with_its_reason():
    class Excused(NoCard):
        exempt = {"card": "nobody reads it"}  # noqa: RUF012

    line = check_method(Excused(), report=True).set_index("property").loc["card"]
    assert line.passed
    assert line.sentence == "not asked: nobody reads it"


@pytest.mark.slow
def test_k_alone_misses_every_model_that_is_asked_for():
    case = blocks(3)
    text = run(Mondrian(k=3), case).text
    asked = list(requirements(case, 3, truthful=True))
    assert [model for model, meets in asked if meets(text)] == []
    public = [getattr(privacy, name) for name in privacy.__all__]
    models = {cls for cls in public if isinstance(cls, type) and issubclass(cls, privacy.Model)}
    expected = {cls for cls in models if "Model" not in cls.__name__}
    left_out = {privacy.PopulationUniqueness, privacy.PopulationCount}  # k = 2 meets the one, the other needs weights
    assert {type(model) for model, _ in asked} == expected - left_out


def test_only_methods_are_checked():
    with pytest.raises(TypeError, match=r"needs an anonnb\.methods\.base\.Method, not int"):
        check_method(3)


def test_other_seeds_give_other_tables():
    from anonnb.testing.cases import ordinary

    frames = [ordinary(seed).table.frame for seed in (0, 1, 0)]
    assert frames[0].equals(frames[2])
    assert not frames[0].equals(frames[1])
    assert pickle.loads(pickle.dumps(ordinary(0))).table.frame.equals(frames[0])
