import datetime
import io

import pandas as pd
import pytest

from anonnb.core.extras import MissingExtra
from anonnb.files.opening import BadFile
from anonnb.files.reading import layout_of_bytes, read_rows, read_table_bytes, read_table_file

openpyxl = pytest.importorskip("openpyxl")


def book(*rows):
    made = openpyxl.Workbook()
    for row in rows:
        made.active.append(row)
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def test_cells_are_read_like_those_of_a_csv(tmp_path):
    moment = datetime.datetime(2017, 1, 1, 6, 30)
    raw = book(
        ["zip", "age", "weight", "born", "seen", None],
        ["01234", 30, 1.5, datetime.date(2000, 1, 31), moment],
        [],
        ["99001", None, 2, datetime.date(2000, 2, 1), moment],
    )
    (tmp_path / "people.xlsx").write_bytes(raw)
    for decimal in (".", ","):
        found = read_table_file(tmp_path / "people.xlsx", decimal=decimal)
        assert found["zip"].tolist() == ["01234", "99001"]
        assert found["age"].isna().tolist() == [False, True]
        assert found["weight"].tolist() == [1.5, 2.0]
        assert found["born"][0] == pd.Timestamp("2000-01-31")
        assert found["seen"][0] == pd.Timestamp(moment)
    assert read_table_bytes(raw, "upload").equals(found)  # known by its content, too


def test_the_sheet_with_most_cells_is_read_unless_one_is_named():
    made = openpyxl.Workbook()
    made.active.title = "Legend"
    made.active.append(["column"])
    made.active.append(["age"])
    data = made.create_sheet("Data")
    for row in (["age", "zip"], [30, "01234"], [41, "99999"]):
        data.append(row)
    raw = io.BytesIO()
    made.save(raw)
    with pytest.warns(UserWarning, match="has 2 sheets; 'Data', which has most cells, is read; name another with"):
        assert read_table_bytes(raw.getvalue(), "people.xlsx").columns.tolist() == ["age", "zip"]
    assert read_table_bytes(raw.getvalue(), "people.xlsx", sheet="Legend").columns.tolist() == ["column"]
    with pytest.raises(BadFile, match="has no sheet 'data'; it has 'Legend', 'Data'"):
        read_table_bytes(raw.getvalue(), "people.xlsx", sheet="data")
    with pytest.raises(BadFile, match="has no sheets, so there is no sheet 'Data'"):
        read_table_bytes(b"a,b\n1,2\n", "people.csv", sheet="Data")


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"age\n30\n", "not a readable Excel file"),
        (b"PK\x03\x04 and nothing else", "not a readable Excel file"),
        (b"\xd0\xcf\x11\xe0 old", "old kind"),
        (book(), "is empty"),
        (book(["a", "a"], [1, 2]), "occurs more than once"),
        (book(["a", None, "b"], [1, 2, 3]), "column 2 has no name"),
        (book(["a"]), "a header but no rows"),
    ],
)
def test_bad_files(raw, said):
    with pytest.raises(BadFile, match=said):
        read_table_bytes(raw, "people.xlsx")


def test_without_openpyxl_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setattr("anonnb.core.extras.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r'pip install "anonnb\[excel\]"'):
        read_table_bytes(book(["a"], [1]), "people.xlsx")


class TestSepLine:
    @pytest.mark.parametrize("line", ["sep=;", '"sep=;"', "SEP=;", "\ufeffsep=;"])
    def test_it_names_the_delimiter(self, line, tmp_path):
        raw = f"{line}\r\na,b;c\r\n1;2\r\n".encode()
        assert read_table_bytes(raw, "t.csv").to_dict("list") == {"a,b": [1], "c": [2]}
        assert layout_of_bytes(raw, "t.csv")[0] == ";"
        (tmp_path / "t.csv").write_bytes(raw)
        assert read_rows(tmp_path / "t.csv")[0] == ["a,b", "c"]

    def test_lines_keep_their_numbers(self):
        with pytest.raises(BadFile, match="line 4"):
            read_table_bytes(b"sep=;\na;b\n1;2\n1;2;3\n", "t.csv")
