"""Two published files, people and secrets: named together, read back as text and recounted together.

``people.csv`` names the group of every row, ``people-secrets.csv`` the secrets of every group with their counts (Xiao
and Tao 2006). Like the rest of the verification, this shares nothing with the writer. An empty cell is no secret.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from anonnb.core.card import Claim
from anonnb.core.wording import join_names
from anonnb.files.text_table import TextTable, read_as_text
from anonnb.publishing.verification import (
    Expectation,
    Recount,
    VerificationReport,
    named_people,
    verify_file,
    without_apostrophes,
)

_NO_SECRET = ("", None)


def secrets_path(path: Path) -> Path:
    """Return the second file of a pair.

    >>> secrets_path(Path("data/people.csv")).name
    'people-secrets.csv'
    """
    return path.with_name(f"{path.stem}-secrets{path.suffix}")


def secrets_beside(path: Path) -> Path | None:
    """Return the second file of a pair if it is beside the first."""
    second = secrets_path(path)
    return second if second.is_file() else None


def without_secrets(expected: Expectation, group: str) -> Expectation:
    """Return what is expected of the first file: a group instead of secrets, and no promises about classes."""
    cells = {name: numbers for name, numbers in expected.cells.items() if name not in expected.sensitive}
    return replace(expected, sensitive=(), claims=(), cells=cells, other=(*expected.other, group))


def verify_pair(
    people: Path,
    secrets: Path,
    expected: Expectation,
    names: Sequence[str],
    claims: Sequence[Claim],
    layout: Mapping[str, str] | None = None,
) -> VerificationReport:
    """Recount two files: the first by itself, and the belief in each secret that both allow.

    ``names`` are the columns of the second file: group, secret, count and, where there may be any, counterfeits;
    ``layout`` says how both files are written (``sep``, ``encoding``).
    """
    layout = layout or {}
    first = verify_file(people, expected, **layout)
    second = without_apostrophes(read_as_text(secrets, **layout), names)
    findings = [one for one in first.findings if one.what not in ("promise", f"rare values of {names[0]}")]
    figures = dict(first.figures)
    lost = [name for name in names if name not in second.names]
    strange = [name for name in second.names if name not in names]
    if lost or strange or len(names) not in (3, 4):
        sentence = f"the columns of {secrets.name} are not {join_names(names)}; publish it again"
        return VerificationReport((*findings, Recount("secrets", False, sentence)), figures)
    groups = without_apostrophes(read_as_text(people, **layout), names[:1])
    if names[0] not in groups.texts:
        sentence = f"{people.name} has no column {names[0]!r}, which {secrets.name} has; publish both again"
        return VerificationReport((*findings, Recount("groups", False, sentence)), figures)
    findings += [finding for finding in named_people(second, expected) if not finding.passed]
    findings += _recounts(groups, second, names, claims, figures)
    return VerificationReport(tuple(findings), figures)


def _recounts(
    people: TextTable, secrets: TextTable, names: Sequence[str], claims: Sequence[Claim], figures: dict[str, float]
) -> Iterator[Recount]:
    group, secret, count, *counterfeits = map(str, names)
    index = {text: number for number, text in enumerate(secrets.texts[group])}
    numbers = np.array([index.get(text, -1) for text in people.texts[group]], dtype=np.int64)
    unknown = [text for text, number in zip(people.texts[group], numbers, strict=True) if number < 0]
    if unknown or len(index) != len(numbers):
        yield Recount("groups", False, "the two files do not name the same groups; publish them again")
        return
    owner, times = secrets.numbers[group], _whole(secrets, count)
    rows = np.bincount(numbers[people.numbers[group]], minlength=len(index))
    listed_rows = np.bincount(owner, weights=times, minlength=len(index))
    invented = np.zeros(len(index))
    for name in counterfeits:
        invented[owner] = _whole(secrets, name)
    if (rows + invented != listed_rows).any():
        yield Recount("groups", False, "the counts of a group are not its rows in the other file; publish both again")
        return
    yield Recount("groups", True, f"the counts of all {len(index):,} groups are those of their rows")
    figures |= {"groups": len(index), "highest belief": _highest(owner, secrets, secret, times, len(index))}
    if not claims:
        sentence = (
            f"nothing is promised; the highest belief in a value of {secret!r} is {figures['highest belief']:.4g}"
        )
        yield Recount("promise", None, sentence)
    for claim in claims:
        if claim.model == "Belief":
            yield _belief(claim, secret, figures["highest belief"])
        else:
            sentence = f"{claim.text} is not recounted, as {secret!r} is published per group"
            yield Recount(claim.text, None, f"{sentence}; the highest belief is {figures['highest belief']:.4g}")


def _whole(table: TextTable, name: str) -> np.ndarray:
    """Return the whole numbers of a column; NaN, which equals nothing, if a cell holds none."""
    texts = [text if text is not None and text.isascii() and text.isdigit() else "nan" for text in table.texts[name]]
    return np.array(texts, dtype=float)[table.numbers[name]]


def _highest(owner: np.ndarray, secrets: TextTable, secret: str, times: np.ndarray, groups: int) -> float:
    """Return the largest share of one secret among the known ones of a group; 0 if none is known."""
    texts = secrets.texts[secret]
    known = np.array([text not in _NO_SECRET for text in texts], dtype=bool)[secrets.numbers[secret]]
    keys, pair = np.unique(owner[known] * np.int64(len(texts)) + secrets.numbers[secret][known], return_inverse=True)
    together = np.bincount(pair, weights=times[known], minlength=len(keys))
    sizes = np.bincount(owner[known], weights=times[known], minlength=groups)
    return float((together / sizes[keys // max(len(texts), 1)]).max(initial=0.0))


def _belief(claim: Claim, secret: str, highest: float) -> Recount:
    if highest <= 1 / claim.parameters["l"] + 1e-9:
        return Recount("belief", True, f"no value of {secret!r} has a share above {highest:.4g} in a group")
    sentence = f"{claim.text} is promised, but a group gives a value of {secret!r} a share of {highest:.4g}"
    return Recount("belief", False, f"{sentence}; anonymize the table again")
