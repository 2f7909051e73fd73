"""Docstrings of methods and attacks describe every parameter, those of their bases included."""

import inspect
from dataclasses import dataclass, fields

import pytest

from anonnb import attacks, methods
from anonnb.core.parameters.described import _entries, _named, with_inherited_parameters

OURS = [*methods.all().values(), *attacks.all().values()]


@pytest.mark.parametrize("cls", OURS, ids=lambda cls: cls.__name__)
def test_every_parameter_is_described_once(cls):
    entries = _entries(inspect.getdoc(cls))
    names = [name for entry in entries for name in _named([entry])]
    assert len(names) == len(set(names))
    assert {field.name for field in fields(cls) if field.init} <= set(names)


def test_every_method_says_what_require_takes():
    takes = [cls for cls in methods.all().values() if "require" in {field.name for field in fields(cls)}]
    assert len(takes) > 15
    assert [cls.__name__ for cls in takes if "LDiversity(3)" not in inspect.getdoc(cls)] == []


@dataclass
class Base:
    """A base.

    Parameters
    ----------
    k, require:
        Both.

        In two paragraphs.
    seed:
        Another.
    """

    k: int = 1
    require: tuple = ()
    seed: int = 0


def test_entries_stand_before_its_own_and_other_sections_stay():
    @dataclass
    class Child(Base):
        """A child.

        A remark.

        Parameters
        ----------
        seed:
            Its own seed.

        Examples
        --------
        >>> 1
        1
        """

    doc = with_inherited_parameters(Child).__doc__
    places = [doc.index(text) for text in ("k, require:", "In two paragraphs.", "Its own seed.", "Examples")]
    assert places == sorted(places)
    assert "Another." not in doc
    assert with_inherited_parameters(Child).__doc__ == doc, "done once"
