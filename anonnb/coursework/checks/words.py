"""What checks raise and return: a sentence for the student, or a part of the points."""

from __future__ import annotations

from typing import NoReturn


class Wrong(AssertionError):
    """An answer that does not pass; the message is for the student.

    ``discreet`` says the same without anything that a student's function gave: such a function sees the inputs of
    hidden tests, and could hand them on.
    """

    def __init__(self, text: str, discreet: str = ""):
        super().__init__(text)
        self.discreet = discreet or text

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows instead of a traceback through our code, which would teach nobody anything."""
        return [f"Not yet. {self}"]


class Credit(float):
    """Credit for an answer that is right in part, as the last line of a check; ``message`` says what is missing.

    It prints like a number, for nbgrader takes the number that a check ends with as its points.
    """

    message: str
    discreet: str  # as in Wrong

    def __new__(cls, points: float, message: str = "", discreet: str = "") -> Credit:
        made = super().__new__(cls, points)
        made.message, made.discreet = message, discreet or message
        return made

    def __repr__(self) -> str:
        return f"{float(self):g}"


def wrong(text: str, hint: str = "", *, discreet: str = "") -> NoReturn:
    """Fail with a sentence and a hint; ``discreet`` is the sentence without values (see :class:`Wrong`)."""
    tail = f".{f' Hint: {hint}' if hint else ''}"
    raise Wrong(text + tail, (discreet or text) + tail)


def passed(text: str, *remarks: str) -> None:
    """Print that a check passed, and what was read generously.

    >>> passed("k is right", "'3' is a text, and was read as a number")
    ✓ k is right. ('3' is a text, and was read as a number.)
    """
    print(f"✓ {text}." + "".join(f" ({remark}.)" for remark in dict.fromkeys(remarks)))
