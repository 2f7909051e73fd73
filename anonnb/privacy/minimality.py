"""Minimality: why a method could not publish anything finer, for anyone who reasons backwards from a release.

A method declares it (``Method.minimality``) and attacks read it, so no attack needs to know a method by name.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Minimality:
    """Why a release is not finer: everything one step below it leaves too many rows in classes of fewer than k.

    ``step`` says what a step is: ``"column"`` (a whole column goes down one level of its hierarchy) or ``"node"`` (one
    node of a column's hierarchy is replaced by its children). A step fails when it would put more than ``spare``
    further rows, those that could still have been suppressed, into classes below ``k``.

    >>> Minimality("node", k=2)
    Minimality(step='node', k=2, spare=0)
    """

    step: str
    k: int
    spare: int = 0
