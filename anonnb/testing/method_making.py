"""What must hold for a method before it gets a table: how it is made, shown, compared, and what it declares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from anonnb.methods.promises import Promise
from anonnb.testing import making
from anonnb.testing.contract import Contract
from anonnb.testing.subjects import MethodSubject

CONTRACT = Contract()
must = CONTRACT.must


@must("frozen", "It is a frozen dataclass: its parameters cannot be changed.")
def _frozen(subject: MethodSubject) -> Iterator[str]:
    yield from making.changeable(subject.method)


@must("made by name", "Its class can be made without arguments, or with k alone, as the explorer and the arena do.")
def _made_by_name(subject: MethodSubject) -> Iterator[str]:
    options = {"k": 3} if "k" in subject.parameters else {}
    made = type(subject.method)(**options)
    if options and (k := getattr(made, "k", None)) != 3:
        yield f"made with k=3 it has k={k!r}"


@must("equality", "Two methods with the same parameters are equal, and one with another k is not.")
def _equality(subject: MethodSubject) -> Iterator[str]:
    method = subject.method
    yield from making.unequal(method)
    if subject.has_k and _with_another_k(method) == method:
        yield "the same method with another k is equal to it"


def _with_another_k(method: Any) -> Any:
    """Change k by one: upwards, or downwards where the method takes only some k."""
    try:
        return replace(method, k=method.k + 1)
    except ValueError:
        return replace(method, k=method.k - 1)


@must("shown", "Its text is one line that begins with its class and names parameters that differ from the defaults.")
def _shown(subject: MethodSubject) -> Iterator[str]:
    yield from making.badly_shown(subject.method)
    if subject.has_k:
        for each in (subject.method, _with_another_k(subject.method)):
            k = getattr(each, "k", None)
            if k != getattr(type(each), "k", None) and f"k={k}" not in str(each):
                yield f"with k={k} it shows itself as {each}, which does not tell k"


@must("pickling", "It can be pickled, and what comes back is equal.")
def _pickling(subject: MethodSubject) -> Iterator[str]:
    yield from making.badly_pickled(subject.method)


@must(
    "k is checked",
    "A k that is no whole number, or below 1, is refused when the method is made, with k named.",
    applies=lambda subject: "k" in subject.parameters,
)
def _k_checked(subject: MethodSubject) -> Iterator[str]:
    for wrong in (0, -1, 2.5, "2", True):
        yield from making.not_refused(subject.method, "k", wrong)


@must("parameters are checked", "A wrong value of any parameter is refused when the method is made, with its name.")
def _parameters_checked(subject: MethodSubject) -> Iterator[str]:
    yield from making.accepted(subject.method)


@must("promise", "It names a promise that says in sentences what is guaranteed and what is not.")
def _promise(subject: MethodSubject) -> Iterator[str]:
    promise = subject.method.promise
    if not isinstance(promise, Promise):
        yield f"its promise is {promise!r}, not an anonnb.methods.promises.Promise"
        return
    for name in ("guarantee", "limits"):
        if not is_sentence(getattr(promise, name)):
            yield f"the {name} of its promise is {getattr(promise, name)!r}, which is no sentence"


def is_sentence(text: object) -> bool:
    """Tell whether these are several words that end with a full stop and do not begin with a small letter."""
    return isinstance(text, str) and len(text.split()) > 2 and not text[0].islower() and text.rstrip().endswith(".")


@must("card", "It has a guarantee card that says what is proved, tested or heuristic.")
def _card(subject: MethodSubject) -> Iterator[str]:
    yield from making.no_card(subject.method)


@must("docstring", "Its class has a docstring of its own, with an example that can be run.")
def _docstring(subject: MethodSubject) -> Iterator[str]:
    yield from making.no_docstring(subject.method)
