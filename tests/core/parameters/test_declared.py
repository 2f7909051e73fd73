"""Every parameter of every method, attack and privacy model is declared, and refuses what it does not allow."""

from dataclasses import MISSING, dataclass, fields

import numpy as np
import pandas as pd
import pytest

from anonnb import Table, attacks, methods
from anonnb.core.parameters.constraints import Constraint, Whole
from anonnb.core.parameters.declared import Parameters, parameter
from anonnb.privacy.written import all_models

PEOPLE = Table(pd.DataFrame({"zip": [1, 1, 2]}), quasi=["zip"])
NEEDED = {"l": 2, "k": 2, "t": 0.2, "alpha": 0.5, "delta": 1.0, "beta": 1.0, "low": 0.1, "high": 0.5} | {
    "limit": 0.2,
    "fraction": 0.1,
    "count": 10,
}
CLASSES = methods.all() | attacks.all() | all_models()
DECLARED = [(cls, name) for cls in CLASSES.values() for name in cls.constraints()]
ODD = [
    *(None, True, 1, 0, -1, 1.5, 0.5, -0.5, float("nan"), float("inf"), np.int64(-3), np.float32(-2.5), 10**30),
    *("", "nonsense", "None", b"bytes", object(), int, [], [[]], [None], {"a": "b"}, {1.5}, 1j, np.array([[1, 2]])),
    *(pd.DataFrame({"a": range(200)}), Ellipsis, lambda: None),
]


def needed(cls):
    """Values for the parameters that have no default."""
    required = [f.name for f in fields(cls) if f.init and f.default is MISSING and f.default_factory is MISSING]
    return {name: PEOPLE if name == "population" else NEEDED[name] for name in required}


@pytest.mark.parametrize(("cls", "name"), DECLARED, ids=lambda part: getattr(part, "__name__", part))
def test_every_parameter_is_declared_and_its_default_is_allowed(cls, name):
    constraint = cls.constraints()[name]
    assert type(constraint) is not Constraint, f"{cls.__name__}.{name} declares nothing"
    assert constraint.words
    made = cls(**needed(cls))
    assert constraint.accepts(getattr(made, name))


@pytest.mark.parametrize(("cls", "name"), DECLARED, ids=lambda part: getattr(part, "__name__", part))
def test_what_is_not_allowed_is_refused_in_one_sentence_with_name_and_value(cls, name):
    refused = 0
    for value in ODD:
        if cls.constraints()[name].accepts(value):
            continue
        refused += 1
        with pytest.raises((ValueError, TypeError)) as caught:
            cls(**needed(cls) | {name: value})
        text = str(caught.value)
        assert text.startswith(name), text
        assert "\n" not in text
        plain = value.item() if isinstance(value, np.integer) else value
        known = [repr(plain), f"a {type(value).__name__}"]
        known += [repr(item) for item in value] if isinstance(value, list | set | np.ndarray | pd.DataFrame) else []
        known += map(repr, value.values()) if isinstance(value, dict) else []
        assert any(word in text for word in known), text
    assert refused >= 5


@pytest.mark.parametrize("cls", CLASSES.values(), ids=lambda cls: cls.__name__)
def test_what_was_made_can_be_made_again_from_its_own_values(cls):
    made = cls(**needed(cls))
    values = {name: getattr(made, name) for name in cls.constraints()}
    assert cls(**values) == made
    assert set(cls.defaults()) == set(values)


def test_several_parameters_are_related_after_each_is_right():
    @dataclass(frozen=True)
    class Range(Parameters):
        low: int = parameter(Whole(), default=0)
        high: int = parameter(Whole(), default=9)
        note: str = "plain"

        def _check_parameters(self):
            if self.low > self.high:
                raise ValueError("low must not exceed high")

    assert str(Range(np.int64(3))) == "Range(low=3)"
    assert Range.defaults() == {"low": "0", "high": "9", "note": "'plain'"}
    with pytest.raises(ValueError, match="low must not exceed high"):
        Range(10)
    with pytest.raises(TypeError, match="high must be a whole number, not 'x'"):
        Range(10, "x")
    assert Range(note=object).note is object, "what declares nothing may be anything"
