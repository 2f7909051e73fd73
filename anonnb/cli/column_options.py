"""What options say about columns: ``A,B`` names two, ``zip=nominal`` says something about one.

Names may hold commas and equals signs: a text that is a column's name means that column, and of several names that
fit, the longest is meant.
"""

import csv
from collections.abc import Iterable, Sequence
from typing import Any

from anonnb.cli.phrasing import quoted

KINDS = ("nominal", "ordinal", "numeric")


def columns(texts: Iterable[str], known: Any) -> list[str]:
    """``a,b`` names two columns, unless the table has a column of that name."""
    names = []
    for text in texts:
        names += [text] if text in known else [part.strip() for part in text.split(",") if part.strip()]
    return names


def option_of(option: str, names: Iterable[str]) -> str:
    """An option with names of columns as a shell takes them; a name with a comma needs an option of its own.

    >>> option_of("--also", ["zip", "birth date"])
    '--also "zip,birth date"'
    """
    names = list(names)
    words = [",".join(name for name in names if "," not in name), *(name for name in names if "," in name)]
    return " ".join(f"{option} {quoted(word)}" for word in words if word)


def said_of_column(option: str, text: str, known: Sequence[str], form: str) -> tuple[str, str]:
    """The column that ``COLUMN=REST`` is about, and the rest.

    >>> said_of_column("--hierarchy", "a=b=mask 5", ["a", "a=b"], "COLUMN=HIERARCHY")
    ('a=b', 'mask 5')
    """
    if "=" not in text:
        raise ValueError(f"{option} {text!r} is not {form}")
    column = max((name for name in known if text.startswith(f"{name}=")), key=len, default=None)
    if column is None:
        name = text.partition("=")[0]
        raise ValueError(f"{option} {text}: there is no column {name!r}; the columns are {', '.join(known)}")
    return column, text[len(column) + 1 :].strip()


def kinds(texts: Iterable[str], known: Sequence[str]) -> dict[str, str]:
    """``zip=nominal`` or ``zip,city=nominal``: the kind of each column that is named.

    >>> kinds(["zip,city=nominal", "age=numeric"], ["zip", "city", "age"])
    {'zip': 'nominal', 'city': 'nominal', 'age': 'numeric'}
    """
    found: dict[str, str] = {}
    for text in texts:
        names, equals, kind = text.rpartition("=")
        if not equals or kind.strip() not in KINDS:
            raise ValueError(f"--kind {text!r} is not COLUMN=KIND; the kinds are {', '.join(KINDS)}")
        for name in columns([names], known):
            if name not in known:
                raise ValueError(f"--kind {text}: there is no column {name!r}; the columns are {', '.join(known)}")
            _once("--kind", name, found)
            found[name] = kind.strip()
    return found


def orders(texts: Iterable[str], frame: Any) -> dict[str, list]:
    """``risk=low,med,high``: the values of a column from the least to the greatest; one with a comma needs quotes.

    >>> import pandas as pd
    >>> orders(["grade=2,1,3", 'size="small, or less",big'], pd.DataFrame({"grade": [1, 2], "size": ["big", "big"]}))
    {'grade': [2, 1, '3'], 'size': ['small, or less', 'big']}
    """
    from anonnb.projects.table_opening import values_meant

    return {name: values_meant(words, frame[name]) for name, words in order_words(texts, list(frame.columns)).items()}


def order_words(texts: Iterable[str], known: Sequence[str]) -> dict[str, list[str]]:
    """The same as words, whatever the column holds.

    >>> order_words(["grade=2,1,3"], ["grade"])
    {'grade': ['2', '1', '3']}
    """
    found: dict[str, list[str]] = {}
    for text in texts:
        name, rest = said_of_column("--order", text, known, "COLUMN=LOW,…,HIGH")
        words = [word.strip() for word in next(csv.reader([rest], skipinitialspace=True), [])]
        if len(words) < 2 or "" in words:
            raise ValueError(f"--order {text!r}: name all values from the least to the greatest, as in {name}=low,high")
        _once("--order", name, found)
        found[name] = words
    return found


def domains(texts: Iterable[str], frame: Any, kinds: dict[str, str]) -> dict[str, Iterable]:
    """``sex=F,M``: what a column may hold; for numbers edges of intervals, or ``1..10`` for every whole number.

    A comma at the end allows for missing values.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [20, 30], "sex": ["F", "F"], "grade": [1, 2]})
    >>> domains(["age=0,18,65", "sex=F,M,", "grade=1..10"], frame, {})
    {'age': [0, 18, 65], 'sex': ['F', 'M', None], 'grade': '1..10'}
    """
    from anonnb.core.wording import literal
    from anonnb.projects.table_opening import values_meant

    found: dict[str, Iterable] = {}
    for text in texts:
        name, rest = said_of_column("--values", text, list(frame.columns), "COLUMN=VALUE,… or COLUMN=EDGE,…")
        _once("--values", name, found)
        if ".." in rest and "," not in rest:
            found[name] = rest  # Table reads it
            continue
        words = [word.strip() for word in next(csv.reader([rest], skipinitialspace=True), [])]
        if frame[name].dtype.kind in "iuf" and kinds.get(name, "numeric") == "numeric":
            found[name] = [literal(word) if word else None for word in words]
        else:
            found[name] = [*values_meant([word for word in words if word], frame[name]), *[None] * ("" in words)]
    return found


def hierarchies(texts: Iterable[str], known: Sequence[str]) -> dict[str, str]:
    """``age=intervals 5 10`` or ``age=age.csv``: what is written for each column.

    >>> hierarchies(["age=intervals 5 10"], ["age"])
    {'age': 'intervals 5 10'}
    """
    found: dict[str, str] = {}
    for text in texts:
        name, written = said_of_column("--hierarchy", text, known, "COLUMN=FILE or COLUMN=HIERARCHY")
        _once("--hierarchy", name, found)
        found[name] = written
    return found


def _once(option: str, name: str, found: dict) -> None:
    if name in found:
        raise ValueError(f"{option} names column {name!r} twice; name it once")
