"""``--project FILE``: a project file stands for all options that describe a table and how it is published.

What it says becomes the defaults of the running command; options that are given take precedence.
"""

import sys
from typing import Any

import click

_KEPT = __name__


def project_option(command: Any) -> Any:
    """Let a command take ``--project``."""
    return click.option(
        "--project",
        metavar="YAML",
        is_eager=True,
        expose_value=False,
        callback=_taken,
        help="A project file (see `anonnb init`) instead of FILE and of all options about the table.",
    )(command)


def running_project() -> Any:
    """The project that the running command was given; None without one."""
    return click.get_current_context().meta.get(_KEPT)


def _taken(context: click.Context, option: click.Parameter, path: str | None) -> None:
    from anonnb.files.opening import BadFile
    from anonnb.projects.project import BadProject, read_project

    if path is None:
        return
    try:
        project = read_project(path)
    except (BadProject, BadFile) as error:
        for sentence in getattr(error, "mistakes", [str(error)]):
            click.echo(f"anonnb: {sentence}", err=True)
        sys.exit(2)
    context.meta[_KEPT] = project
    context.default_map = {**(context.default_map or {}), **_defaults(project, context.command.name)}


def _defaults(project: Any, command: str | None) -> dict[str, Any]:
    """What a project says, as options of a command, some of which have another meaning under the same name."""
    given = project.options()
    if command in ("attack", "check"):  # FILE is the release
        given["against"] = given.pop("file", None)
    if command == "attack":
        given.pop("params", None)
    if command == "compare":
        given.pop("params", None)
        given |= {"ks": str(given["k"])} if "k" in given else {}
    if command == "report":
        given["data"] = given.pop("file", None)
    return {name: value for name, value in given.items() if value is not None}
