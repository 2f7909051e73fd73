"""Names, addresses and numbers inside texts, compared with a plain search of every identifier in every text."""

import re
import time

import numpy as np
import pytest

from anonnb.files.personal_texts import EMAIL, IDENTITY, PHONE, VALUE, IdentifierNames, contacts, personal_texts


@pytest.mark.parametrize("seed", range(5))
def test_values_are_found_as_by_searching_each_in_each(seed):
    rng = np.random.default_rng(seed)
    words = ["anna", "Émile", "doe", "O'Neil", "straße", "P1004", "lee", "annabel", "de", "la", "42"]
    values = [" ".join(rng.choice(words, rng.integers(1, 4))) for _ in range(30)]
    texts = [" ".join(rng.choice([*words, "flu,", "came", "(cold)"], rng.integers(1, 9))).upper() for _ in range(300)]
    plain = [re.compile(rf"(?<!\w){re.escape(value.casefold())}(?!\w)") for value in values if len(value) > 2]
    wanted = [any(pattern.search(text.casefold()) for pattern in plain) for text in texts]
    flags = personal_texts(texts, IdentifierNames(values)).get(VALUE, np.zeros(300, dtype=bool))
    assert flags.tolist() == wanted
    assert 0 < sum(wanted) < 300


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("write to Anna.Doe+x@mail.example.org please", [EMAIL]),
        ("@home, 3 @ 5", []),
        ("tel. +49 (170) 123-4567", [PHONE]),
        ("0170 1234567", [PHONE]),
        ("call (555) 123-4567 or 555.123.4567", [PHONE]),
        ("SSN 078-05-1120", [IDENTITY]),
        ("IBAN DE89 3704 0044 0532 0130 00", [IDENTITY]),
        ("IBAN DE88 3704 0044 0532 0130 00", []),
        ("card 4111 1111 1111 1111", [IDENTITY]),
        ("DNI 12345678Z", [IDENTITY]),
        ("DNI 12345678A", []),
        ("QQ 12 34 56 C is no prefix, AB123456C is", [IDENTITY]),
        ("2020-01-31 10:30:00", []),
        ("01-02-2020 or 01/02/2020", []),
        ("[20–30]", []),
        ("0.0123456789", []),
        ("blood pressure 120/80, weight 71.5, code J06.9", []),
        ("01067", []),
        ("", []),
    ],
)
def test_contacts_and_numbers_are_recognized_by_their_form(text, kinds):
    assert contacts(text) == kinds


def test_short_and_accidental_identifiers_are_not_looked_for():
    assert not IdentifierNames(["7", "ab", "1234", ""])
    assert personal_texts(["room 101", None, "10115", "[10115–10119]"], IdentifierNames(["101", "10115"])) == {}
    assert personal_texts(["at 10115 Berlin"], IdentifierNames(["10115"]))[VALUE].all()


def test_time_depends_on_the_texts_not_on_the_identifiers():
    names = IdentifierNames(f"Person {number:06}" for number in range(100_000))
    start = time.process_time()
    flags = personal_texts([f"seen with person {number:06} at noon" for number in range(10_000)], names)
    assert flags[VALUE].all()
    assert time.process_time() - start < 5


def test_full_names_inside_composite_identifiers_are_found():
    names = IdentifierNames(["Anna Berger <anna.berger@example.org>", "Roe, Bob (P-1004)"])
    texts = ["visited anna berger at home", "Bob Roe called", "Roe, Bob again", "p-1004 came", "Anna is better today"]
    assert [names.kind(text) == VALUE for text in texts] == [True, True, True, True, False]
