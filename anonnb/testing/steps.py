"""What must hold for the steps of a method or an attack: they read well and end with its result."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

from anonnb.steps.step import Steps
from anonnb.testing.attack_subject import AttackSubject
from anonnb.testing.contract import Contract
from anonnb.testing.method_making import is_sentence
from anonnb.testing.subjects import MethodSubject, published

OF_METHODS, OF_ATTACKS = Contract(), Contract()
FEW = 7  # steps to keep, so that long runs are sampled


def badly_told(told: Steps) -> Iterator[str]:
    """What is wrong with the words of some steps, except the last, whose words are generated."""
    for step in told[:-1]:
        if not step.title or "\n" in step.title:
            yield f"step {step.number} has the title {step.title!r}, which is no line"
        if not is_sentence(step.sentence):
            yield f"step {step.title!r} says {step.sentence!r}, which is no sentence"


@OF_METHODS.must("steps", "Its steps read well, and the last one is the release that anonymize gives.")
def _of_a_method(subject: MethodSubject) -> Iterator[str]:
    for found in subject.made:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            told = subject.method.steps(found.table)
            few = subject.method.steps(found.table, most=FEW)
        yield from badly_told(told)
        for run in (told, few) if subject.method.repeatable else ():
            if published(run.result) != found.written:
                yield f"the last step on {found.case.name} publishes something else than anonymize"
        if len(few) > FEW:
            yield f"of {len(told)} steps {len(few)} were kept where {FEW} were asked for"


@OF_ATTACKS.must("steps", "Its steps read well, and the last one is the result that run gives.")
def _of_an_attack(subject: AttackSubject) -> Iterator[str]:
    for found in subject.results:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            told = subject.attack.steps(found.target.published, found.target.table)
        yield from badly_told(told)
        if repr(told.result.figures) != repr(found.result.figures):
            yield f"the last step on {found.target.name} has another result than run"
