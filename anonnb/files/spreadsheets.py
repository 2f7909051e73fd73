"""Texts that a spreadsheet would run as a formula, and the apostrophe in front that makes them plain text."""

import re

# = + - @ also in the full width of East Asian scripts; tabs and line ends move what follows into a cell of its own
_FORMULA = re.compile(r"[=+\-@＝＋－＠\t\r\n]")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
APOSTROPHE = "'"


def is_formula(cell: object) -> bool:
    """Return whether a spreadsheet would calculate a cell; a number is not a formula.

    >>> [is_formula(cell) for cell in ("=cmd()", "+49 170", "-5", -5, "a=b", "'=cmd()")]
    [True, True, False, False, False, False]
    """
    return isinstance(cell, str) and bool(_FORMULA.match(cell)) and not _NUMBER.fullmatch(cell)


def formula_again(word: str) -> str:
    """Remove the apostrophe in front of a formula; any other text stays as it is.

    >>> formula_again("'=cmd()"), formula_again("''=cmd()"), formula_again("'s-Hertogenbosch")
    ('=cmd()', "'=cmd()", "'s-Hertogenbosch")
    """
    return word[1:] if word.startswith(APOSTROPHE) and is_formula(word.lstrip(APOSTROPHE)) else word
