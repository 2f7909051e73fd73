"""The reference: a page for every room with its public names, from their docstrings."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterable, Mapping

import anonnb
from anonnb.book.public_names import PublicName, public_names

OWN_PAGES = ("methods", "attacks")  # whose registered classes have pages of their own


def rooms() -> dict[str, list[PublicName]]:
    """Return the functions and classes of every room that has public names.

    They include classes that only hand public methods down, such as the base of all methods.
    """
    things = {public.thing if public.owner is None else public.owner for public in public_names()}
    names = [PublicName(thing) for thing in things]
    with_pages = {cls for room in OWN_PAGES for cls in importlib.import_module(f"anonnb.{room}").all().values()}
    rooms = {
        room: [public for public in names if public.room == room and public.thing not in with_pages]
        for room in reversed(anonnb.ROOMS)
    }
    return {room: listed for room, listed in rooms.items() if listed}


def room_page(room: str, names: Iterable[PublicName], below: Mapping[str, type] | None = None) -> str:
    """Return the page of a room: what lives there, tables of its names, then each of them.

    Parameters
    ----------
    below:
        Classes that have pages of their own below this one, by name.

    Examples
    --------
    >>> from anonnb.book.public_names import PublicName
    >>> from anonnb.utility import ncp
    >>> print(room_page("utility", [PublicName(ncp)]).splitlines()[0])
    # anonnb.utility
    """
    package = f"anonnb.{room}"
    lines = [f"# {package}", "", "```{eval-rst}", f".. automodule:: {package}", "   :no-members:", "```", ""]
    if below:
        lines += [f"| {room[:-1]} | in a sentence |", "| --- | --- |"]
        lines += [f"| [{name}]({room}/{name}.md) | {_cell(summary(cls))} |" for name, cls in below.items()]
        lines += ["", "```{toctree}", ":hidden:", ":titlesonly:", *(f"{room}/{name}" for name in below), "```", ""]
        lines += ["The base classes, and what notebooks use besides:", ""]
    names = sorted(names, key=lambda public: (public.kind == "function", public.thing.__qualname__.lower()))
    lines += ["| name | in a sentence |", "| --- | --- |"]
    lines += [f"| {{py:obj}}`~{path_of(public)}` | {_cell(summary(public.thing))} |" for public in names]
    for public in names:
        lines += ["", *entry(public)]
    return "\n".join(lines) + "\n"


def index_page(names: Iterable[str]) -> str:
    """Return the first page of the reference: every room that has a page, with its first sentence.

    >>> print(index_page(["utility"]).splitlines()[7][:60])
    | [anonnb.utility](utility.md) | Information loss and useful
    """
    names = sorted(names)
    sentences = {name: summary(importlib.import_module(f"anonnb.{name}")) for name in names}
    lines = [
        "# Reference",
        "",
        "What `anonnb` itself offers (`load`, `Table`, …) is on the page of tables.",
        "",
    ]
    lines += ["| page | what it holds |", "| --- | --- |"]
    lines += ["| [The command line](command-line.md) | Every command and its options. |"]
    lines += [f"| [anonnb.{name}]({name}.md) | {_cell(sentence)} |" for name, sentence in sentences.items()]
    return "\n".join([*lines, "", "```{toctree}", ":hidden:", ":titlesonly:", "command-line", *names, "```", ""])


def path_of(public: PublicName) -> str:
    """Return where readers import a name from: its room if that lists it, else its module.

    >>> from anonnb.book.public_names import PublicName
    >>> from anonnb.utility import ncp
    >>> path_of(PublicName(ncp))
    'anonnb.utility.ncp'
    """
    name = public.thing.__name__
    for home in ("anonnb", f"anonnb.{public.room}"):
        module = importlib.import_module(home)
        if name in _listed(module) and inspect.unwrap(getattr(module, name)) is public.thing:
            return f"{home}.{name}"
    return public.name


def _listed(module: object) -> Iterable[str]:
    return getattr(module, "__all__", None) or (dir(module) if "__getattr__" in vars(module) else ())


def entry(public: PublicName) -> list[str]:
    """Return the lines that document a function, or a class with its public methods."""
    kind = "autoclass" if public.kind == "class" else "autofunction"
    lines = ["```{eval-rst}", f".. {kind}:: {path_of(public)}"]
    if public.kind == "class":
        lines += ["   :members:", "   :show-inheritance:"]
    return [*lines, "```"]


def summary(thing: object) -> str:
    """Return the first sentence of a docstring."""
    return " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())


def _cell(text: str) -> str:
    return re.sub(r":\w+:`~?([^`]*)`", r"`\1`", text).replace("|", r"\|").replace("``", "`")
