"""The page of the command line has every command and every option, in click's own words."""

import click

from anonnb.book.commands import commands_page
from anonnb.cli import main


def commands(group, path="anonnb"):
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        yield f"{path} {name}", command
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")


def test_nothing_is_left_out():
    page = commands_page()
    found = dict(commands(main))
    assert len(found) >= 10
    for path, command in found.items():
        assert f"\n## {path}\n" in page
        for option in command.params:
            if isinstance(option, click.Option) and not option.hidden:
                assert option.opts[-1] in page, f"{path}: {option.opts}"
