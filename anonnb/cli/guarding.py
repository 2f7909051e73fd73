"""The group of all commands: errors become one sentence and an exit code; a traceback is shown only on request."""

import errno
import sys
import warnings
from typing import Any

import click

from anonnb.cli.common import BAD_INPUT, DEFECT, FAILED, note, stop
from anonnb.core.extras import MissingExtra


class Guarded(click.Group):
    """A group of commands whose errors are sentences."""

    def invoke(self, ctx: click.Context) -> Any:
        _print_anything()
        warnings.showwarning = _as_note
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            if getattr(error, "errno", None) == errno.EPIPE:  # nobody reads the output: click ends quietly
                raise
            sentence, code = _in_a_sentence(error)
            if code == DEFECT and ctx.params.get("traceback"):
                raise
            stop(sentence, code)


def _as_note(message: Warning | str, category: type[Warning], *place: Any) -> None:
    """A warning of the package is a note; others are not for the user of a command."""
    if issubclass(category, UserWarning) and _new(str(message)):
        note(message)


def _new(text: str) -> bool:
    """Whether the running command has not said this yet."""
    context = click.get_current_context(silent=True)
    if context is None:
        return True
    said = context.meta.setdefault(__name__, set())
    fresh = text not in said
    said.add(text)
    return fresh


def _print_anything() -> None:
    """Spell out letters that the terminal does not know, or half of one in a file's name."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _in_a_sentence(error: Exception) -> tuple[str, int]:
    if isinstance(error, MissingExtra):
        return str(error), BAD_INPUT
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror, FAILED
    if isinstance(error, MemoryError):
        return "there is not enough memory for this; take fewer rows or columns", FAILED
    what = " ".join(f"{type(error).__name__}: {error}".split())
    how = "please report it with what `anonnb --traceback …` prints"
    return f"this is a defect of anonnb, {how} ({what[:300]})", DEFECT
