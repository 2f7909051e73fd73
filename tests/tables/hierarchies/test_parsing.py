import pandas as pd
import pytest

from anonnb import Release, Table
from anonnb.methods import Samarati
from anonnb.tables.hierarchies.parsing import parse_hierarchy

INCOMES = pd.Series([5000, 12000, 45000, 95000], name="income")
CITIES = pd.Series(["Bonn", "Kiel", "Ulm", "Bonn"], name="city")


def labels(written, column, value):
    hierarchy = parse_hierarchy(written, column)
    return [hierarchy.generalize(value, level) for level in range(hierarchy.height + 1)]


@pytest.mark.parametrize(
    ("written", "value", "expected"),
    [
        ("intervals 10000 50000", 45000, ["45000", "[40000,50000)", "[0,50000)", "*"]),
        ("intervals 10, 20 from 5", 12, ["12", "[5,15)", "[5,25)", "*"]),
        ("top 90000 bottom 10000", 95000, ["95000", ">=90000", "*"]),
        ("top 90000 bottom 10000", 5000, ["5000", "<=10000", "*"]),
        ("top 90000 bottom 10000", 12000, ["12000", "12000", "*"]),
        ("intervals 20000 100000 top 90000 bottom 10000", 12000, ["12000", "(10000,20000)", "(10000,90000)", "*"]),
        ("mask 5 step 2", 12000, ["12000", "120**", "1****", "*"]),
        ("suppress", 5000, ["5000", "*"]),
    ],
)
def test_numbers(written, value, expected):
    assert labels(written, INCOMES, value) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("mask", ["Ulm", "Ulm*", "Ul**", "U***", "*"]),
        ("step 2", ["Ulm", "Ul**", "*"]),
        ("prefix 1", ["Ulm", "U***", "*"]),
        ("rare 2", ["Ulm", "rare (<2 rows)", "*"]),
        ({"south": ["Ulm"], "north": ["Bonn", "Kiel"]}, ["Ulm", "south", "*"]),
        ({"south": ["Ulm"], "north": {"sea": ["Kiel"], "land": ["Bonn"]}}, ["Ulm", "south", "south", "*"]),
        ([["Bonn", "Ulm"], ["Kiel"]], ["Ulm", "Bonn or Ulm", "*"]),
    ],
)
def test_texts(written, expected):
    assert labels(written, CITIES, "Ulm") == expected


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("", "'' is no hierarchy"),
        ("interval 5", "write it like 'intervals 5 10 20'"),
        ("intervals", "'intervals' wants one or more numbers"),
        ("intervals 5 x", "is not a list of numbers"),
        ("intervals 5 mask 3", "'mask' does not go with 'intervals'"),
        ("top 1 2", "'top' wants one number"),
        ("mask 0", "no whole number of at least 1"),
        ("mask 999999999", "no value has more than 4 characters; write mask 4"),
        ("prefix 1 3", "keeps fewer characters"),
        ("rare 1", "the first is 2 or more"),
        ("year month", "each wider than the last"),
        ("absent.csv", "there is no hierarchy file"),
    ],
)
def test_what_is_not_understood_names_the_column(written, said):
    with pytest.raises(ValueError, match="column 'city'") as caught:
        parse_hierarchy(written, CITIES)
    assert said in str(caught.value)


def test_tables_take_words_and_their_releases_are_read_back(tmp_path):
    frame = pd.DataFrame({"income": INCOMES, "city": CITIES})
    words = {"income": "top 90000 bottom 10000", "city": "rare 2"}
    table = Table(frame, quasi=["income", "city"], hierarchies=words)
    assert table.preview("city")["examples"].tolist()[1] == "Bonn, rare (<2 rows)"
    release = Samarati(k=2).anonymize(table)
    again = Release.from_frame(pd.read_csv(release.publish(tmp_path / "out.csv")), like=table, hidden="class")
    assert again.group_sizes.tolist() == release.group_sizes.tolist()


class TestMissing:
    """A line for the missing value says where it belongs."""

    @pytest.mark.parametrize("word", ["", "?", "NA", "missing"])
    def test_the_line_is_honoured(self, tmp_path, word):
        path = tmp_path / "city.csv"
        path.write_text(f"city,region,all\nBonn,west,any\nUlm,south,any\n{word},unknown,any\n")
        column = pd.Series(["Bonn", None, "Ulm"], name="city")
        table = Table(column.to_frame(), quasi="city", hierarchies={"city": str(path)})
        levels = table.attributes["city"].levels
        shown = [levels.labels[level][levels.maps[level][-1]] for level in range(3)]
        assert shown == ["missing", "unknown", "any"]

    def test_it_may_come_first_where_there_is_no_header(self, tmp_path):
        path = tmp_path / "city.csv"
        path.write_text(",west\nBonn,west\nUlm,south\n")
        column = pd.Series(["Bonn", None, "Ulm"], name="city")
        hierarchy = parse_hierarchy(str(path), column)
        assert hierarchy.generalize("", 1) == "west"

    def test_without_a_line_it_stays_apart(self):
        column = pd.Series(["Bonn", None, "Ulm"], name="city")
        tree = {"city": {"west": ["Bonn"], "south": ["Ulm"]}}
        levels = Table(column.to_frame(), quasi="city", hierarchies=tree).attributes["city"].levels
        assert levels.labels[1][levels.maps[1][-1]] == "missing"


def test_nested_lists_are_written_as_json():
    cities = pd.Series(["Bonn", "Ulm", "Kiel"], name="city")
    tree = parse_hierarchy('{"south": ["Ulm"], "north": ["Bonn", "Kiel"]}', cities)
    assert [tree.generalize(city, 1) for city in cities] == ["north", "south", "north"]
    with pytest.raises(ValueError, match=r"column 'city': the hierarchy '\{south' ?: .*write it like"):
        parse_hierarchy("{south", cities)
