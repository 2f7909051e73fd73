"""A gate that passes a tampered file is worthless: every kind of tampering is tried, on text and on Parquet."""

import csv

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anonnb
from anonnb import Release, Table
from anonnb.core.card import Claim
from anonnb.files.text_table import TextTable, read_as_text
from anonnb.methods import Mondrian, PatternTable
from anonnb.privacy import BetaLikeness, LDiversity, TCloseness
from anonnb.publishing.recounting import Secrets, classes_of
from anonnb.publishing.release_files import expectation
from anonnb.publishing.verification import Expectation, VerificationError, verify_file, verify_table

K = Claim("KAnonymity", {"k": 2}, "k = 2")


@pytest.fixture(scope="module")
def release():
    table = anonnb.load("adult").take(np.arange(0, 3000, 3)).with_roles(sensitive=["occupation"])
    return Mondrian(k=5, require=(LDiversity(3),)).anonymize(table)


@pytest.fixture
def written(release, tmp_path):
    path = release.publish(tmp_path / "out.csv")
    expected = expectation(release, list(release.published().columns))
    assert verify_file(path, expected)
    return path, expected


def tampered(path, change):
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    change(header, rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def outsider(expected):
    """What somebody expects who did not make the release: neither the cells nor the rows that were withheld."""
    return Expectation(
        quasi=expected.quasi, sensitive=expected.sensitive, other=expected.other, claims=expected.claims,
        identifiers=("name",), nominal=expected.nominal, input_rows=expected.input_rows,
    )  # fmt: skip


def change_a_cell(header, rows):
    rows[7][0] = "[1–2]"


def change_a_secret(header, rows):
    rows[7][header.index("occupation")] = "spy"


def drop_a_row(header, rows):
    del rows[7]


def double_a_row(header, rows):
    rows.append(rows[7])


def add_an_identifier(header, rows):
    header.append("name")
    for number, row in enumerate(rows):
        row.append(f"person {number}")


def add_a_nearly_unique_column(header, rows):
    header.append("latitude")
    for number, row in enumerate(rows):
        row.append(f"{47 + number / 7919:.6f}")


def rename_a_column(header, rows):
    header[0] = "years"


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        change_a_cell,
        change_a_secret,
        drop_a_row,
        double_a_row,
        add_an_identifier,
        add_a_nearly_unique_column,
        rename_a_column,
    ],
)
def test_whoever_made_the_release_notices_every_change(written, change):
    path, expected = written
    tampered(path, change)
    assert verify_file(path, expected).failures


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (change_a_cell, "k = 5 is promised, but 2 of"),
        (double_a_row, "the file has 1,001 rows, the original only 1,000"),
        (add_an_identifier, "the identifier 'name' stands in the file"),
        (add_a_nearly_unique_column, "nobody gave the column 'latitude' a role"),
        (rename_a_column, "the file lacks the column"),
    ],
)
def test_so_does_somebody_who_has_the_file_only(written, change, said):
    path, expected = written
    tampered(path, change)
    assert said in " ".join(verify_file(path, outsider(expected)).failures)


def test_a_secret_that_is_the_same_in_a_class_is_noticed(written):
    path, expected = written

    def share(header, rows):
        place, quasi = header.index("occupation"), [header.index(name) for name in expected.quasi]
        for row in rows:
            if [row[i] for i in quasi] == [rows[0][i] for i in quasi]:
                row[place] = "Sales"

    tampered(path, share)
    assert "LDiversity" in verify_file(path, outsider(expected)).failures[0]


def test_columns_published_as_they_are_count_as_known(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.integers(20, 60, 300), "lat": rng.normal(47, 1, 300).round(2), "ill": "flu"})
    release = Mondrian(k=5).anonymize(Table(frame, quasi="age", sensitive="ill"))
    path = tmp_path / "out.csv"
    path.write_text("yesterday's")
    with pytest.raises(
        VerificationError, match=r"with 'lat', published as it is, \d+ % of the rows stand alone"
    ) as refusal:
        release.publish(path, also="lat", overwrite=True)
    assert "unknown_outside=['lat']" in str(refusal.value)
    assert path.read_text() == "yesterday's"
    assert list(tmp_path.iterdir()) == [path]
    assert release.publish(path, also="lat", unknown_outside="lat", overwrite=True).exists()
    with pytest.raises(KeyError, match="'zip' is not named in also"):
        release.publish(path, unknown_outside="zip", overwrite=True)


