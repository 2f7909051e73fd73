"""``list`` names all there is, and describes one class: what it promises, its parameters and its guarantee card."""

from __future__ import annotations

import re
import shutil
import textwrap
from typing import TYPE_CHECKING

import click

from anonnb.cli.common import known_name
from anonnb.core.card import Card
from anonnb.core.extras import MissingExtra

if TYPE_CHECKING:
    from anonnb.core.parameters.declared import Parameters

MAX_WIDTH = 100
_MARKUP = [
    (r":\w+:`~[\w.]*?(\w+)`", r"\1"),  # a role whose text is the last part of a name
    (r":\w+:`([^`]*)`", r"\1"),
    (r"``([^`]*)``", r"\1"),
    (r"`([^`]*)`", r"\1"),
]


@click.command(name="list")
@click.argument("what", required=False)
def list_(what: str | None) -> None:
    """List datasets, methods, attacks, models and notebooks, or describe one.

    `anonnb list methods` names all methods; `anonnb list Mondrian` says what Mondrian promises, what its parameters
    are, and what about it is proved, tested or a heuristic.
    """
    sections = {
        "datasets": _datasets,
        "methods": _methods,
        "attacks": _attacks,
        "models": _models,
        "notebooks": _notebooks,
    }
    if what and what not in sections:
        _describe(what, list(sections))
        return
    for name in [what] if what else sections:
        if not what:
            click.secho(name, bold=True)
        try:
            lines = sections[name]()
        except MissingExtra as error:
            if what:
                raise
            lines = [(f"({error})", "")]
        width = max((len(left) for left, _ in lines), default=0)
        for left, right in lines:
            click.echo(f"  {left:<{width}}  {right}".rstrip())


def _datasets() -> list[tuple[str, str]]:
    from anonnb.tables import datasets

    return [(name, "") for name in datasets.names()]


def _methods() -> list[tuple[str, str]]:
    from anonnb import methods

    return [(name, first_line(cls)) for name, cls in methods.all().items()]


def _attacks() -> list[tuple[str, str]]:
    from anonnb import attacks

    return [(name, first_line(cls)) for name, cls in attacks.all().items()]


def _models() -> list[tuple[str, str]]:
    from anonnb.privacy.written import all_models

    return [(name, first_line(cls)) for name, cls in all_models().items()]


def _describe(name: str, sections: list[str]) -> None:
    from anonnb import attacks, methods
    from anonnb.privacy.written import all_models

    classes = methods.all() | attacks.all() | all_models()
    click.echo(description(classes[known_name(name, list(classes), "method, attack or model", also=sections)]))


def _notebooks() -> list[tuple[str, str]]:
    from anonnb.reports.catalogue import titles

    return titles()


# ---- one class -----------------------------------------------------------------------------------------------------


def plain(text: str) -> str:
    """Remove the markup from the text of a docstring.

    >>> plain("``k`` as in :class:`Mondrian` and :func:`~anonnb.trees.grow`")
    'k as in Mondrian and grow'
    """
    for markup, kept in _MARKUP:
        text = re.sub(markup, kept, text)
    return text


def first_line(cls: type) -> str:
    """Return the first line of a class's docstring."""
    return plain((cls.__doc__ or "").strip().partition("\n")[0])


def description(cls: type[Parameters], width: int | None = None) -> str:
    """Describe a method, an attack or a model, wrapped to the width of the terminal."""
    width = min(width or shutil.get_terminal_size().columns, MAX_WIDTH)
    lines = [textwrap.fill(f"{cls.__name__}: {first_line(cls)}", width)]
    parts = {
        "promise, with the default parameters": [_wrapped(text, width) for text in promise_of(cls)],
        "parameters, their defaults and what they may be": parameter_lines(cls, width),
    }
    card = getattr(cls, "card", Card())
    parts |= {name: [_wrapped(text, width)] for name, text in card.parts().items()}
    for heading, texts in parts.items():
        lines += ["", heading, *texts] if texts else []
    return "\n".join(lines)


def promise_of(cls: type[Parameters]) -> list[str]:
    """Return what a method guarantees with its default parameters, and what not; empty if it promises nothing."""
    if not hasattr(cls, "promised") or not all(cls.defaults().values()):  # a parameter must be given
        return []
    promise = getattr(cls(), "promise")  # noqa: B009
    return [promise.guarantee, promise.limits]


def parameter_lines(cls: type[Parameters], width: int = MAX_WIDTH) -> list[str]:
    """Return a line for each parameter: its default, and what it may be."""
    defaults = cls.defaults()
    lines = [(key, defaults[key] or "must be given", allowed.words) for key, allowed in cls.constraints().items()]
    widths = [max((len(line[index]) for line in lines), default=0) for index in (0, 1)]
    wrapper = textwrap.TextWrapper(
        width, subsequent_indent=" " * min(sum(widths) + 6, width // 2), break_on_hyphens=False
    )
    return [
        wrapper.fill(f"  {key:<{widths[0]}}  {default:<{widths[1]}}  {words}".rstrip()) for key, default, words in lines
    ]


def _wrapped(text: str, width: int) -> str:
    return textwrap.fill(text, width, initial_indent="  ", subsequent_indent="  ")
