"""One set of table options: what one command understands, all do."""

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from anonnb.cli import main
from anonnb.tables.labels import HIDDEN_CELL

COMMANDS = ("audit", "anonymize", "attack", "check", "compare", "report")
TABLE_OPTIONS = {
    *("--quasi", "--sensitive", "--identifier", "--decision", "--person", "--missing", "--sep", "--encoding"),
    *("--decimal", "--dayfirst", "--kind", "--order", "--hierarchy"),
}


def call(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def refused(result, *texts):
    assert result.exit_code == 2, result.output
    assert len(result.stderr.strip().splitlines()) == 1
    for text in texts:
        assert text in result.stderr


@pytest.fixture
def file(tmp_path):
    """60 people with a coded region, a risk with an order, and column names that hold separators."""
    draw = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "age": draw.integers(20, 60, 60),
            "region": draw.integers(11, 15, 60),
            "risk": draw.choice(["low", "med", "high"], 60),
            "a,b=c": draw.integers(1, 3, 60),
            "ill": draw.choice(["flu", "cold", "asthma"], 60),
        }
    )
    frame.to_csv(tmp_path / "people.csv", index=False)
    return tmp_path / "people.csv"


def published(file, *options, quasi="age,region,risk"):
    out = file.with_name("out.csv")
    roles = ("--quasi", quasi, "--sensitive", "ill")
    result = call("anonymize", file, *roles, "--method", "Mondrian", "--k", 5, "-o", out, "--force", *options)
    assert result.exit_code == 0, result.output
    return pd.read_csv(out, dtype=str)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_all_table_options(command):
    known = {option for parameter in main.get_command(None, command).params for option in parameter.opts}
    assert known >= TABLE_OPTIONS


def test_an_order_makes_intervals_of_words(file):
    ranges = set(published(file, "--order", "risk=low,med,high")["risk"]) - {"low", "med", "high", HIDDEN_CELL}
    assert ranges <= {"[low–med]", "[med–high]"}
    assert ranges


def test_names_with_commas_and_equals_signs(file):
    plain = published(file, quasi="a,b=c")
    assert set(
        published(file, "--kind", "a,b=c=nominal", "--kind", "age,region=nominal", quasi="a,b=c")["a,b=c"]
    ) == set(plain["a,b=c"])
    masked = published(file, "--hierarchy", "a,b=c=mask 1", "--order", "a,b=c=2,1", quasi="a,b=c")
    assert len(masked) == 60


@pytest.mark.parametrize(
    ("option", "text", "said"),
    [
        ("--kind", "region", "is not COLUMN=KIND"),
        ("--kind", "region=number", "the kinds are nominal, ordinal, numeric"),
        ("--kind", "zip=nominal", "there is no column 'zip'"),
        ("--order", "risk=low", "name all values"),
        ("--order", "risk=low,me\nd,high", "write the values on one line"),
        ("--order", "risk=low,high", "its order does not name the value 'med'"),
        ("--order", "zip=1,2", "there is no column 'zip'"),
        ("--hierarchy", "age=steps 5", "'steps 5' is no hierarchy; write it like 'intervals 5 10 20'"),
        ("--hierarchy", "age=intervals 5 7", "7 is not a multiple of 5"),
        ("--hierarchy", "risk=intervals 5", "does not cover the value"),
        ("--hierarchy", "age=top 20 bottom 30", "bottom 30 is not below top 20"),
    ],
)
def test_bad_words_about_a_column(file, option, text, said):
    refused(call("audit", file, "--quasi", "age,region,risk", option, text), said)


def test_hierarchies_are_written_on_the_command_line(file):
    out = file.with_name("out.csv")
    roles = ("--quasi", "age,risk", "--method", "Samarati", "--k", 5, "-o", out)
    tree = file.with_name("risk.csv")
    tree.write_text("low,some\nmed,some\nhigh,much\n")
    result = call("anonymize", file, *roles, "--hierarchy", "age=intervals 20 40", "--hierarchy", f"risk={tree}")
    assert result.exit_code == 0, result.output
    assert "no hierarchy" not in result.stderr
    assert set(pd.read_csv(out)["age"]) <= {"[20,40)", "[40,60)", "[0,40)", "[40,80)", "*"}


def test_audit_without_quasi_identifiers_says_what_to_name(file):
    refused(call("audit", file), "--quasi age,zip")


class TestPopulation:
    @pytest.fixture
    def people(self, file):
        frame = pd.read_csv(file)
        pd.concat([frame] * 3).drop(columns="ill").to_csv(file.with_name("all.csv"), index=False)
        return file.with_name("all.csv")

    def anonymize(self, file, *options):
        roles = ("--quasi", "age,region", "--sensitive", "ill", "--method", "Mondrian", "--k", 2)
        return call("anonymize", file, *roles, "-o", file.with_name("out.csv"), "--force", *options)

    def test_the_model_is_met(self, file, people):
        result = self.anonymize(file, "--require", "KMap(30)", "--population", people)
        assert result.exit_code == 0, result.output
        assert "KMap(k=30)" in result.stdout
        classes = pd.read_csv(file.with_name("out.csv")).groupby(["age", "region"]).size()
        assert classes.min() >= 10  # each of the people is there three times in the population

    def test_without_a_file_or_without_a_model(self, file, people):
        refused(self.anonymize(file, "--require", "KMap(9)"), "--population FILE")
        refused(self.anonymize(file, "--population", people), "--population is for --require")
        refused(self.anonymize(file, "--require", "KMap()", "--population", people), "KMap takes k")
        pd.DataFrame({"age": [1]}).to_csv(people, index=False)
        refused(self.anonymize(file, "--require", "KMap(9)", "--population", people), "lacks", "'region'")

    def test_codes_of_the_population_are_read_as_those_of_the_table(self, tmp_path):
        (tmp_path / "t.csv").write_text("zip,ill\n" + "01234,a\n12345,b\n" * 4)
        (tmp_path / "p.csv").write_text("zip\n" + "12345\n" * 6)
        where = (tmp_path / "t.csv", "--quasi", "zip", "--method", "Mondrian", "--k", 2, "-o", tmp_path / "o.csv")
        result = call("anonymize", *where, "--require", "KMap(6)", "--population", tmp_path / "p.csv")
        assert result.exit_code == 0, result.output  # as a number, 12345 would have fitted nobody


class TestCompare:
    def compare(self, file, *options):
        return call("compare", file, "--quasi", "age,region", "--sensitive", "ill", "--attack", "Homogeneity", *options)

    def test_methods_that_cannot_meet_a_requirement_are_left_out(self, file):
        result = self.compare(file, "--method", "Mondrian", "--method", "ChaseProtection", "--require", "LDiversity(2)")
        assert result.exit_code == 0, result.output
        assert "left out, as they take no --require" in result.stderr

    def test_a_parameter_nobody_has(self, file):
        refused(self.compare(file, "--method", "Mondrian", "--param", "speed=3"), "Mondrian has no parameter 'speed'")
        refused(self.compare(file, "--param", "k=3"), "--k")
