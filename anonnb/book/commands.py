"""The command line: a page of every command, its arguments and its options, as click knows them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from anonnb.cli import main
from anonnb.cli.common import ALL_OPTIONS


def commands_page() -> str:
    """Return a page of MyST Markdown with all commands, including those of groups.

    >>> "## anonnb audit" in commands_page()
    True
    """
    lines = ["# The command line", "", f"{main.help}", "", "`anonnb COMMAND --help` says the same in a terminal.", ""]
    whole = click.Context(main, info_name="anonnb")
    whole.meta[ALL_OPTIONS] = True
    for context in _contexts(whole):
        lines += _command(context)
    return "\n".join(lines) + "\n"


def _contexts(context: click.Context) -> Iterator[click.Context]:
    group = context.command
    if not isinstance(group, click.Group):
        return
    for name in group.list_commands(context):
        if (command := group.get_command(context, name)) is not None:
            below = click.Context(command, info_name=name, parent=context)
            yield below
            yield from _contexts(below)


def _command(context: click.Context) -> list[str]:
    command = context.command
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    lines = [f"## {context.command_path}", "", "```text", usage, "```", "", *_paragraphs(command.help), ""]
    records = [record for option in command.get_params(context) if (record := option.get_help_record(context))]
    # as a definition list; an argument without a text of its own is explained above
    return lines + [line for names, text in records if text for line in (f"`{names}`", f": {_escaped(text)}", "")]


def _paragraphs(text: str | None) -> list[str]:
    parts = re.split(r"\n\s*\n", (text or "").replace("\b", ""))
    return "\n\n".join(" ".join(part.split()) for part in parts).split("\n")


def _escaped(text: str) -> str:
    return re.sub(r"([*_{}\[\]<>$])", r"\\\1", " ".join(text.split()))
