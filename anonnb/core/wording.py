"""How values are written and read in sentences and on command lines."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterable, Sequence
from typing import Any

LONGEST = 80  # letters of a value that an error shows


def literal(text: str) -> object:
    """Return a written value as Python reads it; what is no literal is a text.

    >>> literal("5"), literal("none"), literal("five")
    (5, None, 'five')
    """
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError):
        constants = {"true": True, "false": False, "none": None}
        return constants.get(text.strip().lower(), text)


def unquoted(text: str) -> str:
    """Return a written text without the quotes that it may have.

    >>> unquoted("zip"), unquoted("'zip'"), unquoted("2")
    ('zip', 'zip', '2')
    """
    value = literal(text) if text.strip()[:1] in ("'", '"') else text.strip()
    return value if isinstance(value, str) else text


def short_repr(value: object) -> str:
    """Return a value as an error shows it: on one line, or by its class if it is long.

    >>> short_repr("5"), short_repr(list(range(99)))
    ("'5'", 'a list of 99')
    """
    text = repr(value)
    if len(text) <= LONGEST and "\n" not in text:
        return text
    size = f" of {len(value)}" if hasattr(value, "__len__") else ""
    return f"{kind_of(value)}{size}"


def kind_of(value: object) -> str:
    """Return the class of a value with its article.

    >>> kind_of(3), kind_of("three")
    ('an int', 'a str')
    """
    name = type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def either(words: Iterable[str]) -> str:
    """Join words with commas, and "or" before the last.

    >>> either(["a", "b", "c"]), either(["a"])
    ('a, b or c', 'a')
    """
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def join_names(words: Iterable[object], most: int = 6) -> str:
    """Join names in quotes with commas; beyond ``most``, say how many more.

    >>> join_names(["zip", "age"]), join_names("abcd", most=2)
    ("'zip', 'age'", "'a', 'b' and 2 more")
    """
    names = [f"'{word}'" for word in words]
    further = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + further


def did_you_mean(name: object, known: Iterable[object], most: int = 1) -> str:
    """Ask whether known names were meant that are close to a name, whatever their case; empty if none is.

    >>> did_you_mean("Sexx", ["age", "sex"]), did_you_mean("zip", ["age", "sex"])
    ('did you mean sex? ', '')
    """
    folded = {str(each).casefold(): str(each) for each in known}
    close = difflib.get_close_matches(str(name).casefold(), folded, n=most)
    return f"did you mean {either(folded[key] for key in close)}? " if close else ""


def pluralize(count: int, noun: str, plural: str = "") -> str:
    """Write a count with its noun; ``plural`` is given if it is not the noun with an s.

    >>> pluralize(1, "row"), pluralize(1_200, "row"), pluralize(0, "class", "classes")
    ('1 row', '1,200 rows', '0 classes')
    """
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def percent(share: float, digits: int = 1) -> str:
    """Write a share in percent, and a dash for NaN.

    >>> percent(0.8338), percent(-0.0001), percent(1, 0), percent(float("nan"))
    ('83.4 %', '0.0 %', '100 %', '–')
    """
    value = round(100 * share, digits) + 0.0  # no -0.0
    return f"{value:.{digits}f} %" if value == value else "–"


def number(value: Any) -> str:
    """Write at most four digits after the point; whole numbers as such, and a dash for NaN.

    >>> number(5.0), number(0.123456), number(float("nan")), number("few")
    ('5', '0.1235', '–', 'few')
    """
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)
    if number.is_integer():
        return str(int(number))
    return f"{number:.4f}" if number == number else "–"


def short_names(names: Sequence[object]) -> list[str]:
    """Return the shortest prefixes that tell names apart, with a capital.

    >>> short_names(["Marital_status", "Sex", "sector"])
    ['M', 'Sex', 'Sec']
    """
    small, short = [str(name).lower() for name in names], []
    for index, name in enumerate(small):
        others = small[:index] + small[index + 1 :]
        lengths = [n for n in range(1, len(name) + 1) if not any(other.startswith(name[:n]) for other in others)]
        short.append((name[: lengths[0]] if lengths else name).capitalize())
    return short
