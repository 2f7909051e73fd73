"""Read the texts of exercises: notebooks/exercises holds a Markdown file per notebook.

A file begins with ``# Exercises of notebook 13``. An exercise is ``## 13.2 Its title``, the question, and sections:
``### Hint`` (one or more; ``### Hint if the answer is {2 * n}`` answers a known mistake), ``### When right``
(optional), ``### Answer`` (a formula in backticks, where arithmetic is enough), ``### Solution``, and ``### Variants``
(optional): a table with a row of numbers per variant, the first being the usual one. ``{n}``, ``{share:.2f}`` and
``{n - 1}`` stand for numbers of the variant, for what answers/ computes and for arithmetic with them, ``{rows!r}`` for
their Python text. Nothing is filled into fenced code.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from anonnb.core.shipped import shipped
from anonnb.core.wording import join_names

_NAME = re.compile(r"## (?P<name>(?P<notebook>\d\d[a-z]?)\.\d+) (?P<title>\S.*)")
_MISTAKE = re.compile(r"Hint if the answer is \{(?P<formula>.+)\}")
_NUMBER = re.compile(r"\{(?P<formula>[a-z(\d][\w\s+*/%()\[\].,<>=-]*)(?P<literal>!r)?(?::(?P<spec>[^{}]*))?\}")
_FUNCTIONS: dict[str, Any] = {"__builtins__": {}}
_FUNCTIONS |= {each.__name__: each for each in (abs, len, max, min, range, round, set, sum, zip, math.ceil, math.exp)}
_FUNCTIONS |= {each.__name__: each for each in (math.factorial, math.floor, math.log, math.log2, math.prod)}
_FENCE = re.compile(r"(```.*?```)", re.DOTALL)


class ExerciseFileError(ValueError):
    """A file of exercises that cannot be read; the message names the file, the exercise and what to do."""


@dataclass(frozen=True)
class Hint:
    """A hint; ``mistake`` is a formula for the wrong answer that it is about."""

    text: str
    mistake: str = ""


@dataclass
class ExerciseText:
    """The text of one exercise, with placeholders."""

    name: str
    title: str
    question: str = ""
    hints: list[Hint] = field(default_factory=list)
    when_right: str = ""
    answer: str = ""
    solution: str = ""
    variants: list[dict[str, Any]] = field(default_factory=lambda: [{}])


@cache
def texts(notebook: str) -> dict[str, ExerciseText]:
    """The exercises of a notebook by name; nothing for a notebook without exercises."""
    paths = sorted((shipped("notebooks") / "exercises").glob(f"{notebook}_*.md"))
    return parse(paths[0]) if paths else {}


@cache
def notebooks() -> list[str]:
    """The numbers of all notebooks with exercises."""
    return sorted(path.name.partition("_")[0] for path in (shipped("notebooks") / "exercises").glob("[0-9][0-9]*_*.md"))


def parse(path: Path) -> dict[str, ExerciseText]:
    """Read a file of exercises; a broken one raises an error that says what is wrong with it."""
    notebook, result = path.name.partition("_")[0], dict[str, ExerciseText]()
    head, *parts = _FENCE.sub(lambda fence: fence[0].replace("\n#", "\n\0#"), path.read_text("utf-8")).split("\n## ")
    if not head.startswith(f"# Exercises of notebook {notebook}") or not parts:
        raise ExerciseFileError(
            f"{path.name} must begin with '# Exercises of notebook {notebook}, …' and hold exercises"
        )
    for part in parts:
        heading, _, body = f"## {part}".replace("\n\0#", "\n#").partition("\n")
        match = _NAME.fullmatch(heading.strip())
        if not match or match["notebook"] != notebook:
            raise ExerciseFileError(f"{path.name}: '{heading}' must read like '## {notebook}.1 Its title'")
        if match["name"] != f"{notebook}.{len(result) + 1}":
            raise ExerciseFileError(f"{path.name}: {match['name']} must be {notebook}.{len(result) + 1}, in order")
        result[match["name"]] = _exercise(ExerciseText(match["name"], match["title"]), body, path.name)
    return result


def _exercise(text: ExerciseText, body: str, file: str) -> ExerciseText:
    where = f"{file}, exercise {text.name}"
    sections = _sections(body)
    text.question = _joined(next(sections)[1])
    for heading, content in sections:
        mistake = _MISTAKE.fullmatch(heading)
        if heading == "Hint" or mistake:
            text.hints.append(Hint(_joined(content), mistake["formula"] if mistake else ""))
        elif heading == "When right":
            text.when_right = _joined(content)
        elif heading == "Answer":
            text.answer = content.strip("`")
        elif heading == "Solution":
            text.solution = _joined(content)
        elif heading == "Variants":
            text.variants = _variants(content, where)
        else:
            raise ExerciseFileError(
                f"{where}: '### {heading}' is none of Hint, When right, Answer, Solution and Variants"
            )
        if not content:
            raise ExerciseFileError(f"{where}: there is nothing under '### {heading}'")
    missing = [part for part in ("question", "hints", "solution") if not getattr(text, part)]
    if missing:
        raise ExerciseFileError(f"{where}: it has no {' and no '.join(missing)}")
    return text


def _sections(body: str) -> Iterator[tuple[str, str]]:
    """Headings of the third level, with what stands under them; first what stands before all of them."""
    parts = _FENCE.sub(lambda fence: fence[0].replace("\n#", "\n\0#"), body).split("\n### ")
    for number, part in enumerate(parts):
        heading, _, content = part.partition("\n") if number else ("", "", part)
        yield heading.strip(), content.replace("\n\0#", "\n#").strip()


def _joined(text: str) -> str:
    """Paragraphs on one line each; code, tables and lists stay as they are."""
    pieces = ([part] if part.startswith("```") else re.split(r"\n\s*\n", part.strip()) for part in _FENCE.split(text))
    parts = [part for piece in pieces for part in piece if part]
    return "\n\n".join(part if re.match(r"```|\||[-*] |1\. ", part) else " ".join(part.split()) for part in parts)


def _variants(content: str, where: str) -> list[dict[str, Any]]:
    lines = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]] for line in content.splitlines()]
    if len(lines) < 3 or len({len(line) for line in lines}) > 1 or not all(name.isidentifier() for name in lines[0]):
        raise ExerciseFileError(f"{where}: the variants must be a table with a head, a line | --- | and rows as long")
    return [{name: _value(cell) for name, cell in zip(lines[0], line, strict=True)} for line in lines[2:]]


def _value(cell: str) -> Any:
    """A number, tuple, list or dict as Python reads it; anything else is a text."""
    try:
        return ast.literal_eval(cell.replace(r"\|", "|"))
    except (ValueError, SyntaxError):
        return cell.replace(r"\|", "|")


def computed(formula: str, numbers: Mapping[str, Any], where: str) -> Any:
    """The value of a formula: a number, or arithmetic with numbers. Numbers that are functions are called."""
    try:
        names = {node.id for node in ast.walk(ast.parse(formula, mode="eval")) if isinstance(node, ast.Name)}
        values = {name: numbers[name] for name in names if name in numbers}
        values = {name: value() if callable(value) else value for name, value in values.items()}
        return eval(formula, _FUNCTIONS | values)
    except (NameError, SyntaxError):
        known = join_names(numbers, most=20)
        raise ExerciseFileError(f"exercise {where}: {formula} cannot be computed from {known}") from None


def filled(text: str, numbers: Mapping[str, Any], where: str) -> str:
    """The text with its numbers.

    >>> filled("{n - 1} of {ages}: {share:.2f}", {"n": 2, "ages": (3, 4), "share": 1 / 3}, "13.1")
    '1 of 3, 4: 0.33'
    """

    def number(match: re.Match[str]) -> str:
        value = computed(match["formula"], numbers, where)
        return repr(value) if match["literal"] else format(value, match["spec"]) if match["spec"] else _as_text(value)

    return "".join(part if part.startswith("```") else _NUMBER.sub(number, part) for part in _FENCE.split(text))


def _as_text(value: Any) -> str:
    if isinstance(value, list | tuple | range):
        return ", ".join(map(str, value))
    return ", ".join(sorted(map(str, value))) if isinstance(value, set | frozenset) else str(value)
