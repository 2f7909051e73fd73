"""Similar submissions: renaming and reordering are seen through, the starter does not count, and nobody is accused."""

import random
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb.coursework.course.sheets import read_sheet
from anonnb.coursework.course.similarity.comparison import compared, shared_runs
from anonnb.coursework.course.similarity.fingerprints import LEAST_RUN, K, hashes, own_hashes, winnowed
from anonnb.coursework.course.similarity.page import similarity_page, write_similarity
from anonnb.coursework.course.similarity.reading import compare_folder, starter_tokens, submission_tokens
from anonnb.coursework.course.similarity.tokens import lexed
from tests.coursework.tiny import NAME, RIGHT, hand_in, submission, write_source

NOTHING = np.zeros(0, np.uint64)
STARTER = lexed(["import pandas as pd\ntable = pd.read_csv('people.csv')\ndef quality(table, rules):"])
MINE = """
def quality(table, rules):
    covered = set()
    for rule in rules:  # the rows that a rule matches
        mask = (table.frame[list(rule)] == pd.Series(rule)).all(axis=1)
        covered |= set(table.index[mask])
    return len(covered) / max(len(table), 1)
"""
RENAMED = """
def quality(t, rr):
    '''My own docstring.'''
    seen = set()

    for r in rr:
        hit = (t.frame[list(r)] == pd.Series(r)).all(axis=1)
        seen |= set(t.index[hit])
    # done
    return len(seen) / max(len(t), 1)
"""
OWN = """
def quality(table, rules):
    matched = np.zeros(len(table), bool)
    for rule in rules:
        hit = np.ones(len(table), bool)
        for column, value in rule.items():
            hit &= table.frame[column].to_numpy() == value
        matched = np.logical_or(matched, hit)
    return float(matched.mean())
"""


def program(seed, lines=40):
    """Code that nobody else has, made of the calls that everybody uses."""
    rng = random.Random(seed)
    names, calls = ["a", "b", "c", "d"], ["sum", "len", "max", "sorted", *(f"x.method_{n}" for n in range(30))]
    made = []
    for _ in range(lines):
        inner = f"{rng.choice(calls)}({rng.choice(names)}, {rng.randint(0, 9)})"
        made.append(f"{rng.choice(names)} = {rng.choice(calls)}({inner}) {rng.choice('+-*/')} {rng.choice(names)}")
    return "\n".join(made)


# ---- tokens and fingerprints -----------------------------------------------------------------------------------------


def test_renaming_comments_and_layout_change_no_token():
    assert lexed([MINE]).tokens == lexed([RENAMED]).tokens
    assert lexed([MINE]).tokens != lexed([OWN]).tokens


@pytest.mark.slow
@settings(max_examples=50)
@given(st.text(max_size=200))
def test_the_lexer_takes_whatever_students_hand_in(text):
    found = lexed([text], [text])
    assert len(found.tokens) == len(found.written) == len(found.lines)
    assert not found.lines or 0 <= found.lines[0] <= found.lines[-1] <= found.source.count("\n")


def test_every_token_stands_on_its_line():
    found = lexed(['%matplotlib inline\na = 1\n\n"""two\nlines"""\nb = \'x\' + 2'], ["one two\nthree"])
    lines = found.source.split("\n")
    assert all(raw in lines[line] for raw, line in zip(found.written, found.lines, strict=True))
    assert found.written[:6] == ("a", "=", "1", "b", "=", "'x'")
    assert found.written[-3:] == ("one", "two", "three")


SHORT = st.lists(st.sampled_from("abcdefgh"), max_size=60)


@given(SHORT, SHORT, SHORT, SHORT, st.lists(st.sampled_from("abcdefgh"), min_size=LEAST_RUN, max_size=40))
def test_a_shared_run_of_the_promised_length_always_shares_a_fingerprint(a, b, c, d, run):
    one, other = (winnowed(hashes([*before, *run, *after])) for before, after in ((a, b), (c, d)))
    assert np.intersect1d(one, other).size


@given(SHORT, SHORT)
def test_equal_fingerprints_come_from_equal_runs_of_tokens(one, other):
    grams = [{tuple(words[n : n + K]) for n in range(len(words) - K + 1)} for words in (one, other)]
    shared = np.intersect1d(winnowed(hashes(one)), winnowed(hashes(other)))
    assert not shared.size or grams[0] & grams[1]


@given(SHORT)
def test_nothing_is_left_of_the_starter_itself(words):
    assert not winnowed(own_hashes(words, np.unique(hashes(words)))).size


# ---- pairs -----------------------------------------------------------------------------------------------------------


def test_a_renamed_and_reordered_copy_is_the_most_similar_pair():
    documents = {f"s{n:02}": lexed([program(n, 15)]) for n in range(12)}
    documents["ann"] = lexed([MINE, program("ann", 12)])
    documents["bob"] = lexed([program("bob", 12), RENAMED])
    found = compared(NAME, documents, STARTER)
    first, second = found.top(2)
    assert {first.one, first.other} == {"ann", "bob"}
    assert first.similarity > 2 * second.similarity
    assert found.median < 0.05
    longest = first.runs[0]
    assert longest.length >= 60
    assert longest.literal < longest.length  # names differ
    one, other = (documents[name] for name in (first.one, first.other))
    assert "pd.Series(rule)" in one.excerpt(longest.first, longest.first + longest.length - 1)
    assert "pd.Series(r)" in other.excerpt(longest.second, longest.second + longest.length - 1)


