"""Every public name (anonnb/book/public_names.py says which) has a summary of one line and an example that uses it.

Pytest runs all doctests of the package. The sections of numpydoc (``Parameters``, ``Returns``, ``Raises`` …) are asked
for by nobody: a section stands where it says more than the signature and the summary do, and then it is in numpydoc's
form and order, and names only parameters that there are. Sphinx takes everything below a heading for a part of it:
remarks belong before the first section or under ``Notes``, and examples under ``Examples``.

A method that overrides another without a docstring has the docstring of that one. The example of a class stands for
each method that it calls. Properties and methods without parameters are not looked at.

``python -m tests.documents.test_docstrings methods`` lists what a room lacks.
"""

from __future__ import annotations

import inspect
import sys
from collections import Counter

import pytest

from anonnb import ROOMS
from anonnb.book.public_names import PublicName, public_names
from tests.documents.docstring_defects import defects

# What an example cannot show, and why.
WITHOUT_EXAMPLE: dict[str, str] = {
    "anonnb.book.building.build": "builds the whole site; `make book` does",
    "anonnb.tables.table.Table.from_dask": "starts a Dask cluster, which takes seconds",
    "anonnb.tables.table.Table.from_parquet": "starts a Dask cluster, which takes seconds",
}


def lacking(room: str) -> list[str]:
    """List what the public names of a room lack, a line for each."""
    names = [public for public in public_names() if public.room == room]
    return [line for public in names for line in defects(public, frozenset(WITHOUT_EXAMPLE))]


@pytest.mark.parametrize("room", ["anonnb", *ROOMS])
def test_public_names_are_documented(room):
    assert lacking(room) == []


@pytest.mark.slow
@pytest.mark.parametrize("room", ROOMS)
def test_sphinx_reads_them_without_a_warning(room):
    pytest.importorskip("sphinx")
    from tests.documents.rendering import warnings_of

    docs = {public.name: warnings_of(public) for public in public_names() if public.room == room}
    assert {name: said for name, said in docs.items() if said} == {}


def test_count():
    kinds = Counter(public.kind for public in public_names())
    print(f"{kinds.total()} public names {dict(kinds)}")
    assert kinds["class"] > 100
    assert kinds["function"] > 250
    assert kinds["method"] > 120


def test_exceptions_are_public_names():
    assert set(WITHOUT_EXAMPLE) <= {public.name for public in public_names()}


def _larger(k, *, seed=0):
    """Return the larger of two numbers.

    Parameters
    ----------
    k, seed:
        Two numbers.

    Returns
    -------
    int
        The larger one.

    Raises
    ------
    ValueError
        If ``k`` is less than 1.

    Examples
    --------
    >>> _larger(1, seed=2)
    2
    """
    if k < 1:
        raise ValueError(k)
    return max(k, seed)


def test_a_complete_docstring_has_no_defect():
    assert defects(PublicName(_larger)) == []


@pytest.mark.parametrize(
    ("before", "after", "defect"),
    [
        ("k, seed:", "k, l:", "Parameters names l, which it does not take"),
        ("Return the larger of two numbers.", "", "no summary"),
        ("two numbers.\n", "two numbers\nand no more.\n", "the summary is longer than a line"),
        ("Raises\n------\n", "Raises\n-----\n", "Raises is underlined by 5 characters"),
        ("    Two numbers.\n", "    Two numbers.\n\nThey may be equal.\n", "Parameters holds something else"),
        ("Examples\n--------\n", "", "Raises holds something else"),
        (">>> _larger(1, seed=2)", ">>> max(1, 2)", "no example that uses it"),
        (">>> _larger(1, seed=2)", ">>> _larger(1, seed=2)  # doctest: +SKIP", "no example that uses it"),
    ],
    ids=lambda text: text.strip().split("\n")[0][:20],
)
def test_defects_are_seen(monkeypatch, before, after, defect):
    doc = inspect.cleandoc(_larger.__doc__)  # Python 3.13 does this by itself
    assert before in doc
    monkeypatch.setattr(_larger, "__doc__", doc.replace(before, after, 1))
    assert any(defect in line for line in defects(PublicName(_larger)))


def test_no_docstring_is_a_defect(monkeypatch):
    monkeypatch.setattr(_larger, "__doc__", None)
    assert defects(PublicName(_larger)) == [f"{__name__}._larger: no docstring"]


if __name__ == "__main__":
    print(*(line for room in sys.argv[1:] or ("anonnb", *ROOMS) for line in lacking(room)), sep="\n")
