"""T-norms and implicators by name (Klement, Mesiar and Pap 2000; Baczyński and Jayaram 2008).

Idea: a t-norm says to what degree two statements both hold, an implicator to what degree one follows from the other,
for degrees of truth between 0 and 1; for 0 and 1 they are the usual "and" and "if … then". They take arrays.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Connective = Callable[[np.ndarray, np.ndarray], np.ndarray]


def _hamacher(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    both = a + b - a * b
    return np.divide(a * b, both, out=np.zeros(np.broadcast(a, b).shape), where=both > 0)


def _goguen(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    shape = np.broadcast(a, b).shape
    return np.where(a <= b, 1.0, np.divide(b, a, out=np.ones(shape), where=np.broadcast_to(a, shape) > 0))


T_NORMS: dict[str, Connective] = {
    "minimum": np.minimum,
    "product": np.multiply,
    "lukasiewicz": lambda a, b: np.maximum(a + b - 1.0, 0.0),
    "nilpotent_minimum": lambda a, b: np.where(a + b > 1, np.minimum(a, b), 0.0),
    "hamacher": _hamacher,
    "drastic": lambda a, b: np.where(np.maximum(a, b) == 1, np.minimum(a, b), 0.0),
}
IMPLICATORS: dict[str, Connective] = {
    "kleene_dienes": lambda a, b: np.maximum(1.0 - a, b),
    "lukasiewicz": lambda a, b: np.minimum(1.0 - a + b, 1.0),
    "reichenbach": lambda a, b: 1.0 - a + a * b,
    "goedel": lambda a, b: np.where(a <= b, 1.0, b),
    "goguen": _goguen,
    "fodor": lambda a, b: np.where(a <= b, 1.0, np.maximum(1.0 - a, b)),
}


def t_norm(name: str) -> Connective:
    """The t-norm with a given name.

    >>> float(t_norm("lukasiewicz")(np.array(0.75), np.array(0.5)))
    0.25
    """
    return _named("t_norm", name, T_NORMS)


def implicator(name: str) -> Connective:
    """The implicator with a given name.

    >>> float(implicator("kleene_dienes")(np.array(0.75), np.array(0.5)))
    0.5
    """
    return _named("implicator", name, IMPLICATORS)


def _named(what: str, name: str, known: dict[str, Connective]) -> Connective:
    if name not in known:
        raise ValueError(f"{what}={name!r} is not known; use one of {', '.join(known)}")
    return known[name]
