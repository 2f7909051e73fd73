"""Claims: sentences about data that a notebook shows because they are true, and that stop it when they are not."""

from __future__ import annotations

from typing import Any


class Refuted(AssertionError):
    """What a notebook says about its data does not hold."""


def claim(sentence: str, holds: Any) -> None:
    """Print a sentence that the data support; raise ``Refuted`` if they do not.

    Parameters
    ----------
    sentence:
        The sentence.
    holds:
        A single truth value: of several, say whether ``all()`` or ``any()`` is meant.

    Raises
    ------
    Refuted
        If it does not hold.
    ValueError
        If ``holds`` is not a single truth value.

    Examples
    --------
    >>> claim("Every class has at least 5 rows.", min([5, 7]) >= 5)
    ✓ Every class has at least 5 rows.
    >>> claim("Nobody is alone.", 0 > 1)
    Traceback (most recent call last):
    anonnb.widgets.claims.Refuted: this does not hold: Nobody is alone.
    """
    try:
        true = bool(holds)
    except ValueError:
        raise ValueError(f"the claim {sentence!r} needs one truth value; use .all() or .any()") from None
    if not true:
        raise Refuted(f"this does not hold: {sentence}")
    print(f"✓ {sentence}")
