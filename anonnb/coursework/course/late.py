"""Late rules: deadline, grace, points or per cent per started day, a cap, a last day, exemptions with their reasons.

Reading chosen: whoever is within the grace is not late; after it days count from the deadline itself, and a day that
has begun counts whole. Per cent are of the points that can be had, so that a day costs everybody the same. No
deduction exceeds what was earned. Every deduction is a sentence that a student can check.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from anonnb.coursework.course.sheets import shown_number
from anonnb.coursework.course.times import time_in

DAY = timedelta(days=1)
_UNITS = {"minute": timedelta(minutes=1), "hour": timedelta(hours=1), "day": DAY, "week": timedelta(weeks=1)}
_KEYS = ("deadline", "grace", "per_day", "cap", "closed_after")


@dataclass(frozen=True)
class Amount:
    """Points, or a share of the points that can be had."""

    number: float
    percent: bool = False

    @classmethod
    def read(cls, text: str, where: str) -> Amount:
        """
        >>> Amount.read("10 %", "per_day").points(85), Amount.read("5 points", "per_day").points(85)
        (8.5, 5.0)
        """
        found = re.fullmatch(r"\s*(\d+(?:[.,]\d+)?)\s*(%|points?)\s*", str(text))
        if not found:
            raise ValueError(f"{where}: write {text!r} like 10 % or 5 points")
        return cls(float(found[1].replace(",", ".")), found[2] == "%")

    def points(self, most: float) -> float:
        return self.number * most / 100 if self.percent else self.number

    def said(self, most: float) -> str:
        of = f" of {shown_number(most)} points" if self.percent else ""
        return f"{shown_number(self.number)} {'%' if self.percent else 'points'}{of}"


@dataclass(frozen=True)
class Deduction:
    """The points that lateness costs, and why; ``days`` have begun after the deadline."""

    points: float = 0
    days: int = 0
    why: str = ""


@dataclass(frozen=True)
class LateRule:
    """What holds for one assignment."""

    deadline: datetime
    grace: timedelta = timedelta(0)
    per_day: Amount = Amount(0)
    cap: Amount | None = None
    closed_after: timedelta | None = None

    def deduction(self, when: datetime, earned: float, most: float) -> Deduction:
        """What is lost of ``earned`` points out of ``most``.

        >>> rule = LateRule(time_in("2026-11-30T12:00+00:00"), per_day=Amount(10, percent=True))
        >>> rule.deduction(time_in("2026-12-01T13:00+00:00"), 60, 80).points
        16.0
        """
        over = when - self.deadline
        if over <= timedelta(0):
            return Deduction()
        stated = f"handed in {_moment(when)}, {_span(over)} after the deadline {_moment(self.deadline)}"
        if over <= self.grace:
            return Deduction(0, 0, f"{stated}: within the grace of {_span(self.grace)}, nothing is taken off")
        days = math.ceil(over / DAY)
        if self.closed_after is not None and over > self.closed_after:
            return Deduction(earned, days, f"{stated}: later than {_span(self.closed_after)} counts nothing")
        lost = days * self.per_day.points(most)
        why = f"{stated}: {days} started {'day' if days == 1 else 'days'} at {self.per_day.said(most)} each"
        if self.cap is not None and lost > self.cap.points(most):
            lost, why = self.cap.points(most), f"{why}, at most {self.cap.said(most)}"
        if lost > earned:
            lost, why = earned, f"{why}, but no more than was earned"
        return Deduction(lost, days, why)


@dataclass(frozen=True)
class Exemption:
    """A student's own deadline, or none at all; with the reason, which stands in the explanation."""

    until: datetime | None = None
    reason: str = ""


