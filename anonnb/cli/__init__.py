"""The command line ``anonnb``: reports and notebooks, one table audited or anonymized, methods and attacks compared.

Exit codes: 0 success, 1 the work failed (a notebook, or no release meets the requirement), 2 bad usage or input, 3 a
defect of anonnb.
Heavy modules are imported inside the commands, so that ``anonnb --help`` answers at once.
"""

from inspect import cleandoc
from itertools import chain
from typing import TYPE_CHECKING

import click

from anonnb import __version__
from anonnb.cli.common import Guarded
from anonnb.core.lazy import lazy_imports, leave_out_slow_grammar

# In the order of a person's day: a table of one's own, the notebooks, a course.
DAY = {
    "A table of your own": ("init", "audit", "anonymize", "attack", "compare", "check"),
    "Notebooks": ("lab", "report", "notebooks", "list"),
    "A course": ("coursework",),
}
ROLES = "--quasi age,zip --sensitive illness"
EXAMPLES = {
    "init": "people.csv",
    "audit": f"people.csv {ROLES}",
    "anonymize": f"people.csv {ROLES} --method Mondrian --k 10 -o release.csv",
    "attack": f"release.csv --against people.csv {ROLES} --control others.csv",
    "compare": f"people.csv {ROLES} --k 5,10 --draws 20",
    "check": f"release.csv --against people.csv {ROLES} --k 10",
    "lab": "00",
    "report": "13 -p K=5",
    "notebooks": "my-notebooks",
    "list": "Mondrian",
    "coursework": "new my-course",
}

if TYPE_CHECKING:  # the commands; an underscore at the end is not part of the name
    from anonnb.cli.anonymizing import anonymize
    from anonnb.cli.attacking import attack
    from anonnb.cli.auditing import audit
    from anonnb.cli.checking import check, init
    from anonnb.cli.comparing import compare
    from anonnb.cli.coursework import coursework
    from anonnb.cli.listing import list_
    from anonnb.cli.notebooks import lab, notebooks_, report

_command, _, _names = lazy_imports(__name__)


class Commands(Guarded):
    """A group whose commands are imported when they are first needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        known, ordered = {name.rstrip("_") for name in _names} | set(self.commands), [*chain(*DAY.values())]
        return sorted(known, key=lambda name: (ordered.index(name) if name in ordered else len(ordered), name))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands under the part of the day that they belong to, those of other packages last."""
        names = self.list_commands(ctx)
        others = [name for name in names if name not in {*chain(*DAY.values())}]
        for title, listed in {**DAY, "More": others}.items():
            commands = {name: self.get_command(ctx, name) for name in names if name in listed}
            lines = [(name, command.get_short_help_str(120)) for name, command in commands.items() if command]
            if lines:
                with formatter.section(title):
                    formatter.write_dl(lines)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        names = {name.rstrip("_"): name for name in _names}
        if cmd_name in names and cmd_name not in self.commands:
            command: click.Command = _command(names[cmd_name])
            text = cleandoc(command.help or "")
            command.short_help = text.partition("\n\n")[0]
            command.help = f"\b\nExample: anonnb {cmd_name} {EXAMPLES[cmd_name]}\n\n{text}"
            self.add_command(command, cmd_name)
        return super().get_command(ctx, cmd_name)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="anonnb")
@click.option("--traceback", is_flag=True, envvar="ANONNB_TRACEBACK", help="Show where a defect happened.")
def main(traceback: bool) -> None:
    """Privacy-preserving data publishing, taught and compared in notebooks."""
    leave_out_slow_grammar()
