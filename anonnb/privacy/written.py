"""Privacy models as people write them: ``LDiversity(3)`` on the command line, in a project file, in the explorer.

Idea: one parser, so that the same text means the same everywhere. Reading chosen: a call with literals; nothing is
evaluated.
"""

from __future__ import annotations

import ast
import inspect
from typing import Any

from anonnb import privacy
from anonnb.privacy.base import Model

POPULATION = "population"


def all_models() -> dict[str, type[Model]]:
    """Return the privacy models by name."""
    public = {name: getattr(privacy, name) for name in dir(privacy)}
    return {
        name: thing
        for name, thing in public.items()
        if isinstance(thing, type) and issubclass(thing, Model) and thing is not Model
    }


def counts_people(cls: type[Model]) -> bool:
    """Tell whether a model counts the people of a population, which must be passed to it."""
    return POPULATION in cls.constraints()


def read_call(text: str, *, has_people: bool = False) -> tuple[type[Model], list, dict]:
    """Return a model's class and the values in its parentheses; raise ValueError with one sentence if they do not fit.

    >>> read_call("LDiversity(3, kind='entropy')")
    (<class 'anonnb.privacy.models.LDiversity'>, [3], {'kind': 'entropy'})
    """
    models = all_models()
    example = f"write it like LDiversity(3); known are {', '.join(sorted(models))}"
    try:
        call: Any = ast.parse(text.strip(), mode="eval").body  # anything but a call raises AttributeError below
        name = call.func.id
        positional = [ast.literal_eval(argument) for argument in call.args]
        named = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
    except (SyntaxError, AttributeError, ValueError, TypeError, RecursionError, MemoryError):
        raise ValueError(f"{text!r} is not a privacy model; {example}") from None
    names = [keyword.arg for keyword in call.keywords]
    twice = [arg for arg in names if names.count(arg) > 1]
    if twice:
        raise ValueError(f"{text!r} gives {twice[0]!r} twice; leave one of them out")
    if name not in models:
        raise ValueError(f"{text!r}: there is no privacy model {name!r}; {example}")
    people = {POPULATION: None} if counts_people(models[name]) else {}
    if people and not has_people:
        raise ValueError(f"{text!r}: {name} counts the people of a population; name their table: --population FILE")
    signature = inspect.signature(models[name])
    try:
        signature.bind(*positional, **named, **people)
    except TypeError as error:
        takes = [parameter for parameter in signature.parameters if parameter != POPULATION]
        raise ValueError(f"{text!r}: {error}; {name} takes {', '.join(takes)}") from None
    if not people:
        models[name](*positional, **named)  # a value that it does not allow
    return models[name], positional, named


def read_model(text: str) -> Model:
    """Return the model that a text names; one that counts the people of a population cannot be written as text.

    >>> print(read_model("LDiversity(3)"))
    LDiversity(l=3)
    """
    cls, positional, named = read_call(text)
    return cls(*positional, **named)