def test_a_release_that_writes_something_else_is_refused(release, tmp_path):
    class Careless(Release):
        def published(self, also=()):
            return super().published(also).iloc[:-1]

    careless = Careless(release.table, release.columns, release.rows, method=release.method)
    for name in ("out.csv", "out.parquet"):
        with pytest.raises(VerificationError, match="rows stand in the file, but 1,000 were to be written"):
            careless.publish(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_people_are_counted_where_they_are_known(tmp_path):
    path = tmp_path / "out.csv"
    path.write_text("zip\na\na\nb\nb\n")
    assert verify_file(path, Expectation(quasi=("zip",), claims=(K,)))
    people = (np.arange(4), np.array([0, 1, 2, 2]))
    verdict = verify_file(path, Expectation(quasi=("zip",), claims=(K,), people=people))
    assert verdict.failures == [
        "k = 2 is promised, but 1 of 2 classes holds fewer people, the smallest 1; anonymize the table again"
    ]
    assert (
        "does not show whose"
        in verify_file(path, Expectation(quasi=("zip",), claims=(K,), most_rows_each=2)).unchecked[0]
    )


def test_what_a_file_does_not_show_is_said(tmp_path):
    table = anonnb.load("survey")
    release = PatternTable(k=2).anonymize(table)
    path = release.publish(tmp_path / "out.csv")
    verdict = verify_file(path, expectation(release, list(release.published().columns)))
    assert verdict
    assert "not recounted" in verdict.unchecked[0]


def test_parquet_and_csv_have_the_same_verdict(release, tmp_path):
    expected = expectation(release, list(release.published().columns))
    verdicts = [verify_file(release.publish(tmp_path / name), expected) for name in ("out.csv", "out.parquet")]
    assert verdicts[0].findings == verdicts[1].findings
    assert verdicts[0].figures == verdicts[1].figures


def test_a_file_for_spreadsheets_passes(tmp_path):
    frame = pd.DataFrame({"=zip": ["=1", "=1", "-b", "-b"]})
    path = Mondrian(k=2).anonymize(Table(frame, quasi="=zip")).publish(tmp_path / "out.csv", excel=True)
    assert path.read_bytes().startswith(b"\xef\xbb\xbf\"'=zip")


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5)), min_size=4, max_size=40),
    st.sampled_from(["equal", "ordered"]),
)
def test_distances_and_rises_are_those_of_the_models(tmp_path_factory, cells, distance):
    """Two codes for one definition: a difference would be a mistake of one of them."""
    frame = pd.DataFrame(cells, columns=["zip", "pay"])
    path = tmp_path_factory.mktemp("gate") / "out.csv"
    frame.to_csv(path, index=False)
    text = read_as_text(path)
    secrets = Secrets.of(text, "pay", *classes_of(text, ["zip"]))
    table = Table(frame, quasi="zip", sensitive="pay")
    far = secrets.equal_distance() if distance == "equal" else secrets.ordered_distance()
    assert float(far.max()) == pytest.approx(anonnb.privacy.t(table, distance), abs=1e-9)
    assert float(secrets.beta(False).max()) == pytest.approx(max(anonnb.privacy.beta(table), 0))
    assert float(secrets.delta().max()) == pytest.approx(anonnb.privacy.delta_disclosure(table))
    assert float(secrets.entropy_l().min()) == pytest.approx(anonnb.privacy.entropy_l(table))
    assert float(secrets.recursive_c(2).max()) == pytest.approx(anonnb.privacy.recursive_c_l(table, 2)[0])


def test_models_that_compare_with_the_table_are_recounted_when_nothing_is_withheld(tmp_path):
    table = anonnb.load("adult").take(np.arange(500)).with_roles(sensitive=["hours-per-week", "occupation"])
    release = Mondrian(k=5, require=(TCloseness(0.5), BetaLikeness(8))).anonymize(table)
    path = release.publish(tmp_path / "out.csv")
    verdict = verify_file(path, expectation(release, list(release.published().columns)))
    assert len([finding for finding in verdict.findings if finding.what.startswith(("TClose", "BetaLike"))]) == 4
    assert not verdict.unchecked


@pytest.mark.parametrize("text", ["", "a,a\n1,2\n", "a,b\n1\n", 'a\n"b\n'])
def test_broken_files_are_told_in_a_sentence(tmp_path, text):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"bad\.csv"):
        read_as_text(path)


