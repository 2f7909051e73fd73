"""``check_attack``: the contract of attacks, for anyone's class."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from math import isnan
from typing import Any, cast

import numpy as np
import pandas as pd

from anonnb.attacks.base import Attack
from anonnb.attacks.result import AttackResult
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column
from anonnb.testing import making
from anonnb.testing.attack_results import OF_RESULTS
from anonnb.testing.attack_subject import (
    AttackSubject,
    Attempt,
    Target,
    attempt,
    other_secrets,
    other_truth,
    strangers,
    with_secrets,
)
from anonnb.testing.cases import DECISION, SECRET, roles
from anonnb.testing.contract import Contract, badly_said, settle, told
from anonnb.testing.method_results import other_randomness, state_of
from anonnb.testing.steps import OF_ATTACKS

CONTRACT = Contract([*making.OF_ATTACKS, *OF_RESULTS.properties, *OF_ATTACKS.properties])
must = CONTRACT.must
READS = ("release", "mined")
COMPARED = {"secret": "control", "linkage": "false_links", "membership": "auc"}  # what needs a control


def check_attack(
    attack: Attack | type[Attack], *, thorough: bool = False, seed: int = 0, report: bool = False
) -> pd.DataFrame:
    """Hold an attack to its contract; raises :class:`BrokenContract` with a sentence for each property it breaks.

    Parameters
    ----------
    attack:
        An instance, or a class whose parameters all have defaults.
    thorough:
        As for :func:`check_method`; all properties of attacks are quick.
    report:
        Return the frame even if something is broken, and raise nothing.

    Returns
    -------
    pandas.DataFrame
        A row per property, with the columns property, passed and sentence.

    Examples
    --------
    >>> from anonnb.attacks import LinkageAttack
    >>> found = check_attack(LinkageAttack(), report=True)
    >>> bool(found.set_index("property")["passed"]["claims without the truth"])
    True
    """
    made = attack() if isinstance(attack, type) else attack
    if not isinstance(made, Attack):
        raise TypeError(f"check_attack needs an anonnb.attacks.base.Attack, not {type(made).__name__}")
    subject = AttackSubject(made, seed)
    return settle(made, CONTRACT.findings(subject, thorough=thorough, exempt=made.exempt), report=report)


# ---- what comes out -----------------------------------------------------------------------------------------------


@must("what it reads", "``reads`` says what it looks at: a release, or mined results.")
def _reads(subject: AttackSubject) -> Iterator[str]:
    if subject.attack.reads not in READS:
        yield f"reads is {subject.attack.reads!r}; use one of {', '.join(map(repr, READS))}"


@must("works", "It gives a result with attempts on something that is published of an ordinary table.")
def _works(subject: AttackSubject) -> Iterator[str]:
    attempts = list(map(subject.attempt, subject.targets.values()))
    if not any(trial.error is None and trial.result.attempts for trial in attempts):
        errors = [told(trial.error) for trial in attempts if trial.error is not None]
        yield f"it makes no attempt on any of {len(attempts)} releases{f'; it raises {errors[0]}' if errors else ''}"


@must(
    "control",
    "It takes a control: people with the same columns who are not in the release; members are refused.",
    applies=lambda s: s.reads_releases,
)
def _control(subject: AttackSubject) -> Iterator[str]:
    grouped, trial = subject.targets["grouped"], subject.controlled
    if subject.attempt(grouped).error is not None:
        return
    if trial.error is not None:
        yield f"with a control it raises {told(trial.error)}"
        return
    compared = getattr(trial.result, COMPARED.get(trial.result.kind, "success"))
    if (trial.result.outside is None or isnan(compared)) and not trial.result.reason:
        yield "with a control it gives neither a comparison nor a reason why not"
    elif not subject.attack.no_control and attempt(subject.attack, grouped, control=subject.table).error is None:
        yield "a control of people who are in the release is taken"


@must("scores", "Where targets have a score, it is a share from 0 to 1.")
def _scores(subject: AttackSubject) -> Iterator[str]:
    for trial in subject.all_results:
        scores = trial.result.targets.get("score", pd.Series(dtype=float))
        if not scores.between(0, 1).all():
            yield f"a score on {trial.target.name} is {scores[~scores.between(0, 1)].iloc[0]!r}"


@must("results read well", "A result shows itself in one line, in HTML too, and can be pickled.")
def _reads_well(subject: AttackSubject) -> Iterator[str]:
    for trial in subject.results:
        if "\n" in repr(trial.result) or not trial.result._repr_html_():
            yield f"the result on {trial.target.name} does not read as one line"
        if not _equal(pickle.loads(pickle.dumps(trial.result)).success, trial.result.success):
            yield "the pickled result has another success"


@must("same result", "The same release and the same table give the same result.")
def _same_result(subject: AttackSubject) -> Iterator[str]:
    for trial in subject.results:
        again = attempt(subject.attack, trial.target)
        if again.error is not None or not same(trial.result, again.result):
            yield f"a second run on {trial.target.name} gives something else"


def same(one: AttackResult, two: AttackResult) -> bool:
    """Say whether two results say the same."""
    return _equal(one.figures, two.figures) and one.targets.equals(two.targets)


def _equal(one: object, two: object) -> bool:
    """Say whether figures are equal; unknown ones are."""
    return repr(one) == repr(two)


@must(
    "without the table",
    "Without a table it uses the release's own, and gives the same result.",
    applies=lambda s: s.reads_releases,
)
def _without_table(subject: AttackSubject) -> Iterator[str]:
    for trial in subject.results:
        again = attempt(subject.attack, trial.target, None)
        if again.error is not None:
            yield f"without a table it raises {told(again.error)}"
        elif not same(trial.result, again.result):
            yield f"without a table the result on {trial.target.name} is another"


# ---- what it leaves alone ---------------------------------------------------------------------------------------


@must("input unchanged", "Neither the release nor the table is changed.")
def _input(subject: AttackSubject) -> Iterator[str]:
    for target in subject.targets.values():
        before = state_of(target.table), _content(target.published)
        attempt(subject.attack, target)
        if state_of(target.table) != before[0]:
            yield f"the table is changed ({target.name})"
        if _content(target.published) != before[1]:
            yield f"what was published is changed ({target.name})"


def _content(published: Any) -> object:
    if isinstance(published, Release):
        columns = {
            name: (column.index.tobytes(), tuple(column.sets.labels)) for name, column in published.columns.items()
        }
        rows = None if published.rows is None else published.rows.tobytes()
        return columns, rows, sorted(published.info), published.method
    frame = published if isinstance(published, pd.DataFrame) else published.frame
    return frame.astype(str).to_csv()


@must("no other randomness", "It neither reads nor moves the random numbers of Python and numpy; only seed= decides.")
def _randomness(subject: AttackSubject) -> Iterator[str]:
    for trial in subject.results[:2]:
        yield from other_randomness(partial(_result_text, subject.attack, trial.target))


@must("stays as it is", "Running it does not change it.")
def _stays(subject: AttackSubject) -> Iterator[str]:
    for trial in subject.results[:1]:
        yield from making.changed_by(subject.attack, lambda twin, target=trial.target: attempt(twin, target))


@must("prints nothing", "It prints nothing; what there is to say stands in info.")
def _silent(subject: AttackSubject) -> Iterator[str]:
    for trial in map(subject.attempt, subject.targets.values()):
        if trial.printed:
            yield f"it prints {trial.printed.splitlines()[0][:80]!r}"


@must("threads", "It works in a thread, and two at once give what each alone does.")
def _threads(subject: AttackSubject) -> Iterator[str]:
    trials = subject.results[:2]
    with warnings.catch_warnings(), ThreadPoolExecutor(2) as pool:
        warnings.simplefilter("ignore")
        again = list(pool.map(lambda each: subject.attack.run(each.target.published, each.target.table), trials))
    if not all(same(one.result, two) for one, two in zip(trials, again, strict=True)):
        yield "in a thread the result is another"


# ---- what it cannot do --------------------------------------------------------------------------------------------


def _takes(name: str, sentence: str, *targets: str) -> None:
    def check(subject: AttackSubject) -> Iterator[str]:
        for target in targets:
            if target in subject.targets:
                yield from _bad_error(subject, subject.attempt(subject.targets[target]))

    must(name, sentence)(check)


def _bad_error(subject: AttackSubject, trial: Attempt) -> Iterator[str]:
    names = [*making.parameters(subject.attack), *map(str, trial.target.table.columns), "decision", "secret", "attack"]
    if trial.error is not None and (bad := badly_said(trial.error, names)):
        yield f"on {trial.target.name} the error {bad}"


_takes(
    "suppressed rows", "Suppressed rows are no reason to crash: it copes, or refuses in a sentence.", "rows withheld"
)
_takes("nothing published", "A release without rows is no reason to crash.", "no rows")
_takes(
    "hidden values",
    "Suppressed cells, of quasi-identifiers and secrets, are no reason to crash.",
    "hidden",
    "hidden secrets",
)
_takes("several secrets", "Several sensitive columns are no reason to crash.", "several secrets")
_takes("no links", "A release that does not tell whose row is whose is attacked, or refused in a sentence.", "no links")


@must(
    "few rows",
    "A release of no row gives no attempt, and one of a single row is attacked, with a control and without.",
    applies=lambda s: s.reads_releases,
)
def _few_rows(subject: AttackSubject) -> Iterator[str]:
    for count in (0, 1):
        table = Table(subject.table.frame.iloc[:count], **roles(subject.table))
        target = Target(f"a release of {count} rows", Release.of(table), table)
        for options in ({}, {"control": strangers(subject.table)}):
            trial = attempt(subject.attack, target, **options)
            yield from _bad_error(subject, trial)
            if trial.error is None and count == 0 and trial.result.attempts:
                yield f"{trial.result.attempts} attempts are counted on {target.name}"


@must(
    "absent columns",
    "People who lack a column that the release has are attacked without it, or refused in a sentence.",
    applies=lambda s: s.reads_releases,
)
def _absent_columns(subject: AttackSubject) -> Iterator[str]:
    grouped, table = subject.targets["grouped"], subject.table
    for lacking in [*table.quasi, SECRET, DECISION]:
        people = table.select([name for name in table.columns if name != lacking])
        yield from _bad_error(subject, attempt(subject.attack, grouped, people))


@must("missing values", "Missing values, also of the secret, are no reason to crash.")
def _missing(subject: AttackSubject) -> Iterator[str]:
    for target in subject.nasty:
        if target.name.startswith("missing values"):
            yield from _bad_error(subject, subject.attempt(target))


@must("refusals in a sentence", "It attacks releases of every nasty table or refuses them in one sentence.")
def _sentences(subject: AttackSubject) -> Iterator[str]:
    for target in [*subject.targets.values(), *subject.nasty]:
        yield from _bad_error(subject, subject.attempt(target))


@must(
    "needs a secret",
    "An attack with needs_sensitive refuses a release without one.",
    applies=lambda s: s.attack.needs_sensitive,
)
def _needs_secret(subject: AttackSubject) -> Iterator[str]:
    table = subject.table.with_roles(sensitive=[], decision=None)
    trial = attempt(replace(subject.attack), Target("no secret", Release.of(table), table))
    if trial.error is None:
        yield "a release without a sensitive column is attacked"
    yield from _bad_error(subject, trial)


@must(
    "more published, more found",
    "On a release that changed nothing it succeeds at least as often as on one that hides all.",
)
def _more(subject: AttackSubject) -> Iterator[str]:
    unchanged, hidden = (subject.attempt(subject.targets[name]) for name in ("unchanged", "hidden"))
    if unchanged.error or hidden.error or not unchanged.result.attempts:
        return
    same_secret: Any = unchanged.result
    if getattr(hidden.result, "each", None):  # the worst secret may be another
        same_secret = same_secret.for_secret(getattr(hidden.result, "secret", ""))
    open_success, hidden_success = same_secret.success, hidden.result.success
    if open_success < hidden_success:
        yield f"success is {open_success:.3f} on the table as it is, {hidden_success:.3f} with all hidden"


@must(
    "claims without the truth",
    "Claims follow from what was published: another truth behind the same release changes none.",
)
def _claims(subject: AttackSubject) -> Iterator[str]:
    if not subject.reads_releases:
        yield from _mined_claims(subject)
        return
    grouped = subject.targets["grouped"]
    pairs = [(grouped, other_truth(grouped, subject.seed + 1))]
    secrets = Column.suppressed(subject.table.attributes[SECRET], len(grouped.published))
    silent = Target("no secrets", with_secrets(grouped.published, secrets), subject.table)
    pairs.append((silent, other_secrets(silent, subject.seed + 1)))
    for first, second in pairs:
        one, two = attempt(subject.attack, first), attempt(subject.attack, second)
        if one.error is None and two.error is None and claims(one) != claims(two):
            yield f"with {second.name} behind the same release it claims something else"


def _mined_claims(subject: AttackSubject) -> Iterator[str]:
    mixed = subject.table.take(
        np.random.default_rng(subject.seed).permutation(len(subject.table))[: len(subject.table) // 2]
    )
    for trial in subject.results:
        again = attempt(subject.attack, Target(trial.target.name, trial.target.published, mixed))
        if again.error is None and claims(trial) != claims(again):
            yield f"with another table behind {trial.target.name} it claims something else"


def _result_text(attack: Attack, target: Target) -> str:
    return repr(attempt(attack, target).result)


def claims(found: Attempt) -> list[tuple[str, ...]]:
    """Return what a result claims, in any order: its targets without the columns that depend on the truth."""
    targets = found.result.targets
    told_of_truth = {*cast(Attack, found.result.attack).judged, *found.target.table.columns}
    names = [name for name in targets.columns if name not in told_of_truth]
    return sorted(tuple(map(str, row)) for row in targets[names].itertuples(index=False))
