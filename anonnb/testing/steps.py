"""What must hold for the steps of a method or an attack: they read well and end with its result."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

from anonnb.steps.step import Steps
from anonnb.testing.attack_subject import AttackSubject
from anonnb.testing.contract import Contract
from anonnb.testing.method_making import is_sentence
from anonnb.testing.subjects import MethodRun, MethodSubject, published

OF_METHODS, OF_ATTACKS = Contract(), Contract()
FEW = 7  # steps to keep, so that long runs are sampled


def badly_told(told: Steps) -> Iterator[str]:
    """Return what is wrong with the words of some steps, except the last, whose words are generated."""
    for step in told[:-1]:
        if not step.title or "\n" in step.title:
            yield f"step {step.number} has the title {step.title!r}, which is no line"
        if not is_sentence(step.sentence):
            yield f"step {step.title!r} says {step.sentence!r}, which is no sentence"


@OF_METHODS.must("steps", "Its steps read well, and the last one is the release that anonymize gives.")
def _of_a_method(subject: MethodSubject) -> Iterator[str]:
    lengths = []
    for trial in subject.made:
        steps = _steps_of(subject, trial)
        lengths.append(len(steps))
        yield from badly_told(steps)
        yield from _ends_elsewhere(subject, trial, steps)
    if lengths and max(lengths) > FEW:
        longest = subject.made[lengths.index(max(lengths))]
        few = _steps_of(subject, longest, most=FEW)
        yield from _ends_elsewhere(subject, longest, few)
        if len(few) > FEW:
            yield f"of {max(lengths)} steps {len(few)} were kept where {FEW} were asked for"


def _steps_of(subject: MethodSubject, trial: MethodRun, **options: int) -> Steps:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return subject.method.steps(trial.table, **options)


def _ends_elsewhere(subject: MethodSubject, trial: MethodRun, steps: Steps) -> Iterator[str]:
    if subject.method.repeatable and published(steps.result) != trial.written:
        yield f"the last step on {trial.case.name} publishes something else than anonymize"


@OF_ATTACKS.must("steps", "Its steps read well, and the last one is the result that run gives.")
def _of_an_attack(subject: AttackSubject) -> Iterator[str]:
    for trial in subject.results:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            steps = subject.attack.steps(trial.target.published, trial.target.table)
        yield from badly_told(steps)
        if repr(steps.result.figures) != repr(trial.result.figures):
            yield f"the last step on {trial.target.name} has another result than run"
