"""The officer's page: what whoever is responsible must know to decide about a file, in words that need no code.

It asks the three questions of the Article 29 Working Party (singling out, linkability, inference) and answers each with
counts of people. It shows single cells as examples if several people share them, and no row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from anonnb import attacks as registry
from anonnb.attacks.findings import learned, secret_text
from anonnb.attacks.result import AttackResult, SecretResult
from anonnb.core.card import Claim
from anonnb.core.templates import templates
from anonnb.core.wording import percent, pluralize
from anonnb.publishing.project import Project
from anonnb.publishing.verification import VerificationReport
from anonnb.tables.labels import text as as_text
from anonnb.tables.release import Release
from anonnb.tables.shown_columns import as_labels

_MIN_SHARED = 5  # rows that must show a value before it is an example
WITH_MORE = ("BackgroundAttack",)  # attacks that know more than the columns, so that others come first
_FINDING_PEOPLE = ("names in texts", "rare values")  # findings that concern the decision itself
_NAMED = 12  # columns that the first paragraph names
_DECISIONS = {
    "purpose": "purpose",
    "recipients": "recipients",
    "retention": "retention and deletion",
    "decided": "who decided what, and when",
}
_PROMISES = {
    "LDiversity distinct": "every class shows at least {l} different values of {secrets}",
    "LDiversity frequency": "no value of {secrets} has a share of 1/{l} or more in a class",
    "LDiversity entropy": "the values of {secrets} in a class are as varied as {l} equally frequent ones",
    "LDiversity recursive": "the top value of {secrets} has less than {c} times the rows of those from rank {l} on",
    "TCloseness": "the values of {secrets} are distributed in every class nearly as in the whole table: the "
    "difference is at most {t} on a scale from 0 to 1",
    "PopulationCount": "by survey weights the people of every class stand for at least {count:g} of the population",
    "AlphaK": "no value of {secrets} has a share above {alpha} in a class",
    "BetaLikeness basic": "no value of {secrets} gains more than {beta} times its share in the whole table in a class",
}
_MODELS = {name.partition(" ")[0] for name in _PROMISES} - {"PopulationCount"} | {"DeltaDisclosure"}
EXPLAINED = {  # what an attacker does, who …
    "LinkageAttack": "looks for the rows that fit a person on a list",
    "HomogeneityAttack": "reads a value off if all rows that fit a person show the same one",
    "SkewnessAttack": "bets on a value that the rows that fit a person show far more often than the whole file",
    "DeFinettiAttack": "learns from the whole file how known values and secrets go together",
    "BackgroundAttack": "can also rule out one wrong value for the person, the one that helps most",
    "ShallowAttack": "knows some columns of a person and reads another one off the rows that fit",
    "DeepAttack": "knows some columns of a person and combines rows that could belong together",
    "IntersectionAttack": "compares several releases about the same person",
    "MembershipAttack": "asks whether somebody is in the table at all",
    "SinglingOutAttack": "looks for descriptions that fit a single person",
    "ModelAttack": "trains a model on the file to predict the secret",
    "MinimalityAttack": "works out what the original must have been like for the method to choose these classes",
    "DowncodingAttack": "undoes blurring by the fact that the method could not publish anything finer",
    "RefinementAttack": "undoes blurring by the order in which the method worked",
    "ChaseAttack": "fills in hidden cells by rules that the file itself follows",
    "InferenceAttack": "combines published counts",
    "ReconstructionAttack": "computes what every table that fits published counts has in common",
}
_FURTHER = "these are not tried for a page, but anonnb attack tries them"
_MINED = "these are about published counts or rules, not about a table"
_UNTRIED = {
    "IntersectionAttack": "no earlier release with people of this file is on record",
    "MembershipAttack": "people who are not in the table would be needed, to compare with",
}


@dataclass(frozen=True)
class Outcomes:
    """What the quick attacks found: names of attacks with a result for each column attacked.

    ``unfinished`` has a sentence for everything that was not tried or did not end, ``sample`` says who was attacked if
    not everybody was.
    """

    results: Sequence[tuple[str, AttackResult]] = ()
    unfinished: Sequence[str] = ()
    sample: str = ""

    def about(self, columns: Sequence[str]) -> dict[str, list[tuple[str, SecretResult]]]:
        """Return the results about the given columns, those that are sure and right about the most people first."""
        lines = [(name, one) for name, one in self.results if isinstance(one, SecretResult)]
        lines.sort(key=lambda line: (line[0].partition("(")[0] in WITH_MORE, -line[1].sure_right, line[1].sure))
        order = dict.fromkeys(str(one.secret) for _, one in lines if one.secret in columns)
        return {secret: [line for line in lines if str(line[1].secret) == secret] for secret in order}

    @property
    def others(self) -> list[tuple[str, AttackResult]]:
        """Return the results about no column, such as links of people to rows."""
        return [(name, one) for name, one in self.results if not isinstance(one, SecretResult)]


def officer_page(
    release: Release,
    report: VerificationReport,
    facts: Mapping[str, Any],
    *,
    measures: Sequence[tuple[str, str, str]],
    attacks: Outcomes,
    also: Sequence[str] = (),
    unknown_outside: Sequence[str] = (),
    withheld: Mapping[str, str] | None = None,
    project: Project | None = None,
) -> str:
    """Return the officer's page.

    ``facts`` is the manifest, ``measures`` are lines of the annex, ``withheld`` columns that the release's table no
    longer has and what was done with them; ``project`` says who decided what.
    """
    promise = release.promise
    warned = [one for one in report.findings if one.passed is None and one.what.startswith(_FINDING_PEOPLE)]
    decisions = {title: getattr(project, key, None) for key, title in _DECISIONS.items()}
    decisions["who reviewed the roles of the columns"] = facts["reviewed"]
    answers = {
        "Singling out": _singling_out(release, facts),
        "Linkability": _linkability(facts, attacks),
        "Inference": _inference(release, facts, attacks),
    }
    page = templates(Path(__file__)).get_template("officer.html")
    return page.render(
        out=facts["output"]["name"],
        facts=facts,
        subject=_subject(release, facts, also),
        answers=answers,
        open_points=[title for title, text in decisions.items() if not text],
        decisions=decisions,
        known=[str(name) for name in (*release.quasi, *also) if name not in unknown_outside],
        secrets=attacks.about(release.table.sensitive),
        columns=attacks.about([name for name in release.table.columns if name not in release.table.sensitive]),
        blanks=_blanks(release),
        others=attacks.others,
        unfinished=[_explained(*text.partition(" ")) for text in attacks.unfinished],
        untried=_untried(release, attacks, facts),
        sample=attacks.sample,
        people_repeat=release.table.people_repeat,
        explained=EXPLAINED,
        sentence=secret_text,
        treatment=_treatment(release, also, unknown_outside, withheld or {}),
        guarantee=promise.guaranteed(release.table) if promise is not None else "Nothing is guaranteed.",
        promised=[] if promise is None else list(map(_promised, promise.claims)),
        unpromised=_names(unpromised) if (unpromised := _without_promise(release)) else "",
        limits=promise.limits if promise is not None else "Whoever reads it may learn anything that the rows say.",
        passed=list(map(str, report.passed)),
        unchecked=[str(one.sentence) for one in report.findings if one.passed is None and one not in warned],
        warnings=[str(one.sentence) for one in warned],
        of_class=promise is not None and "class" in promise.floors,
        unknown_outside=list(map(str, unknown_outside)),
        measures=[
            (name, value.replace("inf", "infinite"), text.replace("reads like", "looks the same as"))
            for name, value, text in measures
        ],
        nouns=_nouns(facts),
        upper=lambda text: text[:1].upper() + text[1:],
        percent=percent,
    )


def _untried(release: Release, attacks: Outcomes, facts: Mapping[str, Any]) -> list[str]:
    """Say why each registered attack that has no result was not tried, unless a sentence about it says so."""
    told = {name for name, _ in attacks.results} | {text.partition(" ")[0] for text in attacks.unfinished}
    told |= {"IntersectionAttack"} if facts["together"] else set()
    names: dict[str, list[str]] = {}
    for name, cls in registry.plainest_first().items():
        why = _UNTRIED.get(name, _FURTHER) if cls.reads == "release" else _MINED
        why = "no column was named a secret" if cls.needs_sensitive and not release.sensitive else why
        if name not in told:
            names.setdefault(why, []).append(_explained(name))
    return [f"{why}: {'; '.join(attacks)}" for why, attacks in names.items()]


def _explained(name: str, *rest: str) -> str:
    """Return the name of an attack with what the attacker does, and what follows it in a sentence."""
    return "".join([f"{name} ({EXPLAINED[name]})" if name in EXPLAINED else name, *rest])


def _promised(claim: Claim) -> str:
    """Return a promise in words, with the name under which others know it; nothing if there are no words for it."""
    words = _PROMISES.get(f"{claim.model} {claim.parameters.get('kind', '')}".strip())
    if words is None:
        return ""
    secrets = "each secret" if claim.columns is None else _names(claim.columns)
    ignored = "; empty cells are ignored" if claim.parameters.get("missing") == "ignore" else ""
    return f"{words.format(**claim.parameters, secrets=secrets)}{ignored} ({claim.text})"


def _without_promise(release: Release) -> list[str]:
    """Return the published secrets about which a promise about classes says nothing."""
    promise = release.promise
    claims = [] if promise is None else [one for one in promise.claims if one.model in _MODELS]
    if (promise is not None and "class" not in promise.floors) or any(claim.columns is None for claim in claims):
        return []
    return [str(name) for name in release.sensitive if not any(name in (claim.columns or ()) for claim in claims)]


def _nouns(facts: Mapping[str, Any]) -> tuple[str, str]:
    """Return what one of those who are counted is called, and several; without a person, a row stands for one."""
    return ("household", "households") if facts["people"]["counted"] == "households" else ("person", "people")


# ---- the first paragraph -------------------------------------------------------------------------------------------


def _subject(release: Release, facts: Mapping[str, Any], as_is: Sequence[str]) -> str:
    """Say what the file describes."""
    rows, people = pluralize(len(release), "row"), facts["people"]
    known = f" by {_names(release.quasi)}" if release.quasi else ""
    others = list(dict.fromkeys([*release.sensitive, *(name for name in as_is if name not in release.quasi)]))
    shown = f", and shows {_names(others)}" if others else ""
    if release.secrets is not None:
        shown = f"; a second file shows {release.secrets.column} per group"
    if release.synthetic or people["output"] is None:
        return f"has {rows} that were made from {pluralize(people['input'], *_nouns(facts))}{known}{shown}"
    each = "one row each" if people["output"] == len(release) else rows
    return f"describes {pluralize(people['output'], *_nouns(facts))} ({each}){known}{shown}"


def _names(names: Sequence[str]) -> str:
    *first, last = list(map(str, names))[:_NAMED]
    further = f" and {len(names) - _NAMED} more columns" if len(names) > _NAMED else ""
    return (f"{', '.join(first)} and {last}" if first and not further else ", ".join([*first, last])) + further


def _singling_out(release: Release, facts: Mapping[str, Any]) -> str:
    k, unit = facts["recounted"].get("k"), facts["people"]["counted"]
    if release.synthetic:
        return "no row belongs to anybody, because all rows are invented"
    if k is None:
        return "this was not recounted"
    if k > 1:
        others = ("other", "others") if unit == "rows" else [f"other {noun}" for noun in _nouns(facts)]
        shared = pluralize(int(k) - 1, *others)
        return f"in the columns that others may know, every row looks the same as rows of at least {shared}"
    alone, classes = (f"{facts['recounted'][name]:,.0f}" for name in ("rows that stand alone", "classes"))
    who = "row" if unit == "rows" else _nouns(facts)[0]
    return f"in the columns that others may know, {alone} of {classes} classes hold a single {who}"


def _linkability(facts: Mapping[str, Any], attacks: Outcomes) -> str:
    found = next((one for _, one in attacks.others if one.kind == "linkage"), None)
    shared = [one["people_in_both"] for one in facts["earlier"]]
    before = ""
    if shared:
        both = [f"{count:,}" for count in shared if count is not None]
        again = pluralize(len(shared), "earlier release")
        before = f"; {again} on record, with {_names(both)} {_nouns(facts)[1]} of this file" if both else ""
        before = before or f"; {again} on record, with an unknown number of {_nouns(facts)[1]} of this file"
        before += "".join(f"; {text[0].lower()}{text[1:].rstrip('.')}" for text in facts["together"])
    if found is None:
        return f"no attack on links was completed{before}"
    people = pluralize(found.attempts, *_nouns(facts))
    linked = f"{found.right:,.0f} ({percent(found.success)}) to a row of theirs"
    return f"whoever has a list of {people} with these values is expected to link {linked}{before}"


def _inference(release: Release, facts: Mapping[str, Any], attacks: Outcomes) -> str:
    """Name every secret, with counts of people."""
    if not release.table.sensitive:
        return "no column was named a secret, so nothing was asked"
    about = attacks.about(release.table.sensitive)
    fair = {secret: [one for name, one in lines if name not in WITH_MORE] for secret, lines in about.items()}
    about = {secret: lines for secret, lines in about.items() if fair[secret]}
    parts = [f"on {secret}, {learned(fair[secret], *_nouns(facts))}" for secret in about]
    parts[1:] = [part.replace("the attacker would be sure", "sure", 1) for part in parts[1:]]
    silent = [str(name) for name in release.table.sensitive if str(name) not in about]
    parts += [f"no attack on {_names(silent)} was completed"] if silent else []
    return "; ".join(parts)


def _blanks(release: Release) -> dict[str, str]:
    """Say for each secret how many published cells are empty."""
    found = {}
    for name in release.sensitive if release.rows is not None else ():
        codes, blank = release.table.codes(name)[release.rows], release.table.attributes[name].blank_code
        empty = 0 if blank is None else int((codes == blank).sum())
        if empty:
            found[str(name)] = f"{pluralize(empty, 'cell')} ({percent(empty / len(codes))})"
    return found


# ---- columns, before and after -------------------------------------------------------------------------------------


def _treatment(
    release: Release, also: Sequence[str], unknown_outside: Sequence[str], withheld: Mapping[str, str]
) -> list[tuple[str, str, str, str]]:
    """List the columns of the original with what was done, and a cell before and after."""
    table = release.table
    done = dict.fromkeys(table.columns, "left out: not published")
    done |= dict.fromkeys(also, "others may know it: published as it is")
    done |= dict.fromkeys(unknown_outside, "declared to be known to nobody outside: published as it is")
    done |= dict.fromkeys(table.identifiers, "identifier: not published")
    if table.weight in done:
        grouped = "survey weight: means of several people of a class, which do not hide the strata of the sample"
        done[table.weight] = grouped if table.weight in release.columns else "survey weight: not published"
    if table.decision is not None:
        done[table.decision] = "outcome (decision): published"
    secret = "secret (sensitive): published" if release.sensitive else "secret (sensitive): not published"
    done |= dict.fromkeys(table.sensitive, secret)
    for name in table.quasi:
        share = float((release.columns[name].sizes > 1).mean()) if len(release) else 0.0
        blurred = f"blurred in {percent(share, 0)} of the rows" if share else "no cell is blurred"
        done[name] = f"others may know it (quasi-identifier): {blurred}"
    lines = [(name, text, "", "") for name, text in withheld.items() if name not in map(str, done)]
    shown = {*release.quasi, *release.sensitive, release.decision, *also, *unknown_outside}
    return lines + [
        (str(name), text, *(_example(release, name) if name in shown else ("", ""))) for name, text in done.items()
    ]


def _example(release: Release, name: str) -> tuple[str, str]:
    """Return a value and what the file shows for it, blurred if any cell is; enough rows must share both."""
    if name not in release.columns or release.rows is None or not len(release):
        return "", ""
    attribute, column = release.table.attributes[name], release.columns[name]
    codes = release.table.codes(name)[release.rows]
    known = codes < len(attribute.domain)  # a missing value is no example
    for rows in map(np.flatnonzero, (known & (column.sizes > 1), known)):
        sets, times = np.unique(column.index[rows], return_counts=True)
        if times.max(initial=0) < _MIN_SHARED:
            continue
        rows = rows[column.index[rows] == sets[times.argmax()]]
        counts = np.bincount(codes[rows])
        if counts.max() >= _MIN_SHARED:
            shown = as_labels(column.take(rows[:1])).iloc[0]
            return str(attribute.labels[counts.argmax()]), as_text(shown)
    return f"{len(np.unique(codes[known])):,} different values", ""
