"""The gate: read a published file back as text and recount everything that is promised about it.

Nobody should have to trust the code that made a release, so the gate shares nothing with methods, models and the writer
(see also ``files.text_table`` and ``recounting``). A file that fails is not published. Columns that are published as
they are count as quasi-identifiers, unless somebody declares that nobody outside can know them. If the table names
people, the gate counts people instead of rows.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.card import Claim
from anonnb.core.errors import Advice, Message, advice
from anonnb.core.wording import join_names, percent, pluralize
from anonnb.files.personal_texts import WORD, IdentifierNames, personal_texts
from anonnb.files.text_table import TextTable, read_as_text
from anonnb.publishing.expectation import Expectation, Recount, VerificationReport
from anonnb.publishing.recounting import (
    POPULATION,
    RISKS,
    NotCountableError,
    Secrets,
    by_household,
    classes_of,
    judge_households,
    members,
    population_per_class,
    weight_fault,
    worst,
    worst_risk,
)

__all__ = ["Expectation", "Recount", "VerificationError", "VerificationReport", "verify_file", "verify_table"]
COMPARED = (
    "TCloseness",
    "BetaLikeness",
    "DeltaDisclosure",
)  # compare with all rows; a file shows those published
_NEARLY_ALL = 0.95  # share of rows with a value of their own from which on a column names people
_FEWEST_ROWS = 20  # with fewer rows that says nothing
_FEW = 5  # rows with the same value that are few, if no k is promised


class VerificationError(ValueError):
    """A file breaks what is promised about it, so it is not published.

    Parameters
    ----------
    path, report:
        The file, and all that was recounted.

    Examples
    --------
    >>> report = VerificationReport((Recount("k", False, "one class has a single row"),), {})
    >>> raise VerificationError("people.csv", report)
    Traceback (most recent call last):
    ...
    anonnb.publishing.verification.VerificationError: people.csv is not published: one class has a single row
    """

    def __init__(self, path: str | os.PathLike[str], report: VerificationReport):
        first, *others = report.failures
        further = f" ({len(others)} more failure{'s' * (len(others) > 1)})" if others else ""
        what = f"{Path(path).name} is not published: "
        text = first if isinstance(first, Message) else Message(str(first))
        super().__init__(Message(what + text.problem, *text.advice, Advice("", (), otherwise=further)))
        self.report = report


def verify_file(
    path: str | os.PathLike[str], expected: Expectation, *, sep: str = ",", encoding: str = "utf-8-sig"
) -> VerificationReport:
    """Read a published file as text and recount what is expected of it.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "people.csv"
    >>> _ = path.write_text("zip,ill\\n1*,flu\\n1*,cold\\n2*,flu\\n")
    >>> two = Claim("KAnonymity", {"k": 2}, "k = 2")
    >>> report = verify_file(path, Expectation(quasi=("zip",), sensitive=("ill",), claims=(two,)))
    >>> print(report.failures[0])
    k = 2 is promised, but 1 of 2 classes holds fewer rows, the smallest 1; anonymize the table again
    """
    return verify_table(read_as_text(path, sep, encoding), expected)


def verify_table(table: TextTable, expected: Expectation) -> VerificationReport:
    """Recount what is expected of a file that was read."""
    wanted = {*expected.known, *expected.sensitive, *expected.unknown_outside, *expected.other, *expected.identifiers}
    table = without_apostrophes(table, wanted)
    figures: dict[str, float] = {"rows": table.rows}
    findings = [*_columns(table, expected), *named_people(table, expected)]
    if not [name for name in expected.known if name not in table.texts]:
        findings += [*_rows(table, expected), *_promises(table, expected, figures)]
    return VerificationReport(tuple(findings), figures)


def without_apostrophes(table: TextTable, wanted: Collection[str]) -> TextTable:
    """Remove the apostrophe that a file for spreadsheets has before a name that begins like a formula."""
    names = {name: name[1:] if name[:1] == "'" and name[1:] in wanted else name for name in table.texts}
    return TextTable(
        tuple(names.values()),
        table.rows,
        {names[name]: numbers for name, numbers in table.numbers.items()},
        {names[name]: texts for name, texts in table.texts.items()},
    )


# ---- columns and rows ----------------------------------------------------------------------------------------------


def _columns(table: TextTable, expected: Expectation) -> Iterator[Recount]:
    numbered = {expected.household} & set(table.names)  # its numbers are new ones
    identifiers = [name for name in expected.identifiers if name not in numbered]
    named = [name for name in identifiers if name in table.texts]
    if named:
        sentence = f"the identifier {join_names(named)} stands in the file; leave it out"
        yield Recount("identifiers", False, sentence)
    elif identifiers:
        yield Recount("identifiers", True, f"the file has no column {' or '.join(map(repr, identifiers))}")
    lost = [name for name in (*expected.known, *expected.sensitive) if name not in table.texts]
    if lost:
        yield Recount("columns", False, f"the file lacks the column {join_names(lost)}; anonymize the table again")
    allowed = {*expected.known, *expected.sensitive, *expected.unknown_outside, *expected.other, expected.household}
    strange = [name for name in table.names if name not in allowed and name not in named]
    if strange:
        sentence = f"nobody gave the column {join_names(strange)} a role; leave it out, or give it one"
        yield Recount("columns", False, sentence)
    if not lost and not strange:
        yield Recount("columns", True, "every column of the file has a role")
    alone = [name for name in expected.also if name in table.texts and _tells_rows_apart(table, name)]
    if alone:
        yield Recount("unique values", False, _naming(alone))
    yield from _rare_values(table, expected)


def _rare_values(table: TextTable, expected: Expectation) -> Iterator[Recount]:
    """Name the columns that are no quasi-identifiers and whose values few rows share: households have them, say."""
    k = max((claim.parameters["k"] for claim in expected.claims if "k" in claim.parameters), default=_FEW)
    free = {*expected.sensitive, *expected.unknown_outside, *expected.other} - {*expected.known}
    for name in [name for name in table.names if name in free and table.rows >= _FEWEST_ROWS]:
        counts = table.counts(name)
        rare = int(counts[counts < k].sum())
        if 2 * rare < table.rows:
            continue
        same = f", and all rows of one {expected.within[name]!r} have the same" if name in expected.within else ""
        sentence = (
            f"{name!r} has {len(counts):,} different values{same}: {percent(rare / table.rows, 0)} of the rows share "
            f"theirs with fewer than {k - 1} others, so anyone who learns one finds the rows; the file cannot show who "
            "could"
        )
        yield Recount(f"rare values of {name}", None, sentence)


def named_people(table: TextTable, expected: Expectation) -> Iterator[Recount]:
    """Look for identifiers, e-mail addresses, telephone and identity numbers inside the texts of every column."""
    names = IdentifierNames(value for values in expected.identities.values() for value in values)
    clean = True
    for name in table.names:
        counts = table.counts(name)
        rows = {kind: int(counts[flags].sum()) for kind, flags in personal_texts(table.texts[name], names).items()}
        word = rows.pop(WORD, 0)
        if rows:
            clean = False
            kinds = ", ".join(f"{kind} in {pluralize(count, 'row')}" for kind, count in rows.items())
            yield _named_in(name, f"the texts of {name!r} hold {kinds}", name in expected.may_name)
        if word:
            sentence = f"{pluralize(word, 'row')} of {name!r} may name somebody: a text holds {WORD}, perhaps by chance"
            yield Recount("names in texts", None, sentence)
    if clean:
        values = f"value of {' or '.join(map(repr, expected.identities))}, no " if names else ""
        sentence = f"no {values}e-mail address, telephone number or identity number was recognized inside its texts"
        yield Recount("names in texts", True, sentence)


def _named_in(name: str, problem: str, declared: bool) -> Recount:
    if declared:
        sentence = f"{problem}, and somebody declared that the column may name people"
        return Recount("names in texts", None, sentence)
    option = remedies.option("may-name", name, words=f"may_name={[name]!r}")
    message = Message(f"{problem}; remove them, or leave the column out", advice("; if it may name people: ", option))
    return Recount("names in texts", False, message)


def _naming(names: list[str]) -> Message:
    problem = f"nearly every row has its own value of {join_names(names)}, which finds it; leave {_them(names)} out"
    return Message(problem, _declared(names))


def _declared(names: list[str]) -> Advice:
    option = remedies.option("unknown-outside", ",".join(names), words=f"unknown_outside={names!r}")
    return advice("; if nobody outside can know the values: ", option)


def _them(names: list[str]) -> str:
    return "them" if len(names) > 1 else "it"


def _tells_rows_apart(table: TextTable, name: str) -> bool:
    return table.rows >= _FEWEST_ROWS and len(table.texts[name]) > _NEARLY_ALL * table.rows


def _rows(table: TextTable, expected: Expectation) -> Iterator[Recount]:
    if expected.input_rows is not None:
        yield _lost_rows(table.rows, expected.input_rows, expected)
    for name, meant in expected.cells.items():
        if len(meant) == table.rows and not _is_function(meant, table.numbers[name]):
            sentence = f"the column {name!r} of the file is not what was to be written; publish it again"
            yield Recount("cells", False, sentence)
        elif len(meant) == table.rows and not _is_function(table.numbers[name], meant):
            sentence = f"the column {name!r} writes different values as the same text; make it a column of texts"
            yield Recount("cells", False, sentence)


def _lost_rows(rows: int, whole: int, expected: Expectation) -> Recount:
    withheld = expected.suppressed
    if expected.cells:
        meant = len(next(iter(expected.cells.values())))
        if rows != meant:
            sentence = f"{rows:,} rows stand in the file, but {meant:,} were to be written; publish it again"
            return Recount("rows", False, sentence)
    elif withheld is not None and rows + withheld != whole:
        sentence = (
            f"{rows:,} published and {withheld:,} suppressed rows are not the {whole:,} of the original; publish it "
            "again"
        )
        return Recount("rows", False, sentence)
    elif rows > whole:
        sentence = f"the file has {rows:,} rows, the original only {whole:,}; name the original it was made from"
        return Recount("rows", False, sentence)
    gone = whole - rows if withheld is None else withheld
    limit = expected.most_suppressed
    if limit is not None and gone > limit * whole + 1e-9:
        sentence = f"{gone:,} of {whole:,} rows are suppressed, more than the share {limit:g} that may be"
        return Recount("rows", False, sentence)
    if withheld is None and not expected.cells:  # of a file alone nobody can say why rows are missing
        return Recount("rows", True, f"the file has {rows:,} rows, the original {whole:,}")
    return Recount("rows", True, f"{gone:,} of {whole:,} rows are suppressed; all others are in the file")


def _is_function(numbers: np.ndarray, others: np.ndarray) -> bool:
    """Return whether rows with equal numbers also have equal other numbers."""
    image = np.full(int(numbers.max(initial=0)) + 1, -1, dtype=np.int64)
    image[numbers] = others
    return bool((image[numbers] == others).all())


# ---- promises ------------------------------------------------------------------------------------------------------


def _promises(table: TextTable, expected: Expectation, figures: dict[str, float]) -> Iterator[Recount]:
    classes, count = classes_of(table, expected.known)
    usable = expected.people is None or int(expected.people[0].max(initial=-1)) < table.rows
    at_most = None
    if usable and expected.household is not None and expected.household in table.texts:
        named = table, expected.household, classes, expected.people
        try:
            (classes, count, most), (_, _, people) = by_household(*named), by_household(*named, expected.most_rows_each)
        except NotCountableError as reason:
            yield Recount("households", False, f"{reason} of the table; publish it again")
            return
        expected, at_most = replace(expected, people=people), members(classes, count, most)
    held = members(classes, count, expected.people if usable else None)
    figures |= {
        "classes": count,
        "k": int(held.min(initial=table.rows)),
        "rows that stand alone": int((held == 1).sum()),
    }
    if not expected.claims:
        yield Recount("promise", None, "nothing is promised that a file can show")
    if expected.weight in table.texts and usable:
        yield from _weights(table, expected, classes)
    for claim in expected.claims:
        if claim.model in ("KAnonymity", "AlphaK"):
            if at_most is None:
                yield _anonymity(table, expected, claim, held, usable)
            else:
                yield Recount("k", *judge_households(str(expected.household), claim, held, at_most))
        if claim.model in RISKS:
            yield _risk(expected, claim, held, usable, classes)
        elif claim.model != "KAnonymity":
            yield from _secrets(table, expected, claim, (classes, count), figures)


def _weights(table: TextTable, expected: Expectation, classes: np.ndarray) -> Iterator[Recount]:
    k = max((claim.parameters["k"] for claim in expected.claims if "k" in claim.parameters), default=_FEW)
    name = str(expected.weight)
    groups, distinct = pd.factorize(classes * np.int64(len(table.texts[name])) + table.numbers[name])
    held = -(-members(groups, len(distinct), expected.people) // expected.most_rows_each)
    fault = "" if (held >= k).all() else f"one of them is shared by {int(held.min())} of its class, fewer than {k}"
    if not fault and expected.weights is not None:
        fault = weight_fault(table, name, classes, groups, held, expected.weights, k)
    if fault:
        grouped = advice("; publish means of groups: ", remedies.python("release.with_grouped_weights()"))
        yield Recount("weights", False, Message(f"the weights in {name!r} are not published: {fault}", grouped))
        return
    sums = " and the weights of each class add up to the original ones" if expected.weights is not None else ""
    yield Recount("weights", True, f"each weight in {name!r} is shared by at least {k} of its class{sums}")
    hidden = f"the means in {name!r} do not hide the strata of the sample, which can be guessed from similar weights"
    yield Recount("strata", None, hidden)


def _anonymity(table: TextTable, expected: Expectation, claim: Claim, held: np.ndarray, usable: bool) -> Recount:
    k = claim.parameters["k"]
    who = "rows" if expected.people is None and expected.most_rows_each == 1 else expected.counted
    if not usable:
        return Recount("k", False, f"{claim.text} is promised, but the rows of the file are not those of the release")
    if expected.people is None and expected.most_rows_each > 1:
        return _anonymity_from_rows(expected, claim, held)
    small = held < k
    if not small.any():
        return Recount("k", True, f"every class holds at least {int(held.min(initial=k)):,} {who} ({claim.text})")
    if expected.also and len(expected.known) > len(expected.quasi):
        quasi = members(*classes_of(table, expected.quasi), expected.people)
        if (quasi >= k).all():
            return Recount("k", False, _undone(table, expected, claim, held))
    classes = f"{int(small.sum()):,} of {len(held):,} classes {'holds' if small.sum() == 1 else 'hold'}"
    smallest = f"{claim.text} is promised, but {classes} fewer {who}, the smallest {int(held.min())}"
    return Recount("k", False, f"{smallest}; anonymize the table again")


def _undone(table: TextTable, expected: Expectation, claim: Claim, held: np.ndarray) -> Message:
    """Return the message about columns that were published as they are and tell people apart."""
    also = [name for name in expected.also if name not in expected.quasi]
    rows = int(np.bincount(held, weights=held, minlength=2)[1]) if expected.people is None else int((held == 1).sum())
    alone = f"{percent(rows / max(table.rows, 1), 0)} of the rows stand alone, " if rows else ""
    many = len(also) > 1
    problem = (
        f"{claim.text} is promised, but with {join_names(also)}, published as {'they are' if many else 'it is'}, "
        f"{alone}the smallest class holds {int(held.min())}; leave {_them(also)} out, or make "
        f"{'them quasi-identifiers' if many else 'it a quasi-identifier'}"
    )
    return Message(problem, _declared(also))


def _risk(expected: Expectation, claim: Claim, held: np.ndarray, usable: bool, classes: np.ndarray) -> Recount:
    """Recount a limit on the probability of being found, 1 / (people of the class), or on people of the population."""
    try:
        if not usable or (expected.people is None and expected.most_rows_each > 1):
            raise NotCountableError(f"{expected.counted} have several rows, and the file does not show whose they are")
        if claim.model == POPULATION:
            held = population_per_class(classes, len(held), expected.weights, expected.people)
        figure, kept = worst_risk(claim.model, claim.parameters, held)
    except NotCountableError as reason:
        return Recount(claim.text, None, f"{claim.text} is not recounted: {reason}")
    if kept:
        return Recount(claim.text, True, f"{claim.text} holds (the file has {figure:.4g})")
    return Recount(claim.text, False, f"{claim.text} is promised, but the file has {figure:.4g}; anonymize it again")


def _anonymity_from_rows(expected: Expectation, claim: Claim, rows: np.ndarray) -> Recount:
    """Recount k in people: nobody has more than m rows, so n rows belong to at least n / m people."""
    k, max_rows = claim.parameters["k"], expected.most_rows_each
    fewest = -(-rows // max_rows)
    if (rows < k).any():
        return Recount("k", False, f"{claim.text} is promised, but the smallest class holds {int(rows.min())} rows")
    if (fewest >= k).all():
        sentence = (
            f"every class holds at least {int(fewest.min(initial=k)):,} {expected.counted}, as none has over "
            f"{max_rows:,} rows"
        )
        return Recount("k", True, f"{sentence} ({claim.text})")
    sentence = (
        f"{claim.text} is promised of {expected.counted}, but the file does not show whose its rows are: it is "
        f"certain for only {int((fewest >= k).sum()):,} of {len(rows):,} classes"
    )
    return Recount("k", None, sentence)


def _blank(secrets: Secrets, classes: np.ndarray) -> str:
    """Say how many rows are in classes of which ignoring empty cells leaves nothing to judge."""
    rows = int((secrets.sizes[classes] == 0).sum())
    share = f"{rows:,} rows ({percent(rows / max(len(classes), 1))}) stand in classes whose cells are all empty"
    return "; empty cells are ignored" + (f", and {share}" if rows else "")


def _secrets(
    table: TextTable, expected: Expectation, claim: Claim, classes: tuple[np.ndarray, int], figures: dict[str, float]
) -> Iterator[Recount]:
    names = expected.sensitive if claim.columns is None else claim.columns
    withheld = expected.suppressed if expected.input_rows is None else expected.input_rows - table.rows
    for name in names:
        if name not in table.texts:
            continue
        title = f"{claim.text}, {name}"
        try:
            if claim.model in COMPARED and withheld:
                raise NotCountableError("it compares with all rows, and the file lacks the suppressed ones")
            if expected.people is None and expected.most_rows_each > 1:
                raise NotCountableError(
                    f"{expected.counted} have several rows, and the file does not show whose they are"
                )
            ignore = claim.parameters.get("missing") == "ignore"
            given = (table, name, *classes, expected.orders.get(name), expected.people, ignore)
            secrets, by_weight = Secrets.of(*given), ""
            figure, kept = worst(claim.model, claim.parameters, secrets, name in expected.nominal)
            if kept and expected.weights is not None:
                heavy = Secrets.of(*given, expected.weights)
                weighted, kept = worst(claim.model, claim.parameters, heavy, name in expected.nominal)
                figure, by_weight = (
                    (figure, f", by survey weights {weighted:.4g}") if kept else (weighted, " by weight")
                )
            elif expected.weight is not None and expected.weights is None:
                by_weight = ", survey weights not counted, as they are unknown"
        except NotCountableError as reason:
            yield Recount(title, None, f"{claim.text} of {name!r} is not recounted: {reason}")
            continue
        figures[title] = figure
        shared = secrets.several and claim.model == "LDiversity" and claim.parameters.get("kind") == "distinct"
        if kept:
            none = f"; in no class do all {expected.counted} share a value" if shared and figure > 1 else ""
            sentence = f"{claim.text} of {name!r} holds in every class (the worst: {figure:.4g}{by_weight}{none})"
            yield Recount(title, True, sentence + (_blank(secrets, classes[0]) if ignore else ""))
        else:
            fault = (
                f"all {expected.counted} of a class share a value"
                if shared and figure == 1
                else f"a class has {figure:.4g}{by_weight}"
            )
            yield Recount(title, False, f"{claim.text} of {name!r} is promised, but {fault}; anonymize the table again")
