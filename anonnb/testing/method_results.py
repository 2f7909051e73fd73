"""What must hold for results: their type, what they say, and that only table, parameters and seed determine them."""

from __future__ import annotations

import pickle
import random
import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pandas as pd

from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.testing import making
from anonnb.testing.cases import TriedTable, nasty, ordinary, roles
from anonnb.testing.contract import Contract, told
from anonnb.testing.fresh import published_elsewhere
from anonnb.testing.subjects import MethodSubject, published, run

CONTRACT = Contract()
must = CONTRACT.must

LONG = 100_000  # methods that take fewer rows in seconds must report progress


@must("what it publishes", "``publishes`` says what comes out: a Release for a table, else a result with a frame.")
def _publishes(subject: MethodSubject) -> Iterator[str]:
    for trial in subject.made:
        is_release = isinstance(trial.result, Release)
        if is_release != subject.publishes_table:
            yield f"publishes is {subject.method.publishes!r}, but a {type(trial.result).__name__} comes out"
        if not isinstance(trial.result.frame, pd.DataFrame):
            yield f"the frame of its result is a {type(trial.result.frame).__name__}"


@must("named in the result", "The result names the method that made it, with its parameters.")
def _named(subject: MethodSubject) -> Iterator[str]:
    for trial in subject.made:
        if trial.result.method != subject.method:
            yield f"the result says that {trial.result.method} made it, not {subject.method}"


@must("info", "``info`` of the result is a dict whose keys are texts.")
def _info(subject: MethodSubject) -> Iterator[str]:
    for trial in subject.made:
        info = trial.result.info
        if not isinstance(info, dict):
            yield f"info is a {type(info).__name__}, not a dict"
        elif not all(isinstance(key, str) for key in info):
            yield f"info has a key that is no text: {next(key for key in info if not isinstance(key, str))!r}"


@must("input unchanged", "The table that was given stays as it was: codes, values, roles, order.")
def _input(subject: MethodSubject) -> Iterator[str]:
    # made for this alone: the others may have been changed already
    for case in [ordinary(subject.seed, subject.method.most_values), nasty("missing values everywhere", subject.seed)]:
        table = case.table
        before, attributes = state_of(table), dict(table.attributes)
        run(subject.method, case)
        for what, old in before.items():
            if old != state_of(table)[what]:
                yield f"the {what} of the table is not what it was before"
        if any(table.attributes[name] is not old for name, old in attributes.items()):
            yield "an attribute of the table was replaced"


def state_of(table: Table) -> dict[str, object]:
    """Collect everything that could change, as values that can be compared."""
    codes = {f"column {name!r}": table.codes(name).tobytes() for name in table.columns}
    values = {f"domain of {name!r}": list(map(str, each.domain)) for name, each in table.attributes.items()}
    return codes | values | {"roles": str(roles(table)), "index": list(table.index), "order of columns": table.columns}


@must("same bytes", "The same table, parameters and seed give the same bytes, however often.")
def _same_bytes(subject: MethodSubject) -> Iterator[str]:
    for trial in [*subject.everyday, *map(subject.run, subject.nasty.values())]:
        again = run(subject.method, trial.case)
        if again.written != trial.written or told_of(again.error) != told_of(trial.error):
            yield f"a second run on {trial.case.name} publishes something else"


def told_of(error: Exception | None) -> str:
    return "" if error is None else told(error)


@must("no other randomness", "It neither reads nor moves the random numbers of Python and numpy; only seed= decides.")
def _randomness(subject: MethodSubject) -> Iterator[str]:
    yield from other_randomness(lambda: run(subject.method, subject.ordinary[0]).written)


def other_randomness(work: Callable[[], Hashable]) -> Iterator[str]:
    """Say whether work moves the global random numbers, or gives something else when they differ."""
    saved = random.getstate(), np.random.get_state()
    try:
        outcomes = set()
        for seed in (1, 2):
            random.seed(seed)
            np.random.seed(seed)
            before = random.getstate(), np.random.get_state()
            outcomes.add(work())
            after = random.getstate(), np.random.get_state()
            if before[0] != after[0] or any(np.any(one != two) for one, two in zip(before[1], after[1], strict=True)):
                yield "it moves the global random numbers; use np.random.default_rng(self.seed)"
        if len(outcomes) > 1:
            yield "what comes out depends on the global random numbers; use np.random.default_rng(self.seed)"
    finally:
        random.setstate(saved[0])
        np.random.set_state(saved[1])


@must("a fresh process", "A fresh process, with another PYTHONHASHSEED, publishes the same bytes.", thorough=True)
def _fresh(subject: MethodSubject) -> Iterator[str]:
    cases = [*subject.ordinary, *subject.nasty.values()]
    elsewhere = published_elsewhere([subject.method], subject.seed)[0]
    for case, written in zip(cases, elsewhere, strict=True):
        if written != subject.run(case).written:
            yield f"another process publishes something else of {case.name}"


