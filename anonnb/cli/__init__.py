"""The command line ``anonnb``: reports and notebooks, one table audited or anonymized, methods and attacks compared.

Exit codes: 0 success, 1 the work failed (a notebook, or no release meets the requirement), 2 bad usage or input, 3 a
defect of anonnb.
Heavy modules are imported inside the commands, so that ``anonnb --help`` answers at once.
"""

import click

from anonnb import __version__
from anonnb.cli.arena import compare
from anonnb.cli.attacks import attack
from anonnb.cli.auditing import audit
from anonnb.cli.coursework import coursework
from anonnb.cli.guarding import Guarded
from anonnb.cli.notebooks import copy_, lab, list_, report
from anonnb.cli.projects import check, init
from anonnb.cli.tables import anonymize
from anonnb.core.lazy import leave_out_slow_grammar


@click.group(cls=Guarded, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="anonnb")
@click.option("--traceback", is_flag=True, envvar="ANONNB_TRACEBACK", help="Show where a defect happened.")
def main(traceback: bool) -> None:
    """Privacy-preserving data publishing, taught and compared in notebooks."""
    leave_out_slow_grammar()


for command in (report, lab, copy_, list_, init, audit, anonymize, check, compare, attack, coursework):
    main.add_command(command)
