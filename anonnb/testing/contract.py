"""Properties of a contract: small named functions that look at a subject and say in a sentence what is wrong.

A property yields a sentence for each thing it finds wrong. An error that it does not expect is a finding as well, so a
subject that crashes fails the property during which it crashed and no other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from anonnb.testing.errors import told

COLUMNS = ["property", "passed", "sentence"]


class BrokenContract(AssertionError):
    """A class breaks properties of its contract.

    ``report`` is the frame of all properties, ``failed`` names the broken ones.

    Parameters
    ----------
    subject:
        What was tested.
    findings:
        The finding for each property.

    Examples
    --------
    >>> error = BrokenContract("Sieve(k=2)", [Finding("the input", False, "column 'age' was changed")])
    >>> print(error)
    Sieve(k=2) breaks 1 property of its contract:
      the input: column 'age' was changed
    """

    def __init__(self, subject: object, findings: Iterable[Finding]):
        self.report = frame(findings)
        broken = self.report[~self.report["passed"]]
        self.failed = tuple(broken["property"])
        lines = [f"  {line.property}: {line.sentence}" for line in broken.itertuples()]
        what = "property" if len(lines) == 1 else "properties"
        super().__init__("\n".join([f"{subject} breaks {len(lines)} {what} of its contract:", *lines]))


@dataclass(frozen=True)
class Finding:
    """Whether a property holds; the sentence says what must hold, what is wrong, or why it was not tested."""

    property: str
    passed: bool
    sentence: str


def frame(findings: Iterable[Finding]) -> pd.DataFrame:
    """Findings as a frame: property, passed, sentence."""
    lines = [(finding.property, finding.passed, finding.sentence) for finding in findings]
    return pd.DataFrame(lines, columns=COLUMNS).astype({"passed": bool})


def _always(subject: Any) -> bool:
    return True


@dataclass(frozen=True)
class Property:
    """What must hold (``sentence``), for which subjects (``applies``), and how to test it (``check``)."""

    name: str
    sentence: str
    check: Callable[[Any], Iterable[str]]
    applies: Callable[[Any], bool] = _always
    thorough: bool = False

    def finding(self, subject: Any) -> Finding:
        """The first thing that is wrong, or that all is well."""
        try:
            wrong = next(iter(self.check(subject)), None)
        except Exception as error:
            wrong = f"it raises {told(error)}"
        return Finding(self.name, wrong is None, self.sentence if wrong is None else wrong)


@dataclass
class Contract:
    """The properties of one kind of subject; modules add theirs with :meth:`must`."""

    properties: list[Property] = field(default_factory=list)

    def must(self, name: str, sentence: str, *, applies: Callable[[Any], bool] = _always, thorough: bool = False):
        """Decorator: add a property; ``thorough`` ones take seconds and are tested only on request."""

        def add(check: Callable[[Any], Iterable[str]]) -> Callable[[Any], Iterable[str]]:
            self.properties.append(Property(name, sentence, check, applies, thorough))
            return check

        return add

    def findings(self, subject: Any, *, thorough: bool, exempt: Mapping[str, str]) -> Iterator[Finding]:
        """What holds of a subject, one finding per property that applies to it."""
        unknown = set(exempt) - {each.name for each in self.properties}
        if unknown:
            yield Finding("exemptions", False, f"exempt names {sorted(unknown)[0]!r}, which is no property")
        for each in self.properties:
            if each.name in exempt:
                yield Finding(each.name, True, f"not asked: {exempt[each.name]}")
            elif (thorough or not each.thorough) and each.applies(subject):
                yield each.finding(subject)


def settle(subject: object, findings: Iterable[Finding], *, report: bool) -> pd.DataFrame:
    """The frame of all findings; raises BrokenContract when one of them is bad, unless only a report is wanted."""
    found = list(findings)
    if not report and not all(finding.passed for finding in found):
        raise BrokenContract(subject, found)
    return frame(found)
