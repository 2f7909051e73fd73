"""What must hold for anything with parameters, method or attack: frozen, equal, shown, pickled, checked."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Iterator
from dataclasses import MISSING, Field, FrozenInstanceError, fields, is_dataclass, replace
from typing import Any

from anonnb.core.card import Card
from anonnb.testing.contract import Check, Property, badly_said, told

# values that no parameter with a default of that type can mean
WRONG = {int: ("two", 2.5, -7), float: ("much", float("nan"), -7.0), str: ("no such choice", 3), bool: ("yes", 7)}


def parameters(made: Any) -> dict[str, Any]:
    """Return the parameters of a dataclass by name."""
    return {each.name: getattr(made, each.name) for each in fields(made)} if is_dataclass(made) else {}


def changeable(made: Any) -> Iterator[str]:
    """Find parameters that can be set after the object was made."""
    if not is_dataclass(made):
        yield f"{type(made).__name__} is no dataclass; decorate it with @dataclass(frozen=True)"
    for name, value in parameters(made).items():
        try:
            setattr(made, name, value)
        except FrozenInstanceError:
            continue
        yield f"{name} can be set after the object was made; use @dataclass(frozen=True)"


def unequal(made: Any) -> Iterator[str]:
    """Say whether a copy with the same parameters differs."""
    if replace(made) != made:
        yield "a copy with the same parameters is not equal to it"


def badly_shown(made: Any) -> Iterator[str]:
    """Find texts that do not begin with the class, or are more than a line."""
    name = type(made).__name__
    for text in (str(made), repr(made)):
        if not text.startswith(f"{name}(") or "\n" in text:
            yield f"it shows itself as {text[:80]!r}, not as {name}(…)"


def badly_pickled(made: Any) -> Iterator[str]:
    """Say whether it cannot be sent to another process, or arrives as something else."""
    try:
        back = pickle.loads(pickle.dumps(made))
    except Exception as error:
        yield f"it cannot be pickled ({told(error)}), so it cannot travel to another process"
        return
    if back != made:
        yield f"after pickling it is {back}, not {made}"


def accepted(made: Any) -> Iterator[str]:
    """Find wrong values of parameters that are accepted, or refused without naming the parameter."""
    for each in fields(made):
        kind = type(each.default)
        if each.default is not MISSING and kind in WRONG and each.name != "seed":
            for wrong in WRONG[kind]:
                if not (isinstance(wrong, str) and _takes_names(each)):
                    yield from not_refused(made, each.name, wrong)


def _takes_names(declared: Field) -> bool:
    """Say whether a parameter holds names of columns or values, where any text will do until a table is seen."""
    return any(word in str(declared.type) for word in ("Sequence", "Iterable", "tuple", "list"))


def not_refused(made: Any, name: str, wrong: object) -> Iterator[str]:
    """Return what is wrong when a parameter is set to a wrong value."""
    try:
        replace(made, **{name: wrong})
    except (TypeError, ValueError) as error:
        bad = badly_said(error, [name])
        if bad or name not in str(error):
            yield f"the error about {name}={wrong!r} {bad or f'does not name {name}: {str(error)!r}'}"
    except Exception as error:
        yield f"{name}={wrong!r} raises {told(error)}; raise a ValueError that names {name}"
    else:
        yield f"{name}={wrong!r} is accepted when the object is made"


def no_card(made: Any) -> Iterator[str]:
    """Say whether the class lacks a guarantee card that says something."""
    name, card = type(made).__name__, getattr(type(made), "card", None)
    if not isinstance(card, Card) or not any(text.strip() for text in card.parts().values()):
        yield f"{name} has no guarantee card; give it card = Card(proved=…, tested=…, heuristic=…)"


def no_docstring(made: Any) -> Iterator[str]:
    """Say whether the class lacks a docstring of its own with an example."""
    cls = type(made)
    text = inspect.cleandoc(vars(cls).get("__doc__") or "")
    if not text or text.startswith(f"{cls.__name__}("):  # what a dataclass writes by itself
        yield f"{cls.__name__} has no docstring"
    elif ">>>" not in text:
        yield f"the docstring of {cls.__name__} has no example (>>>)"


def changed_by(made: Any, work: Any) -> Iterator[str]:
    """Return what running it sets in itself; ``work`` takes a copy of it."""
    twin = replace(made)
    kept = dict(vars(twin))
    work(twin)
    for name, value in vars(twin).items():
        if name not in kept or kept[name] is not value:
            yield f"running it sets {name}; keep what it found in the result"


def _asked(check: Check) -> Check:
    return lambda subject: check(subject.attack)


# How an attack is made; method_making has what is asked of methods.
OF_ATTACKS = [
    Property(name, sentence, _asked(check))
    for name, sentence, check in (
        ("frozen", "It is a frozen dataclass: its parameters cannot be changed.", changeable),
        ("equality", "Two attacks with the same parameters are equal.", unequal),
        ("shown", "Its text is one line that begins with its class.", badly_shown),
        ("pickling", "It can be pickled, and what comes back is equal.", badly_pickled),
        ("parameters are checked", "A wrong value of any parameter is refused, with its name.", accepted),
        ("card", "It has a guarantee card that says what is proved, tested or heuristic.", no_card),
        ("docstring", "Its class has a docstring of its own, with an example that can be run.", no_docstring),
    )
]
