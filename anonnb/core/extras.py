"""The optional libraries: a room asks for its own when it is imported, and says what to install.

The extras themselves are declared in pyproject.toml; a test compares what the rooms import with what they ask for.
"""

from __future__ import annotations

from importlib.util import find_spec


class MissingExtra(ImportError):
    """A library is not installed; the message names it and the command that installs it."""


def needs(what: str, extra: str, *libraries: str) -> None:
    """Raise MissingExtra where one of the libraries is not installed; none of them is imported.

    >>> needs("the mirror", "plots", "looking_glass")
    Traceback (most recent call last):
    ...
    anonnb.core.extras.MissingExtra: the mirror needs looking_glass, which is not installed: pip install "anonnb[plots]"
    """
    for library in libraries:
        if find_spec(library) is None:
            raise MissingExtra(f'{what} needs {library}, which is not installed: pip install "anonnb[{extra}]"')