def test_different_values_must_have_different_texts(tmp_path):
    path = tmp_path / "out.csv"
    path.write_text("zip\n9007199254740992.0\n9007199254740992.0\n")
    verdict = verify_file(path, Expectation(quasi=("zip",), cells={"zip": np.array([0, 1])}))
    assert verdict.failures == ["the column 'zip' writes different values as the same text; make it a column of texts"]
    assert verify_file(path, Expectation(quasi=("zip",), cells={"zip": np.array([1, 1])}))


def test_the_gate_counts_a_blank_as_a_value_unless_the_promise_ignores_it(tmp_path):
    path = tmp_path / "blank.csv"
    path.write_text("zip,ill\n1*,flu\n1*,cold\n2*,\n2*,\n2*,\n")
    for missing in ("value", "ignore"):
        text = f"LDiversity(l=2, missing={missing!r})"
        claim = Claim("LDiversity", {"l": 2, "kind": "distinct", "missing": missing}, text)
        report = verify_file(path, Expectation(quasi=("zip",), sensitive=("ill",), claims=(claim,)))
        if missing == "value":
            assert f"{text} of 'ill' is promised, but a class has 1" in report.failures[0]
        else:
            assert "empty cells are ignored, and 3 rows (60.0 %) stand in classes" in report.passed[-1]


def patients_with_notes(notes):
    size = len(notes)
    frame = pd.DataFrame(
        {
            "name": [
                f"{first} Doe{number}" for number, first in zip(range(size), ["Anna", "Bob"] * size, strict=False)
            ],
            "age": np.arange(size) // 5,
            "note": notes,
        }
    )
    return Mondrian(k=5).anonymize(Table(frame, quasi="age", sensitive="note", identifier="name"))


def test_an_identifier_inside_a_text_is_no_secret_of_the_gate(tmp_path):
    """Names that stand in free text block the file until somebody declares the column, and then the report says so."""
    notes = [["flu", "cold"][number % 2] for number in range(20)]
    clean = patients_with_notes(notes)
    report = verify_file(clean.publish(tmp_path / "clean.csv"), expectation(clean, ["age", "note"]))
    assert "the file has no column 'name'" in report.passed
    assert any("no value of 'name', no e-mail address" in text for text in report.passed)
    notes[3], notes[7], notes[9] = (
        "cold; tell BOB doe1 too",
        "mail anna@example.org",
        "mother of Mrs. Doe, tel. 0170 1234567",
    )
    release = patients_with_notes(notes)
    with pytest.raises(VerificationError, match="a value of an identifier column in 1 row, an e-mail") as refusal:
        release.publish(tmp_path / "notes.csv")
    assert "a telephone number in 1 row" in str(refusal.value)
    assert "may_name=['note']" in str(refusal.value)
    assert not (tmp_path / "notes.csv").exists()
    path = release.publish(tmp_path / "notes.csv", may_name="note")
    said = verify_file(path, expectation(release, ["age", "note"], may_name=["note"])).unchecked
    assert any("somebody declared that the column may name people" in text for text in said)
    with pytest.raises(KeyError, match="may_name"):
        release.publish(tmp_path / "other.csv", may_name="name")


def test_a_value_that_stands_for_a_household_is_named():
    """eqIncome of eusilc: 5,999 values for 6,000 households of several rows, so no row has a value of its own."""
    rng = np.random.default_rng(0)
    home = np.repeat(np.arange(600), rng.integers(1, 5, 600))
    frame = pd.DataFrame(
        {"home": home, "age": rng.integers(20, 60, len(home)), "sex": rng.choice(["f", "m"], len(home))}
    )
    frame = frame.assign(income=(rng.lognormal(10, 1, 600).round(2))[home])
    release = Mondrian(k=5).anonymize(Table(frame, quasi=["age", "sex"], sensitive="income", identifier="home"))
    expected = expectation(release, ["age", "sex", "income"])
    assert expected.within == {"income": "home"}
    table = release.published()
    text = read_as_text_of(table)
    said = [finding.sentence for finding in verify_table(text, expected).findings if finding.what.startswith("rare")]
    assert said
    assert "'income' has 600 different values, and all rows of one 'home' have the same: 100 %" in said[0]


def read_as_text_of(frame):
    numbers, texts = {}, {}
    for name in frame:
        numbers[name], values = pd.factorize(frame[name].astype(str))
        texts[name] = list(values)
    return TextTable(tuple(frame), len(frame), numbers, texts)
