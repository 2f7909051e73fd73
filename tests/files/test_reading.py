import warnings

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonnb import Release, privacy
from anonnb.attacks import HomogeneityAttack
from anonnb.files.reading import BadFile, layout, read_table_file
from anonnb.methods import Mondrian
from anonnb.publishing.own_table import open_table


@pytest.fixture
def write(tmp_path):
    def write(content, name="t.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize("sep", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(write, sep):
    text = f"name{sep}age{sep}city\nAnn{sep}30{sep}Bonn\nBob{sep}41{sep}Ulm\n"
    frame = read_table_file(write(text))
    assert frame.to_dict("list") == {"name": ["Ann", "Bob"], "age": [30, 41], "city": ["Bonn", "Ulm"]}


def test_a_comma_inside_values_does_not_fool_the_guess(write):
    frame = read_table_file(write("name;salary\nMiller, Ann;1,5 m\nBaker, Bob;2,5 m\n"))
    assert list(frame.columns) == ["name", "salary"]
    assert frame["name"].tolist() == ["Miller, Ann", "Baker, Bob"]


def test_a_delimiter_that_the_file_does_not_have(write):
    with pytest.raises(BadFile, match="has no ';' in its first line; its delimiter seems to be ','"):
        read_table_file(write("a,b\n1,2\n"), sep=";")
    assert read_table_file(write("a\n1\n"), sep=";")["a"].tolist() == [1]


def test_leading_zeros_stay(write):
    frame = read_table_file(write("zip,n,f\n01234,0,0.5\n99999,10,-0.25\n"))
    assert frame["zip"].tolist() == ["01234", "99999"]
    assert frame["n"].tolist() == [0, 10]
    assert frame["f"].tolist() == [0.5, -0.25]


def test_long_identifiers_keep_their_digits(write):
    assert read_table_file(write("id\n12345678901234567891\n1\n"))["id"].tolist() == ["12345678901234567891", "1"]


def test_a_number_is_a_number_only_if_all_are(write):
    frame = read_table_file(write("a,b\n1,nan\n2,inf\nx,3\n"))
    assert frame["a"].tolist() == ["1", "2", "x"]
    assert frame["b"].dropna().tolist() == ["inf", "3"]


def test_missing_values(write):
    frame = read_table_file(write("a,b,c\n1,x,1.5\n,?,NA\n3,z,2.5\n"))
    assert frame.isna().sum().to_dict() == {"a": 1, "b": 1, "c": 1}
    assert frame["a"].dropna().tolist() == [1, 3]
    assert pd.api.types.is_integer_dtype(frame["a"])


def test_an_empty_line_is_no_row_but_a_missing_value_in_a_single_column(write):
    assert len(read_table_file(write("a,b\n1,2\n\n3,4\n\n"))) == 2
    assert read_table_file(write("a\nx\n\ny\n"))["a"].isna().tolist() == [False, True, False]


def test_quotes_line_breaks_and_windows_line_ends(write):
    frame = read_table_file(write('a,b\r\n"x,\r\ny","say ""hi"""\r\nz,w\r\n'))
    assert frame["a"].tolist() == ["x,\r\ny", "z"]
    assert frame["b"].tolist() == ['say "hi"', "w"]


def test_byte_order_marks(write):
    assert list(read_table_file(write("\ufeffcité,b\nx,1\n")).columns) == ["cité", "b"]
    assert list(read_table_file(write("cité,b\nx,1\n".encode("utf-16"))).columns) == ["cité", "b"]


def test_another_encoding_is_announced(write):
    with pytest.warns(UserWarning, match="not UTF-8"):
        frame = read_table_file(write("city,n\nZürich,1\n".encode("cp1252")))
    assert frame["city"].tolist() == ["Zürich"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty"),
        (" \n\n", "is empty"),
        ("a,b\n", "header but no rows"),
        ("a,b\n1,2\n3\n", "line 3: 1 fields, but the header has 2"),
        ("a,b\n1,2\n3,4,5\n", "line 3: 3 fields, but the header has 2"),
        ("a,b,a\n1,2,3\n", "'a' occurs more than once"),
        ("a,,c\n1,2,3\n", "column 2 has no name"),
        ("a,b\n1,\0\n", "NUL byte in line 2"),
        ('a,b\n1,2\n1,"x\n3,4\n', r"line 3: a quote \(\"\) is opened and never closed"),
        ('a,b\n1,"x"y\n', "line 2: text follows a closing quote"),
    ],
)
def test_broken_files_are_refused_in_one_sentence(write, content, message):
    with pytest.raises(BadFile, match=message) as caught:
        read_table_file(write(content))
    assert "\n" not in str(caught.value)
    assert "t.csv" in str(caught.value)


