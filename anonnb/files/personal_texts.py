"""Texts that name people: values of identifier columns, e-mail addresses, telephone and identity numbers inside them.

Every distinct text is looked at once, word by word, so the time depends on the length of the texts and not on how many
identifiers there are. Numbers are recognized by their form and, if they have one, by their check digits.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from string import ascii_uppercase, digits

import numpy as np

VALUE, WORD = "a value of an identifier column", "a single word of an identifier"
CONTACTS = EMAIL, PHONE, IDENTITY = "an e-mail address", "a telephone number", "an identity number"
_WORDS = re.compile(r"\w+")
_MIN_LETTERS, _MIN_DIGITS, _MIN_WORD = 3, 5, 4  # shorter identifiers occur in texts by chance
_NAME_WORDS = 4  # an identifier with more words is a text, whose single words name nobody
_TEXT_WORDS = 3  # a text with fewer words is a category, not prose
_BRACKETS = re.compile(r"[<>‹›«»()\[\]{}|;/]+")  # between the parts of an identifier
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(
    r"(?<![\w.,/-])(?:\+\d[\d ()/.-]{6,}\d"  # +49 170 1234567
    r"|(?!\d{1,2}[-/]\d{1,2}[-/]\d)\(?0\d{1,4}\)?[ /-]\d[\d ()/-]{3,}\d"  # 0170 1234567, but no date
    r"|\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4})(?![\w-])"  # 555-123-4567
)
_IDENTITY = re.compile(
    r"(?<![\w-])(?:\d{3}-\d{2}-\d{4}"  # social security, United States
    r"|[A-CEGHJ-PR-TW-Z]{2} ?(?:\d{2} ?){3}[A-D]"  # national insurance, United Kingdom
    r"|(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])\d{2}-\d{4}"  # CPR, Denmark
    r"|(?P<iban>[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?)"
    r"|(?P<card>\d{4}([ -]?)\d{4}\3\d{4}\3\d{4})"
    r"|(?P<dni>\d{8}-?[A-Z]))(?![\w-])"
)


class IdentifierNames:
    """Values of identifier columns, which are found in texts as whole words, in capitals or not.

    Parameters
    ----------
    values:
        The values as texts; short ones are left out, because they occur in texts by chance.

    Examples
    --------
    >>> names = IdentifierNames(["Anna Doe", "P1004", "7"])
    >>> [names.kind(text) for text in ["anna doe came", "see p1004.", "Mrs Doe, 7 visits, Anna again", "annabel doe"]]
    ['a value of an identifier column', 'a value of an identifier column', 'a single word of an identifier', '']
    """

    def __init__(self, values: Iterable[str] = ()):
        self._lengths: dict[str, set[int]] = {}  # of the values that begin with a word
        self._values: set[tuple[str, ...]] = set()
        self._words: set[str] = set()
        for words in (words for value in values for words in _spellings(value)):
            letters = sum(map(len, words))
            if letters < (_MIN_DIGITS if all(map(str.isdigit, words)) else _MIN_LETTERS):
                continue
            self._lengths.setdefault(words[0], set()).add(len(words))
            self._values.add(words)
            if len(words) <= _NAME_WORDS:
                self._words.update(word for word in words if len(word) >= _MIN_WORD and word.isalpha())

    def __bool__(self) -> bool:
        return bool(self._values)

    def kind(self, text: str) -> str:
        """Return what of an identifier a text holds: a value, a single word of one, or nothing."""
        words = _split(text)
        if all(map(str.isdigit, words)):  # a number may equal an identifier by chance
            return ""
        for position, word in enumerate(words):
            if any(words[position : position + length] in self._values for length in self._lengths.get(word, ())):
                return VALUE
        return WORD if len(words) >= _TEXT_WORDS and not self._words.isdisjoint(words) else ""


def personal_texts(texts: Sequence[str | None], names: IdentifierNames) -> dict[str, np.ndarray]:
    """Flag the texts that hold an identifier or a contact, by kind; kinds that do not occur are left out.

    >>> flags = personal_texts(["call 0170 1234567", "flu", "bob@example.org or Bob Roe"], IdentifierNames(["Bob Roe"]))
    >>> {kind: flag.tolist() for kind, flag in flags.items()}  # doctest: +NORMALIZE_WHITESPACE
    {'a value of an identifier column': [False, False, True], 'an e-mail address': [False, False, True],
     'a telephone number': [True, False, False]}
    """
    found: dict[str, np.ndarray] = {}
    for index, text in enumerate(texts):
        if not text:
            continue
        for kind in [names.kind(text) if names else "", *contacts(text)]:
            if kind:
                found.setdefault(kind, np.zeros(len(texts), dtype=bool))[index] = True
    return {kind: found[kind] for kind in (VALUE, *CONTACTS, WORD) if kind in found}


def contacts(text: str) -> list[str]:
    """Return the kinds of contacts and numbers that a text holds.

    >>> contacts("GB33 BUKB 2020 1555 5555 55"), contacts("born 01-02-1970, charge 1234567")
    (['an identity number'], [])
    """
    if len(text) < 6:
        return []
    kinds = [EMAIL] if "@" in text and _EMAIL.search(text) else []
    if not any(character in digits for character in text):
        return kinds
    numbered = any(map(_is_identity, _IDENTITY.finditer(text)))
    kinds += [PHONE] if _PHONE.search(_IDENTITY.sub("", text)) else []
    return [*kinds, IDENTITY] if numbered else kinds


def _is_identity(match: re.Match) -> bool:
    """Return whether a number's check digits are right; forms without check digits count as they are."""
    text = re.sub(r"[ -]", "", match.group())
    if match["iban"]:
        moved = text[4:] + text[:4]
        return (
            int("".join(str(digits.find(c)) if c in digits else str(10 + ascii_uppercase.find(c)) for c in moved)) % 97
            == 1
        )
    if match["card"]:
        doubled = [int(c) * (2 - index % 2) for index, c in enumerate(text)]
        return sum(value - 9 * (value > 9) for value in doubled) % 10 == 0
    return not match["dni"] or text[-1] == "TRWAGMYFPDXBNJZSQVHLCKE"[int(text[:8]) % 23]


def _spellings(value: str) -> list[tuple[str, ...]]:
    """Return the words of an identifier and of the full names in it: Anna Doe <a@b.org> and Doe, Anna name one person.

    >>> _spellings("Doe, Anna (P1004)")
    [('doe', 'anna', 'p1004'), ('doe', 'anna'), ('anna', 'doe')]
    """
    if "," not in value and not _BRACKETS.search(value):  # nearly all of a million identifiers
        return [_split(value)]
    parts = _BRACKETS.split(value)
    names = [words for part in parts if len(words := _split(part)) > 1]
    turned = [_split(" ".join(reversed(part.split(",")))) for part in parts if part.count(",") == 1]
    return list(dict.fromkeys([_split(value), *names, *turned]))


def _split(text: str) -> tuple[str, ...]:
    return tuple(_WORDS.findall(unicodedata.normalize("NFKC", text).casefold()))
