"""The parameters of a notebook and their ranges, which stand in the comments of the cell that sets them.

``K = 10  # type: int  2 to 500  smallest class`` allows the values from 2 to 500, and a comment that begins with
``# type: str  one of zoo, iris  table`` allows two. A batch checks the values that it is given before anything runs, a
notebook checks its own when it is set up, and sliders take their ends from the same place.
"""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_RANGE = re.compile(r"#\s*type:\s*\w+\s+(?:(-?[\d._]+) to (-?[\d._]+)|one of (.+?))(?:\s{2,}|$)")


class ParameterError(ValueError):
    """A parameter of a notebook has a value outside its range."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]  # what a notebook shows: the sentence is enough


@dataclass(frozen=True)
class Parameter:
    """A parameter: its default value, and what it may be set to.

    >>> k = parameters_of("K = 10  # type: int  2 to 500  smallest class")["K"]
    >>> k.default, k.low, k.high, k.complaint(1)
    (10, 2, 500, 'K is 1; choose a value from 2 to 500')
    """

    name: str
    default: Any
    low: float | None = None
    high: float | None = None
    choices: Sequence[str] = ()

    def complaint(self, value: Any) -> str:
        """Return what is wrong with a value, in one sentence; empty if it may be set."""
        if self.choices and value not in self.choices:
            return f"{self.name} is {value!r}; choose one of {', '.join(self.choices)}"
        if self.low is None or self.high is None:
            return ""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return f"{self.name} is {value!r}; choose a number from {self.low:g} to {self.high:g}"
        if isinstance(self.default, int) and not isinstance(value, int):
            return f"{self.name} is {value!r}; choose a whole number from {self.low:g} to {self.high:g}"
        inside = self.low <= value <= self.high
        return "" if inside else f"{self.name} is {value!r}; choose a value from {self.low:g} to {self.high:g}"


def parameters_of(source: str) -> dict[str, Parameter]:
    """Read the parameters from the source of the cell that sets them; a SyntaxError means that it is not Python.

    >>> parameters_of('DATA = "zoo"  # type: str  one of zoo, iris  table')["DATA"].choices
    ('zoo', 'iris')
    """
    lines, found = source.splitlines(), {}
    for node in ast.parse(source).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            if isinstance(target, ast.Name):
                value = getattr(node, "value", None)
                comment = lines[(node.end_lineno or 1) - 1][node.end_col_offset or 0 :]
                found[target.id] = _parameter(target.id, value, comment)
    return found


def _parameter(name: str, value: ast.expr | None, comment: str) -> Parameter:
    try:
        default = None if value is None else ast.literal_eval(value)
    except ValueError:
        default = None
    match = _RANGE.search(comment)
    if match is None:
        return Parameter(name, default)
    if match[3]:
        return Parameter(name, default, choices=tuple(part.strip() for part in match[3].split(",")))
    low, high = (float(end) if "." in end else int(end) for end in match.groups()[:2])
    return Parameter(name, default, low, high)


def check_parameters() -> None:
    """Check the parameters of the running notebook against their ranges; outside a notebook, do nothing.

    >>> check_parameters()
    """
    for name, parameter in _running().items():
        complaint = parameter.complaint(_namespace().get(name))
        if complaint:
            raise ParameterError(complaint)


def parameter_range(name: str) -> tuple[Any, Any]:
    """Return the smallest and the largest value of a parameter of the running notebook, for a slider.

    >>> parameter_range("K")  # outside a notebook there is none
    Traceback (most recent call last):
    anonnb.widgets.parameters.ParameterError: no parameter 'K' with a range was set in this notebook
    """
    parameter = _running().get(name)
    if parameter is None or parameter.low is None:
        raise ParameterError(f"no parameter {name!r} with a range was set in this notebook")
    return parameter.low, parameter.high


def _namespace() -> Mapping[str, Any]:
    """Return the names of the running notebook; none outside IPython."""
    from IPython.core.getipython import get_ipython

    shell = get_ipython()
    return {} if shell is None else shell.user_ns


def _running() -> dict[str, Parameter]:
    """Return the parameters of the running notebook: those of the last cell that sets some with a range."""
    namespace = _namespace()
    if not namespace:
        return {}
    # nbval runs cells without history, but IPython keeps the source of every cell for tracebacks
    kept = ["".join(entry[2]) for entry in linecache.cache.values() if len(entry) == 4]
    for source in reversed([*kept, *namespace.get("In", [])]):
        if _RANGE.search(source):
            try:
                return parameters_of(source)
            except SyntaxError:
                continue
    return {}
