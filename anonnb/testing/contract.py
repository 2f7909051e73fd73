"""Properties of a contract: small named functions that look at a subject and say in a sentence what is wrong.

A property yields a sentence for each thing it finds wrong. An error that it does not expect is a finding as well, so a
subject that crashes fails the property during which it crashed and no other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

COLUMNS = ["property", "passed", "sentence"]
REFUSALS = (ValueError, TypeError, KeyError)  # Infeasible is a ValueError
_TWO_SENTENCES = re.compile(r"[.!?]\s+[A-Z][a-z]+ ")

Check = Callable[[Any], Iterable[str]]  # what is wrong with a subject, a sentence each


class BrokenContract(AssertionError):
    """A class breaks properties of its contract.

    ``report`` is the frame of all properties, ``failed`` names the broken ones.

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
    """Put findings into a frame: property, passed, sentence."""
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
        """Report the first thing that is wrong, or that all is well."""
        try:
            wrong = next(iter(self.check(subject)), None)
        except Exception as error:
            wrong = f"it raises {told(error)}"
        return Finding(self.name, wrong is None, self.sentence if wrong is None else wrong)


@dataclass
class Contract:
    """The properties of one kind of subject; modules add theirs with :meth:`must`."""

    properties: list[Property] = field(default_factory=list)

    def must(
        self, name: str, sentence: str, *, applies: Callable[[Any], bool] = _always, thorough: bool = False
    ) -> Callable[[Check], Check]:
        """Decorator: add a property; ``thorough`` ones take seconds and are tested only on request."""

        def add(check: Check) -> Check:
            self.properties.append(Property(name, sentence, check, applies, thorough))
            return check

        return add

    def findings(self, subject: Any, *, thorough: bool, exempt: Mapping[str, str]) -> Iterator[Finding]:
        """Report what holds of a subject, one finding per property that applies to it."""
        unknown = set(exempt) - {each.name for each in self.properties}
        if unknown:
            yield Finding("exemptions", False, f"exempt names {sorted(unknown)[0]!r}, which is no property")
        for each in self.properties:
            if each.name in exempt:
                yield Finding(each.name, True, f"not asked: {exempt[each.name]}")
            elif (thorough or not each.thorough) and each.applies(subject):
                yield each.finding(subject)


def settle(subject: object, findings: Iterable[Finding], *, report: bool) -> pd.DataFrame:
    """Return the frame of all findings; raise BrokenContract when one is bad, unless only a report is wanted."""
    results = list(findings)
    if not report and not all(finding.passed for finding in results):
        raise BrokenContract(subject, results)
    return frame(results)


# ---- how errors must read: one sentence that names the parameter, the column or the table it is about ----------------


def message(error: BaseException) -> str:
    """Return what an error says; for a KeyError, without the quotes around its message."""
    return str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)


def told(error: BaseException) -> str:
    """Write an error in a line: its class and the beginning of its message."""
    lines = message(error).splitlines() or [""]
    return f"{type(error).__name__}: {lines[0][:200]}"


def badly_said(error: BaseException, names: Iterable[object] = ()) -> str | None:
    """Say what is wrong with the message of an error, or None.

    ``names`` are what it may be about: parameters, columns. The table, its rows, and k will do as well.

    >>> badly_said(ValueError("k must be at least 1, not 0"), ["k"])
    >>> badly_said(ValueError("something went wrong"), ["k"])
    "names no parameter and no column: 'something went wrong'"
    >>> badly_said(IndexError("index 7 is out of bounds"))
    "is a bare IndexError: 'index 7 is out of bounds'"
    """
    text = message(error)
    if not isinstance(error, REFUSALS):
        return f"is a bare {type(error).__name__}: {text[:120]!r}"
    if not text.strip() or "\n" in text.strip():
        return f"is not one line: {text[:120]!r}"
    if _TWO_SENTENCES.search(re.sub(r"'[^']*'|\"[^\"]*\"|«[^»]*»", "", text)):
        return f"is more than a sentence: {text[:200]!r}"
    known = [str(name) for name in names] + ["table", "row", "release", "column", "group", "tree", "rule"]
    if not any(re.search(rf"(?<!\w){re.escape(name)}", text) for name in known if name):
        return f"names no parameter and no column: {text[:120]!r}"
    return None
