"""Pages and fragments from templates: values are escaped, and a name that a template does not get is an error.

Only the rooms that make pages import this module: the algorithms do without jinja.
"""

from functools import cache
from pathlib import Path

from anonnb.core.extras import needs

needs("a page", "reports", "jinja2")

from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: E402


@cache
def templates(room: Path) -> Environment:
    """Return the templates of a room, in its folder ``templates``; ``room`` is the path of one of its modules."""
    return Environment(
        loader=FileSystemLoader(room.with_name("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
