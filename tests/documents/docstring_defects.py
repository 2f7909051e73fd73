"""Find what a docstring in numpydoc form lacks, or has in a form that Sphinx would misread."""

from __future__ import annotations

import dataclasses
import doctest
import inspect
import re
from collections.abc import Iterator

from anonnb.book.public_names import PublicName, parameters

ENTRIES = ("Parameters", "Attributes", "Returns", "Yields", "Raises", "Warns")
SECTIONS = (*ENTRIES, "See Also", "Notes", "References", "Examples", "Guarantees")


def defects(public: PublicName, without_example: frozenset[str] = frozenset()) -> list[str]:
    """List the defects of a docstring, each in a line that begins with the name."""
    doc = inspect.getdoc(public.thing) if public.owner is None else inspect.cleandoc(public.thing.__doc__ or "")
    if not doc or (inspect.isclass(public.thing) and not public.thing.__dict__.get("__doc__")):
        return [f"{public.name}: no docstring"]
    found = [*_misread(doc), *_unknown(public, doc)]
    if public.name not in without_example and not _has_example(public, doc):
        found.append("no example that uses it")
    return [f"{public.name}: {defect}" for defect in found]


def sections(doc: str) -> dict[str, list[str]]:
    """The lines below each heading; those before the first one belong to ``""``."""
    found, heading = {"": []}, ""
    lines = doc.splitlines()
    for i, line in enumerate(lines):
        if line in SECTIONS and i + 1 < len(lines) and re.fullmatch(r"-{3,}", lines[i + 1]):
            heading = line
            found[heading] = []
        elif not (re.fullmatch(r"-{3,}", line) and i and lines[i - 1] == heading):
            found[heading].append(line)
    return found


def _misread(doc: str) -> Iterator[str]:
    found = sections(doc)
    headings = list(found)[1:]
    if not found[""] or not found[""][0]:
        yield "no summary"
    elif len(found[""]) > 1 and found[""][1]:
        yield "the summary is longer than a line"
    if headings != [name for name in SECTIONS if name in headings]:
        yield f"sections in the order {headings}"
    lines = doc.splitlines()
    for heading in headings:
        dashes = lines[lines.index(heading) + 1]
        if len(dashes) != len(heading):
            yield f"{heading} is underlined by {len(dashes)} characters"
    for heading in set(headings) & set(ENTRIES):
        entries = [line for line in found[heading] if line and not line.startswith(" ")]
        texts = [line for line in found[heading] if line.startswith("    ")]
        if not entries or not texts or any(line.endswith(".") or line.startswith(">>>") for line in entries):
            yield f"{heading} holds something else than entries with an indented text"
    if headings and any(line.startswith(">>>") for name, part in found.items() for line in part if name != "Examples"):
        yield "an example outside of the section Examples"


def _unknown(public: PublicName, doc: str) -> Iterator[str]:
    lines = [line for line in sections(doc).get("Parameters", ()) if line and not line.startswith(" ")]
    names = [name.strip().lstrip("*") for line in lines for name in line.partition(":")[0].split(",")]
    if dataclasses.is_dataclass(public.thing):
        known = [field.name for field in dataclasses.fields(public.thing)]
    elif inspect.isclass(public.thing):
        return  # its class methods may take others
    else:
        known = parameters(public.thing)
    unknown = [name for name in names if name not in known]
    if unknown:
        yield f"Parameters names {', '.join(unknown)}, which it does not take"


def _has_example(public: PublicName, doc: str) -> bool:
    name = public.thing.__name__
    if _calls(doc, rf"\b{name}\b"):
        return True
    return public.owner is not None and _calls(inspect.cleandoc(public.owner.__doc__ or ""), rf"\.{name}\(")


def _calls(doc: str, pattern: str) -> bool:
    examples = doctest.DocTestParser().get_examples(doc)
    run = [example.source for example in examples if not example.options.get(doctest.SKIP)]
    return any(re.search(pattern, source) for source in run)
