"""What a docstring in numpydoc form lacks, or has in a form that Sphinx would misread."""

from __future__ import annotations

import ast
import dataclasses
import doctest
import inspect
import re
import textwrap
from collections.abc import Iterator

from anonnb.book.public_names import PublicName, ours, parameters

ENTRIES = ("Parameters", "Attributes", "Returns", "Yields", "Raises", "Warns")
SECTIONS = (*ENTRIES, "See Also", "Notes", "References", "Examples", "Guarantees")


def defects(public: PublicName, without_example: frozenset[str] = frozenset()) -> list[str]:
    """Each in a line that begins with the name."""
    doc = inspect.getdoc(public.thing) if public.owner is None else inspect.cleandoc(public.thing.__doc__ or "")
    if not doc or (inspect.isclass(public.thing) and not public.thing.__dict__.get("__doc__")):
        return [f"{public.name}: no docstring"]
    found = [*_misread(doc), *_missing(public, doc)]
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


def _missing(public: PublicName, doc: str) -> Iterator[str]:
    found = sections(doc)
    documented = _documented(public.thing) if inspect.isclass(public.thing) else _names(found)
    lacking = [name for name in _parameters(public.thing) if name not in documented]
    if lacking:
        yield f"Parameters lacks {', '.join(lacking)}"
    if not inspect.isclass(public.thing) and _gives(public.thing) and not {"Returns", "Yields"} & set(found):
        yield "no Returns"
    known = " ".join(_raised_by_bases(public.thing) if inspect.isclass(public.thing) else found.get("Raises", []))
    lacking = [name for name in sorted(_raised(public.thing)) if not re.search(rf"\b{name}\b", known)]
    if lacking:
        yield f"Raises lacks {', '.join(lacking)}"


def _parameters(thing: object) -> list[str]:
    if dataclasses.is_dataclass(thing):
        return [field.name for field in dataclasses.fields(thing) if field.init and not field.name.startswith("_")]
    if not inspect.isclass(thing):
        return parameters(thing)
    makers = [vars(cls)["__init__"] for cls in thing.__mro__ if "__init__" in vars(cls)][:1]
    return [name for maker in makers if ours_made(maker) for name in parameters(maker)]


def ours_made(maker: object) -> bool:
    """Does the package define this constructor, rather than Python or a library?"""
    return inspect.isfunction(maker) and maker.__module__.partition(".")[0] == "anonnb"


def _names(found: dict[str, list[str]]) -> set[str]:
    lines = [line for name in ("Parameters", "Attributes") for line in found.get(name, ()) if not line.startswith(" ")]
    return {name.strip().lstrip("*") for line in lines for name in line.partition(":")[0].split(",")}


def _documented(cls: type) -> set[str]:
    return {
        name for base in cls.__mro__ if ours(base) for name in _names(sections(inspect.cleandoc(base.__doc__ or "")))
    }


def _raised_by_bases(cls: type) -> list[str]:
    docs = [inspect.cleandoc(base.__doc__ or "") for base in cls.__mro__ if ours(base)]
    return [line for doc in docs for line in sections(doc).get("Raises", ())]


def _bodies(thing: object) -> Iterator[ast.AST]:
    """The function itself, or what a class runs when it is made; not what is defined within."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(thing))).body[0]
    if not isinstance(tree, ast.ClassDef):
        yield tree
        return
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in ("__init__", "__post_init__", "_check_parameters"):
            yield node


def _within(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            yield child
            yield from _within(child)


def _raised(thing: object) -> set[str]:
    nodes = (node.exc for body in _bodies(thing) for node in _within(body) if isinstance(node, ast.Raise))
    names = (node.func if isinstance(node, ast.Call) else node for node in nodes)
    return {node.id for node in names if isinstance(node, ast.Name) and node.id[0].isupper()}


def _gives(function: object) -> bool:
    nodes = [node for body in _bodies(function) for node in _within(body)]
    returned = any(isinstance(node, ast.Return) and not _is_none(node.value) for node in nodes)
    return returned or any(isinstance(node, ast.Yield | ast.YieldFrom) for node in nodes)


def _is_none(node: ast.AST | None) -> bool:
    return node is None or (isinstance(node, ast.Constant) and node.value is None)


def _has_example(public: PublicName, doc: str) -> bool:
    name = public.thing.__name__
    if _calls(doc, rf"\b{name}\b"):
        return True
    return public.owner is not None and _calls(inspect.cleandoc(public.owner.__doc__ or ""), rf"\.{name}\(")


def _calls(doc: str, pattern: str) -> bool:
    examples = doctest.DocTestParser().get_examples(doc)
    run = [example.source for example in examples if not example.options.get(doctest.SKIP)]
    return any(re.search(pattern, source) for source in run)