@must("threads", "It works in a thread, and two at once publish what each alone does.")
def _threads(subject: MethodSubject) -> Iterator[str]:
    with warnings.catch_warnings(), ThreadPoolExecutor(2) as pool:
        warnings.simplefilter("ignore")
        # threads share the output, so nothing is redirected here
        results = list(pool.map(lambda case: _outcome(subject.method, case), subject.ordinary[:2]))
    for case, result in zip(subject.ordinary, results, strict=False):
        expected = subject.run(case)
        if isinstance(result, Exception) and expected.error is None:
            yield f"in a thread it raises {told(result)}"
        elif not isinstance(result, Exception) and published(result) != expected.written:
            yield "in a thread it publishes something else"


def _outcome(method: Any, case: TriedTable) -> Any:
    try:
        return method.anonymize(case.table)
    except Exception as error:
        return error


@must("pickled results", "The pickled method publishes the same bytes, and so does the pickled result.")
def _pickled(subject: MethodSubject) -> Iterator[str]:
    trial = subject.first
    if trial.error is not None:
        return
    if run(pickle.loads(pickle.dumps(subject.method)), trial.case).written != trial.written:
        yield "after pickling the method publishes something else"
    if published(pickle.loads(pickle.dumps(trial.result))) != trial.written:
        yield "the pickled result publishes something else"


@must("index", "The index of the table does not matter and is not published.")
def _index(subject: MethodSubject) -> Iterator[str]:
    trial = subject.first
    table = trial.table
    names = [f"row-{number}-" for number in np.random.default_rng(subject.seed).permutation(len(table))]
    renamed = Table._of(
        table.attributes, {name: table.codes(name) for name in table.columns}, table._roles, pd.Index(names)
    )
    again = run(subject.method, TriedTable("another index", renamed))
    if b"row-" in again.written:
        yield "the index of the table is published"
    if again.written != trial.written:
        yield "the same rows with another index are published otherwise"


@must(
    "row order",
    "The same rows in another order are published alike; or order_matters is True.",
    applies=lambda s: not s.method.order_matters,
)
def _row_order(subject: MethodSubject) -> Iterator[str]:
    rng = np.random.default_rng(subject.seed)
    for trial in subject.made:
        for _ in range(2 if trial in subject.everyday else 1):
            mixed = TriedTable(trial.case.name, trial.table.take(rng.permutation(len(trial.table))), trial.case.reader)
            if run(subject.method, mixed).written != trial.written:
                yield f"rows of {trial.case.name} in another order are published otherwise; set order_matters = True"


@must(
    "published order",
    "Rows are published in an order that follows from what they show, not from the table's.",
    applies=lambda s: s.publishes_table,
)
def _published_order(subject: MethodSubject) -> Iterator[str]:
    rng = np.random.default_rng(subject.seed)
    for trial in subject.everyday:
        if trial.error is None and len(trial.result):
            mixed = trial.result.take(rng.permutation(len(trial.result)))
            if published(mixed) != trial.written or _in_original_order(trial):
                yield f"the published rows of {trial.case.name} stand in the order of the table"


def _in_original_order(trial: Any) -> bool:
    """Say whether the text has the secrets of the table in the table's order; by chance it hardly ever has."""
    if trial.result.synthetic:
        return False
    name = trial.table.sensitive[0]
    originals = list(map(str, trial.table.frame[name].iloc[trial.result.rows]))
    return name in trial.text.header and originals == trial.text.column(name) and len(set(originals)) > 1


# ---- manners ----------------------------------------------------------------------------------------------------


@must("prints nothing", "It prints nothing; what there is to say stands in info.")
def _silent(subject: MethodSubject) -> Iterator[str]:
    for trial in subject.everyday:
        if trial.printed:
            yield f"it prints {trial.printed.splitlines()[0][:80]!r}"


@must("stays as it is", "Running it does not change it.")
def _stays(subject: MethodSubject) -> Iterator[str]:
    yield from making.changed_by(subject.method, lambda twin: run(twin, subject.ordinary[0]))


@must("progress changes nothing", "With progress=tqdm-like and with progress=None the same bytes are published.")
def _progress(subject: MethodSubject) -> Iterator[str]:
    trial = subject.first
    for progress in (None, _Bar()):
        again = run(subject.method, trial.case, progress=progress)
        if again.error is not None and trial.error is None:
            yield f"with progress={'None' if progress is None else 'a bar'} it raises {told(again.error)}"
        elif again.written != trial.written:
            yield "with a progress bar it publishes something else"


@must(
    "progress is called",
    f"A method that takes fewer than {LONG:,} rows in seconds calls progress.",
    applies=lambda s: s.method.rows_in_seconds < LONG,
)
def _progress_called(subject: MethodSubject) -> Iterator[str]:
    bar = _Bar()
    for case in subject.ordinary:
        run(subject.method, case, progress=bar)
    if not bar.calls:
        yield f"rows_in_seconds is {subject.method.rows_in_seconds:,}, and progress is never called"


class _Bar:
    """Like tqdm: called with an iterable and options, passes it through, and counts."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, iterable: Iterable, **options: Any) -> Iterator:
        self.calls += 1
        yield from iterable
