"""What a notebook says about its data: a claim is checked where it stands, and reports whether it holds.

A reader may change the parameters of a notebook, and then some claims no longer hold. Such a claim says so and says
what is the case instead, and the notebook goes on. At the defaults every claim must hold: ``refuted`` finds those that
do not.
"""

from __future__ import annotations

import re
from typing import Any

HOLDS, FAILS = "✓", "✗"


def claim(sentence: str, holds: Any, otherwise: str = "") -> None:
    """Print a sentence with a check mark if the data support it; if they do not, print what is the case instead.

    Parameters
    ----------
    holds:
        A single truth value: of several, say whether ``all()`` or ``any()`` is meant.
    otherwise:
        The sentence that is true if this one is not.

    Examples
    --------
    >>> claim("Every class has at least 5 rows.", min([5, 7]) >= 5)
    ✓ Every class has at least 5 rows.
    >>> claim("Nobody is alone.", 0 > 1, otherwise="Three people are alone.")
    ✗ Does not hold here: Nobody is alone. Instead: Three people are alone.
    """
    try:
        true = bool(holds)
    except ValueError:
        raise ValueError(f"the claim {sentence!r} needs one truth value; use .all() or .any()") from None
    instead = f" Instead: {otherwise}" if otherwise else ""
    print(f"{HOLDS} {sentence}" if true else f"{FAILS} Does not hold here: {sentence}{instead}")


def say(text: str) -> None:
    """Show a text with computed values as part of the prose, in Markdown: ``say(f"The median is **{median}**.")``.

    >>> say("A class of **5**.")  # a notebook renders it
    <IPython.core.display.Markdown object>
    """
    from IPython.display import Markdown, display

    display(Markdown(text))


def count_claims(notebook: Any) -> int:
    """Return how many claims the outputs of an executed notebook contain."""
    return len(_lines(notebook, f"[{HOLDS}{FAILS}] .+"))


def refuted(notebook: Any) -> list[str]:
    """Return the claims in the outputs of an executed notebook that do not hold."""
    return [line.removeprefix(f"{FAILS} ") for line in _lines(notebook, f"{FAILS} .+")]


def _lines(notebook: Any, pattern: str) -> list[str]:
    """Return the printed lines that match a pattern."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    printed = [output.text for output in outputs if output.get("name") == "stdout"]
    return [line for text in printed for line in re.findall(f"^{pattern}$", text, re.MULTILINE)]
