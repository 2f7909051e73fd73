"""How far marking is: a line per submission, with the number of all of them and the time that is left."""

import time
from collections.abc import Callable, Iterable, Iterator

import click

INSTANT = 0.05  # seconds: what an earlier marking finished is only read again


def shown_marks(total: int, clock: Callable[[], float] = time.monotonic) -> Callable[[Iterable], Iterator]:
    """A ``progress`` for marking that prints each mark; minutes are said once there is more than one to wait."""

    def show(marks: Iterable) -> Iterator:
        last, spent, worked = clock(), 0.0, 0
        for done, mark in enumerate(marks, 1):
            now = clock()
            if now - last > INSTANT:
                spent, worked = spent + now - last, worked + 1
            last = now
            minutes = spent / worked * (total - done) / 60 if worked else 0.0
            left = f"  about {minutes:.0f} min left" if minutes >= 1 else ""
            points = f"{mark.auto_points:g} of {mark.most('auto'):g}"
            line = (
                f"{done:>{len(str(total))}}/{total}  {mark.student}  {mark.assignment}  {mark.status}  {points}{left}"
            )
            click.echo(line, err=True)
            yield mark
            last = clock()

    return show