def test_paths_that_are_no_files(tmp_path, write):
    with pytest.raises(BadFile, match="no such file"):
        read_table_file(tmp_path / "none.csv")
    with pytest.raises(BadFile, match="is a folder"):
        read_table_file(tmp_path)
    with pytest.raises(BadFile, match="not a readable Parquet file"):
        read_table_file(write("a,b\n1,2\n", "t.parquet"))


def test_bad_options(write):
    path = write("a,b\n1,é\n")
    with pytest.raises(BadFile, match="one character"):
        read_table_file(path, sep="::")
    with pytest.raises(BadFile, match="no encoding 'klingon'"):
        read_table_file(path, encoding="klingon")
    with pytest.raises(BadFile, match="not written in ascii"):
        read_table_file(path, encoding="ascii")


cells = st.text(st.characters(codec="utf-8", exclude_characters="\0\r", exclude_categories=["Cs"]), max_size=6)


@given(rows=st.lists(st.tuples(cells, cells), min_size=1, max_size=8), sep=st.sampled_from(",;\t|"))
def test_what_is_written_is_read_again(tmp_path_factory, rows, sep):
    path = tmp_path_factory.mktemp("round") / "t.csv"
    frame = pd.DataFrame([("x" + a, "y" + b) for a, b in rows], columns=["a", "b"])
    frame.to_csv(path, sep=sep, index=False, quoting=1)
    again = read_table_file(path, sep=sep)
    assert again["a"].tolist() == frame["a"].str.strip().tolist()
    assert again["b"].tolist() == frame["b"].str.strip().tolist()


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (["1,82", "1,7", "2"], "column 'h' holds numbers with a comma \\(1,82\\).* decimal point"),
        (["1.234,50", ""], "numbers with a comma"),
        (["31.01.2020", "1.2.2020"], "column 'h' holds dates \\(31.01.2020\\).* as 2020-01-31"),
    ],
)
def test_what_could_be_a_number_or_a_date_stays_text_and_is_announced(write, cells, said):
    with pytest.warns(UserWarning, match=said):
        frame = read_table_file(write("n;h\n" + "".join(f"1;{cell}\n" for cell in cells)))
    assert frame["h"].dropna().tolist() == [cell for cell in cells if cell]


@pytest.mark.parametrize(
    "cells", [["Miller, Ann", "1,5"], ["1.5", "2"], ["", ""], ["10.0.0.1", "1.2.3.4"], ["192.168.100.100"]]
)
def test_other_texts_are_not_announced(write, cells):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_table_file(write("n;h\n" + "".join(f"1;{cell}\n" for cell in cells)))


