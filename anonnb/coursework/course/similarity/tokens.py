"""Code as tokens that do not change when variables are renamed, comments rewritten or lines moved apart.

Idea: keywords, built-in names, attributes, numbers and operators say what code does and stay; every other name reads
``V`` and every string ``S``. Comments, docstrings, magics and layout go. The lexer is a regular expression: it takes
whatever students hand in, also code that Python refuses. Texts are their words.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterable
from dataclasses import dataclass

BORDER = "\0"  # between cells: what follows by chance belongs to nobody
KEPT = frozenset(keyword.kwlist) | frozenset(dir(builtins))
_TOKEN = re.compile(
    r"""(?P<space>[\s\\]+) | (?P<comment>\#[^\n]*)
    | (?P<string>(?i:[rbfu]{0,2})(?: \"\"\"(?:\\.|[^\\])*?(?:\"\"\"|\Z) | '''(?:\\.|[^\\])*?(?:'''|\Z)
        | "(?:\\.|[^"\\\n])*"? | '(?:\\.|[^'\\\n])*'? ))
    | (?P<number>\d(?:[\w.]|(?<=[eE])[+-])*) | (?P<name>\w+)
    | (?P<sign>\*\*=?|//=?|<<=?|>>=?|->|:=|[-+*/%&|^@=!<>]=|.)""",
    re.VERBOSE | re.DOTALL,
)
_MAGIC = re.compile(r"^[ \t]*[%!?].*$", re.MULTILINE)


@dataclass(frozen=True)
class Lexed:
    """A submission as tokens: what is compared, what was written, and on which line of the ``source`` it stands."""

    source: str
    tokens: tuple[str, ...]
    written: tuple[str, ...]
    lines: tuple[int, ...]

    def excerpt(self, first: int, last: int, most: int = 25) -> str:
        """The lines from one token to another."""
        begin, end = self.lines[first], self.lines[last]
        lines = self.source.split("\n")[begin : end + 1]
        return "\n".join(lines if len(lines) <= most else [*lines[:most], "…"])


def lexed(codes: Iterable[str], texts: Iterable[str] = ()) -> Lexed:
    """Cells of code, and texts, as one sequence of tokens.

    >>> lexed(["total = sum(x.age for x in rows)  # add"]).tokens == lexed(["t=sum(q.age for q in r)"]).tokens
    True
    >>> lexed(["a.size + 1"]).tokens
    ('V', '.', 'size', '+', '1')
    """
    parts, tokens, written, lines, line = [], [], [], [], 0
    for number, (kind, part) in enumerate([*(("code", code) for code in codes), *(("text", text) for text in texts)]):
        border = [(BORDER, "", 0)] if number else []
        for token, raw, place in [*border, *(_code_tokens(part) if kind == "code" else _words(part))]:
            tokens.append(token)
            written.append(raw)
            lines.append(line + place)
        parts.append(part)
        line += part.count("\n") + 2  # an empty line between cells
    return Lexed("\n\n".join(parts), tuple(tokens), tuple(written), tuple(lines))


def _code_tokens(code: str) -> list[tuple[str, str, int]]:
    code = _MAGIC.sub("", code)
    found, after_dot = [], False
    for match in _TOKEN.finditer(code):
        kind, raw = match.lastgroup, match[0]
        if kind in ("space", "comment") or (kind == "string" and _stands_alone(code, match)):
            continue
        token = {"string": "S", "name": raw if after_dot or raw in KEPT else "V"}.get(kind, raw)
        found.append((token, raw, match.start()))
        after_dot = raw == "."
    return _with_lines(found, code)


def _stands_alone(code: str, match: re.Match) -> bool:
    """A string that is a whole statement is a remark."""
    before = code.rfind("\n", 0, match.start()) + 1
    after = code.find("\n", match.end())
    rest = code[match.end() : after if after >= 0 else len(code)].partition("#")[0]
    return not code[before : match.start()].strip() and not rest.strip() and len(match[0]) > 2


def _words(text: str) -> list[tuple[str, str, int]]:
    found = [(match[0].casefold(), match[0], match.start()) for match in re.finditer(r"\w+", text)]
    return _with_lines(found, text)


def _with_lines(found: list[tuple[str, str, int]], text: str) -> list[tuple[str, str, int]]:
    """Places in the text become numbers of lines."""
    placed, line, last = [], 0, 0
    for token, raw, place in found:
        line += text.count("\n", last, place)
        last = place
        placed.append((token, raw, line))
    return placed