@dataclass(frozen=True)
class LateRules:
    """The rule of every assignment, and who is exempt."""

    usual: LateRule | None
    assignments: Mapping[str, LateRule] = field(default_factory=dict)
    exempt: Mapping[str, Exemption] = field(default_factory=dict)

    @classmethod
    def read(cls, path: str | os.PathLike) -> LateRules:
        """A YAML file; the guide has one to copy."""
        import yaml

        path = Path(path)
        try:
            text = path.read_text(encoding="utf-8-sig")
            found = yaml.load(text, yaml.BaseLoader) or {}
        except OSError as error:
            raise ValueError(f"{os.fspath(path)!r} cannot be read: {error.strerror}") from None
        except (yaml.YAMLError, UnicodeError):
            raise ValueError(f"{path.name} is not YAML; write lines such as deadline: 2026-11-30T23:59") from None
        _known_keys(found, (*_KEYS, "assignments", "exempt"), path.name)
        usual = {key: found[key] for key in _KEYS if key in found}
        of_each = found.get("assignments") or {}
        _known_keys(of_each, None, f"{path.name}, assignments")
        rules = {
            name: _rule({**usual, **_some(own, f"{path.name}, {name}")}, f"{path.name}, {name}")
            for name, own in of_each.items()
        }
        exempt = found.get("exempt") or {}
        _known_keys(exempt, None, f"{path.name}, exempt")
        return cls(
            _rule(usual, path.name) if "deadline" in usual else None,
            rules,
            {student: _exemption(own, f"{path.name}, exempt, {student}") for student, own in exempt.items()},
        )

    def rule(self, assignment: str) -> LateRule | None:
        return self.assignments.get(assignment, self.usual)

    def deduction(self, student: str, assignment: str, when: datetime, earned: float, most: float) -> Deduction:
        """What a student loses; nothing where no rule holds."""
        rule, exemption = self.rule(assignment), self.exempt.get(student)
        if rule is None:
            return Deduction()
        if exemption is None:
            return rule.deduction(when, earned, most)
        reason = f" ({exemption.reason})" if exemption.reason else ""
        if exemption.until is None:
            late = rule.deduction(when, earned, most)
            return Deduction(0, 0, f"exempt from the deadline{reason}" if late.why else "")
        own = replace(rule, deadline=max(rule.deadline, exemption.until)).deduction(when, earned, most)
        granted = f"the deadline was extended to {_moment(exemption.until)}{reason}"
        return replace(own, why=f"{granted}; {own.why}" if own.why else granted if when > rule.deadline else "")


def _rule(given: Mapping[str, str], where: str) -> LateRule:
    if "deadline" not in given:
        raise ValueError(f"{where}: there is no deadline; write deadline: 2026-11-30T23:59")
    if "per_day" not in given and "closed_after" not in given:
        raise ValueError(f"{where}: say what a late day costs, such as per_day: 10 %, or closed_after: 0 days")
    return LateRule(
        _time(given["deadline"], f"{where}, deadline"),
        _period(given.get("grace", "0 minutes"), f"{where}, grace"),
        Amount.read(given.get("per_day", "0 points"), f"{where}, per_day"),
        Amount.read(given["cap"], f"{where}, cap") if "cap" in given else None,
        _period(given["closed_after"], f"{where}, closed_after") if "closed_after" in given else None,
    )


def _exemption(given: Any, where: str) -> Exemption:
    if isinstance(given, str):
        return Exemption(_time(given, where) if given.strip() and given.strip() != "all" else None)
    _known_keys(given, ("until", "reason"), where)
    return Exemption(_time(given["until"], where) if given.get("until") else None, str(given.get("reason") or ""))


def _some(given: Any, where: str) -> Mapping[str, str]:
    if isinstance(given, str) and given.strip():
        return {"deadline": given}
    _known_keys(given or {}, _KEYS, where)
    return given or {}


def _known_keys(given: Any, known: tuple[str, ...] | None, where: str) -> None:
    if not isinstance(given, Mapping):
        raise ValueError(f"{where}: write lines such as name: value, not {given!r}")
    strange = [key for key in given if known is not None and key not in known]
    if strange:
        raise ValueError(f"{where}: {strange[0]!r} is not known; known are {', '.join(known)}")


def _time(text: str, where: str) -> datetime:
    try:
        return time_in(str(text))
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def _period(text: str, where: str) -> timedelta:
    found = re.fullmatch(r"\s*(\d+)\s*(minute|hour|day|week)s?\s*", str(text))
    if not found:
        raise ValueError(f"{where}: write {text!r} like 30 minutes, 2 hours or 7 days")
    return int(found[1]) * _UNITS[found[2]]


def _moment(when: datetime) -> str:
    return when.strftime("%Y-%m-%d %H:%M")


def _span(span: timedelta) -> str:
    """
    >>> _span(timedelta(days=1, minutes=5)), _span(timedelta(seconds=20))
    ('1 day 5 minutes', 'less than a minute')
    """
    minutes = int(span.total_seconds() // 60)
    parts = [(minutes // 1440, "day"), (minutes // 60 % 24, "hour"), (minutes % 60, "minute")]
    said = [f"{number} {unit}{'' if number == 1 else 's'}" for number, unit in parts if number]
    return " ".join(said) or "less than a minute"