def notes_of(path, **options):
    """What reading the file warns of, as sentences."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        read_table_file(path, **options)
    return [str(warning.message) for warning in caught]


DAYS = pd.date_range("1960-01-01", periods=2999).strftime("%Y-%m-%d").tolist()


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (["1967-13-45", *DAYS], "2,999 of 3,000 values of 'h' are dates; '1967-13-45' in line 2 is not"),
        ([*DAYS, "unknown"], "2,999 of 3,000 values of 'h' are dates; 'unknown' in line 3001 is not"),
        (["", *map(str, range(60, 99)), "79 kg"], "39 of 40 values of 'h' are numbers; '79 kg' in line 42 is not"),
        (
            ["7.5"] * 5 + [*map(str, range(18)), "?", "x", "y", "x"],
            "23 of 26 values of 'h' are numbers; 'x' in line 26",
        ),
    ],
)
def test_the_few_values_that_keep_a_column_from_being_dates_or_numbers_are_named(write, cells, said):
    (note,) = notes_of(write("n;h\n" + "".join(f"1;{cell}\n" for cell in cells)))
    assert said in note
    assert "correct it or leave it empty to keep the column a " in note


def test_the_line_of_a_wrong_value_counts_empty_lines_and_line_breaks(write):
    numbers = "".join(f"a,{number}\n" for number in range(20))
    (note,) = notes_of(write(f'\nn,h\n\n"a\nb",1\n{numbers}h,h\n'))
    assert "'h' in line 26 is not" in note


@pytest.mark.parametrize(
    "cells",
    [
        ["1", "2", "3", "4", "5", "6", "7", "x"],  # fewer than nine of ten
        ["01234", *map(str, range(1000, 1030)), "D-5300"],  # codes
        ["1" * 20, *map(str, range(1000, 1030)), "none yet"],
        [*map(str, range(30)), "*"],  # an anonymized column
        [*map(str, range(30)), "[30–35]"],
    ],
)
def test_columns_that_are_text_on_purpose_are_not_announced(write, cells):
    assert notes_of(write("n;h\n" + "".join(f"1;{cell}\n" for cell in cells))) == []


GERMAN = "geboren;größe;lohn;plz\n31.01.1990;1,82;1.234,50;01234\n1.2.1985;1,7;-12;53111\n;;2.000;\n"


def test_decimal_commas_and_days_first_are_read_where_told(write):
    path = write(GERMAN.encode("cp1252"))
    with pytest.warns(UserWarning, match="not UTF-8"):
        frame = read_table_file(path, decimal=",", dayfirst=True)
    assert frame["geboren"].dropna().tolist() == [pd.Timestamp("1990-01-31"), pd.Timestamp("1985-02-01")]
    assert frame["größe"].dropna().tolist() == [1.82, 1.7]
    assert frame["lohn"].tolist() == [1234.5, -12, 2000]
    assert frame["plz"].dropna().tolist() == ["01234", "53111"]
    assert notes_of(write(GERMAN), decimal=",", dayfirst=True) == []


def test_what_could_be_read_is_announced_with_the_way_to_read_it(write):
    born, height, pay = notes_of(write(GERMAN))
    assert "read_table_file(…, dayfirst=True)" in born
    assert "read_table_file(…, decimal=',')" in height
    assert "read_table_file(…, decimal=',')" in pay


def test_iso_dates_and_whole_numbers_do_not_mind_the_options(write):
    text = "d;n\n2020-01-31;7\n2020-02-01;\n;12\n"
    pd.testing.assert_frame_equal(
        read_table_file(write(text), decimal=",", dayfirst=True), read_table_file(write(text))
    )


def test_a_decimal_mark_is_a_point_or_a_comma(write):
    with pytest.raises(BadFile, match="the decimal mark is ';', but it must be"):
        read_table_file(write("a\n1\n"), decimal=";")


def test_the_layout_of_a_file(write):
    assert layout(write("a,b\n1,2\n")) == (",", "utf-8")
    assert layout(write("\ufeffa;b\n1;2\n")) == (";", "utf-8")
    assert layout(write("a\tb\né\t2\n".encode("cp1252"))) == ("\t", "cp1252")
    assert layout(write("a|b\n1|2\n".encode("utf-16"))) == ("|", "utf-16")
    assert layout(write("a:b\n1:2\n"), sep=":", encoding="ascii") == (":", "ascii")


# ---- odd but honest tables: they work, from the file to a release ---------------------------------------------------


def test_dates_are_dates_where_all_are(write):
    frame = read_table_file(write("born,seen\n1990-01-31,2020-05-01\n1985-12-24,yesterday\n,2020-02-30\n"))
    assert pd.api.types.is_datetime64_any_dtype(frame["born"])
    assert frame["born"].isna().tolist() == [False, False, True]
    assert frame["seen"].tolist() == ["2020-05-01", "yesterday", "2020-02-30"]
    assert read_table_file(write("day\n2021-02-28\n2021-02-30\n"))["day"].tolist() == ["2021-02-28", "2021-02-30"]


def test_a_header_that_promises_many_columns_without_rows(write):
    header = ",".join(f"c{number}" for number in range(5000))
    with pytest.raises(BadFile, match="has a header but no rows"):
        read_table_file(write(header + "\n"))


ODD = {
    "only missing values": "a,b,ill\n" + ",NA,flu\n?,,cold\n" * 4,
    "one column only missing": "a,b,ill\n" + "1,,flu\n2,,cold\n" * 4,
    "dates": "a,b,ill\n" + "1990-01-31,x,flu\n1985-12-24,y,cold\n" * 4,
    "booleans": "a,b,ill\n" + "true,False,flu\nfalse,True,cold\n" * 4,
    "mixed types": "a,b,ill\n" + "1,x,flu\nunknown,2.5,cold\n2020-01-01,,flu\n" * 4,
    "a constant column": "a,b,ill\n" + "1,x,flu\n2,x,cold\n" * 4,
    "huge and tiny numbers": "a,b,ill\n" + "1e300,-1e-300,flu\n-1e300,0,cold\n" * 4,
    "spaces around values": "a , b,ill\n" + " 1, x ,flu\n2 ,y, cold \n" * 4,
    "markup": "<b>a</b>,b,ill\n" + '<i>,&amp;,flu\n</i>,"a,b",cold\n' * 4,
}


@pytest.mark.parametrize("name", ODD)
def test_odd_columns_can_be_anonymized_and_published(write, tmp_path, name):
    table = open_table(write(ODD[name]), quasi=list(read_table_file(write(ODD[name])).columns[:2]), sensitive=["ill"])
    release = Mondrian(k=3).anonymize(table)
    assert privacy.k(release) >= 3
    again = Release.from_frame(read_table_file(release.publish(tmp_path / "out.csv")), like=table)
    assert privacy.k(again) >= 3
    assert HomogeneityAttack().run(again, table).attempts == len(table)


# ---- odd choices ----------------------------------------------------------------------------------------------------


def test_a_file_needs_a_quasi_identifier(write):
    with pytest.raises(ValueError, match=r"quasi is empty: name the columns .* number, name"):
        open_table(write("number,name\n1,Ann\n2,Bob\n"))
    assert open_table("survey").quasi == ["Marital_status", "Sex", "Hours"]