def test_equal_submissions_are_wholly_similar_and_independent_ones_hardly():
    documents = {"ann": lexed([MINE]), "bob": lexed([RENAMED]), "cid": lexed([OWN])}
    found = compared(NAME, documents, lexed([]))
    assert found.similarities[0] == pytest.approx(1)
    assert found.similarities[1:].max() < 0.2


@pytest.mark.parametrize("sharers", [2, 60, 80])
def test_what_part_of_a_class_shares_is_found_however_large_the_part(sharers):
    documents = {f"s{n:02}": lexed([MINE if n < sharers else program(n, 12)]) for n in range(80)}
    found = compared(NAME, documents, STARTER)
    pairs = sharers * (sharers - 1) // 2
    assert found.similarities[:pairs] == pytest.approx(1)
    assert {place for pair in found.places[:pairs] for place in pair} == set(range(sharers))
    assert (found.median > 0.99) == (sharers >= 60)


def test_what_everybody_was_given_does_not_make_anybody_similar():
    given_code = program("given")
    documents = {f"s{n}": lexed([given_code, program(n)]) for n in range(5)}
    assert compared(NAME, documents, lexed([])).similarities.min() > 0.1
    found = compared(NAME, documents, lexed([given_code]))
    assert found.similarities.max() < 0.05
    assert 0.4 < found.starter_shares["s0"] < 0.6


@given(st.randoms(use_true_random=False))
def test_runs_are_equal_tokens_and_do_not_overlap(rng):
    parts = [program(rng.random(), 4) for _ in range(3)]
    one, other = lexed([*parts, program(rng.random(), 3)]), lexed([parts[2], program(rng.random(), 3), parts[0]])
    runs = shared_runs(one, other, NOTHING)
    seen = [set(), set()]
    for run in runs:
        places = [range(run.first, run.first + run.length), range(run.second, run.second + run.length)]
        assert [one.tokens[n] for n in places[0]] == [other.tokens[n] for n in places[1]]
        assert all(known.isdisjoint(now) for known, now in zip(seen, places, strict=True))
        for known, now in zip(seen, places, strict=True):
            known.update(now)
    assert [run.length for run in runs] == sorted((run.length for run in runs), reverse=True)


@pytest.mark.slow
def test_two_hundred_submissions_take_seconds_and_twice_as_many_about_twice_that():
    def seconds(count):
        documents = {f"s{n}": lexed([program(n, 60)]) for n in range(count)}
        begun = time.process_time()
        compared(NAME, documents, STARTER).top(20)
        return time.process_time() - begun

    seconds(10)
    small, large = seconds(100), seconds(200)
    assert large < 5
    assert large < 4 * small + 0.2


# ---- folders and pages -----------------------------------------------------------------------------------------------

HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture
def folder(tmp_path):
    tiny = write_source(tmp_path / "source")
    for student, code in (("ann", MINE), (HOSTILE, RENAMED + f"# {HOSTILE}\nx = '{HOSTILE}'"), ("cid", OWN)):
        hand_in(tmp_path / "in", student, submission(tiny, RIGHT | {"a1": code}))
    hand_in(tmp_path / "in", "dan", submission(tiny))
    hand_in(tmp_path / "in", "zed", submission(tiny)).write_text("{broken")
    return tmp_path, tiny


def test_a_folder_becomes_a_page_and_a_table(folder):
    root, tiny = folder
    found = compare_folder(root / "in", [tiny])
    assert list(found[0].documents) == [HOSTILE, "ann", "cid"]
    page, table = write_similarity(found, root / "similar.html")
    text = page.read_text(encoding="utf-8")
    assert HOSTILE not in text
    assert "&lt;img src=x" in text
    assert "http" not in text.replace("http-equiv", "")
    assert "Nothing of their own, so not compared: dan." in text
    assert "pd.Series(rule)" in text
    first = read_sheet(table)[0]
    assert {first["student"], first["other_student"]} == {HOSTILE, "ann"}


def test_the_page_says_what_is_usual_and_accuses_nobody(folder):
    root, tiny = folder
    text = similarity_page(compare_folder(root / "in", [tiny])).lower()
    assert "the median pair is" in text
    assert "innocent" in text
    assert not any(word in text for word in ("plagiari", "cheat", "copied", "guilty", "suspect", "fraud"))


@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_page_for_few_submissions(tmp_path, count):
    tiny = write_source(tmp_path / "source")
    (tmp_path / "in").mkdir()
    for number in range(count):
        hand_in(tmp_path / "in", f"s{number}", submission(tiny, RIGHT))
    assert ("fewer than two" in similarity_page(compare_folder(tmp_path / "in", [tiny]))) == (count < 2)


def test_given_cells_and_stubs_are_not_a_students_code(tmp_path):
    tiny = write_source(tmp_path / "source")
    path = hand_in(tmp_path / "in", "ann", submission(tiny))
    found = submission_tokens(tiny, path)
    assert found.tokens == ()
    answered = submission_tokens(tiny, hand_in(tmp_path / "in", "bob", submission(tiny, {"a1": "total = 6"})))
    assert answered.source == "total = 6"
    assert "NUMBERS" in starter_tokens(tiny).source
