"""Methods and privacy models as they are written on a command line: ``--method``, ``--param``, ``--require``.

A model that counts the people of a population takes them from the file of ``--population``, whose columns are read like
those of the table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from anonnb.cli.common import Command, Written, bad_input, known_name, made, notes, stop
from anonnb.cli.table_options import delimiter, read_frame, running_project

if TYPE_CHECKING:
    from anonnb.methods.base import Method
    from anonnb.privacy import Model
    from anonnb.tables.table import Table

POPULATION = "population"


def requirement_options(command: Command) -> Command:
    """Add the options for further privacy models and for parameters of methods."""
    options = [
        click.option(
            "--require", multiple=True, metavar="MODEL", help='A further privacy model, such as "LDiversity(3)".'
        ),
        click.option(
            "--population", metavar="FILE", help="The people to hide among, for models such as KMap(12): a table."
        ),
        click.option(
            "--suppression-limit",
            type=click.FloatRange(0, 1),
            metavar="SHARE",
            help="The largest share of rows that may be withheld, for methods that choose it (their default: 0.05) and "
            "for the check before publishing.",
        ),
        click.option("--param", "params", multiple=True, metavar="NAME=VALUE", help="A further parameter of a method."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


class Requirements:
    """The models of ``--require``: checked at once, made when the table is known.

    ``texts`` are calls with plain values, such as ``LDiversity(3)``; nothing is evaluated but literals.
    """

    def __init__(self, texts: tuple[str, ...], population: str | None):
        self._population = population
        self._calls = [_call(text, population is not None) for text in texts]
        # models without a population are made at once: a wrong value is an error before a large table is read
        self.plain = [_model(*call[1:]) for call in self._calls if not _counts_people(call[1])]
        counting = [cls.__name__ for _, cls, _, _ in self._calls if _counts_people(cls)]
        if population is not None and not counting:
            from anonnb.privacy.written import all_models

            able = [name for name, cls in all_models().items() if _counts_people(cls)]
            stop(f"--population is for --require {' or '.join(able)}; add one, or leave --population out")

    def models(self, table: Table, options: dict[str, Any]) -> tuple[Model, ...]:
        """Make the models, in the order in which they were required."""
        people = {POPULATION: self._people(table, options)} if self._population is not None else {}
        return tuple(
            _model(cls, positional, named | (people if _counts_people(cls) else {}))
            for _, cls, positional, named in self._calls
        )

    def _people(self, table: Table, options: dict[str, Any]) -> Table:
        """Read the population; a column that is text in the table is also text here (ZIP 01234 and 12345)."""
        from pandas.api.types import is_datetime64_any_dtype

        from anonnb.tables.table import Table

        attributes = {name: table.attributes[name] for name in table.quasi}
        texts = [
            name
            for name, attribute in attributes.items()
            if not attribute.is_number and not is_datetime64_any_dtype(attribute.domain.dtype)
        ]
        how = {name: options[name] for name in ("encoding", "decimal", "dayfirst")}
        with bad_input(), notes():
            frame = read_frame(str(self._population), sep=delimiter(options["sep"]), texts=texts, **how)
            absent = [name for name in table.quasi if name not in frame.columns]
            if absent:
                stop(f"--population {self._population} lacks the quasi-identifier column {absent[0]!r}")
            kinds = {
                name: "nominal" if attribute.kind == "ordinal" else attribute.kind
                for name, attribute in attributes.items()
            }
            return Table(frame[table.quasi], quasi=table.quasi, kinds=kinds)


def _call(text: str, has_people: bool) -> tuple[str, type[Model], list[Any], dict[str, Any]]:
    """Return what is written, a model's class and the values in its parentheses, which must fit it."""
    from anonnb.privacy.written import read_call

    try:
        return text, *read_call(text, has_people=has_people)
    except ValueError as error:
        stop(f"--require {error}")


def _counts_people(cls: type[Model]) -> bool:
    return POPULATION in cls.constraints()


def _model(cls: type[Model], positional: list[Any], named: dict[str, Any]) -> Model:
    with bad_input():
        return cls(*positional, **named)


def chosen_method(name: str, given: dict[str, Any], suppression_limit: float | None = None) -> Method:
    """Make a method by its name, with parameters as they were given."""
    from anonnb import methods
    from anonnb.methods.base import KMethod

    project = running_project()
    where = f"{project.path.name}, method: " if project is not None and project.method == name else ""
    try:
        cls = methods.get(name)
    except KeyError:
        cls = methods.get(known_name(name, list(methods.all()), "method", where=where))
    parameters = list(cls.constraints())
    for key in given:
        if key not in parameters:
            where = where if project is not None and key in project.parameters else ""
            stop(f"{where}{cls.__name__} has no parameter {key!r}; it has {', '.join(parameters) or 'none'}")
    if issubclass(cls, KMethod) and "k" not in given:
        stop(f"{cls.__name__} needs --k, the number of people to hide among, such as --k 5")
    if isinstance(given.get("require"), Written):
        given["require"] = tuple(Requirements((str(given["require"]),), None).plain)
    return made(cls, cls.suppressing(suppression_limit) | given)
