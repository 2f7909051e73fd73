"""What ``anonnb anonymize`` refuses, and what it tells about a release."""

import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest

from anonnb import Table, methods
from anonnb.tables.attribute import Attribute
from anonnb.tables.hierarchies.hierarchy import Hierarchy
from tests.cli.test_commands import call, refused


@pytest.fixture
def people(tmp_path):
    """40 people with a class to predict and a column that nobody speaks of."""
    draw = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "zip": draw.choice(["01234", "01235", "99001"], 40),
            "age": draw.integers(20, 60, 40),
            "illness": draw.choice(["flu", "asthma"], 40),
            "shoe": draw.integers(36, 47, 40),
        }
    )
    frame.to_csv(tmp_path / "people.csv", index=False)
    return tmp_path / "people.csv"


@pytest.fixture
def anonymize(people, tmp_path):
    def anonymize(method, *options, roles=("--quasi", "zip,age", "--sensitive", "illness"), out="out.csv"):
        return call("anonymize", people, *roles, "--method", method, *options, "-o", tmp_path / out)

    return anonymize


PREDICT = ("--quasi", "zip,age", "--decision", "illness")


@pytest.mark.parametrize("method", ["Mondrian", "SafeTree", "PatternTable"])
def test_nothing_is_published_without_k(anonymize, tmp_path, method):
    refused(anonymize(method, roles=PREDICT), f"{method} needs --k")
    assert not (tmp_path / "out.csv").exists()


def test_k_may_be_a_parameter_but_not_twice(anonymize):
    assert anonymize("Mondrian", "--param", "k=3").exit_code == 0
    refused(anonymize("Mondrian", "--k", 3, "--param", "k=5"), "'k' is given twice: 3 and 5")
    refused(anonymize("OKA", "--k", 3, "--param", "seed=5", "--param", "seed=6"), "'seed' is given twice")


def test_a_file_that_is_read_is_not_overwritten(people, anonymize, tmp_path):
    before = people.read_bytes()
    refused(anonymize("Mondrian", "--k", 3, "--force", out="people.csv"), "is the file that is read")
    (tmp_path / "link.csv").symlink_to(people)
    refused(anonymize("Mondrian", "--k", 3, "--force", out="link.csv"), "is the file that is read")
    (tmp_path / "h.csv").write_text("zip,region\n")
    hierarchy = ("--hierarchy", f"zip={tmp_path / 'h.csv'}")
    refused(anonymize("Mondrian", "--k", 3, "--force", *hierarchy, out="h.csv"), "is the file that is read")
    assert people.read_bytes() == before


def test_rows_that_are_not_true_are_told(anonymize):
    moved = anonymize("M3AR", "--k", 4)
    assert "truthful cells" in moved.stdout
    assert "rows show the quasi-identifier of somebody else" in moved.stderr
    assert "truthful cells" in anonymize("TreePreserving", "--k", 4, "--force", roles=PREDICT).stdout
    assert "truthful" not in anonymize("Mondrian", "--k", 4, "--force").stdout


def test_patterns_are_counted_as_patterns(anonymize, tmp_path):
    result = anonymize("PatternTable", "--k", 3, roles=PREDICT)
    assert result.exit_code == 0, result.stderr
    facts = {line[2:30].strip(): line[30:].strip() for line in result.stdout.splitlines()[1:]}
    assert "k reached" not in facts
    assert int(facts["rows each holds at least"]) >= 3
    assert int(facts["patterns"]) == len(pd.read_csv(tmp_path / "out.csv"))
    assert f"{facts['patterns']} patterns for 40 rows published" in result.stdout


# three need numbers, two publish no table, and one wants few rows
UNFIT = {"NoiseAddition", "Rounding", "TopBottomCoding", "SafeItemsets", "SafeTree", "Factor"}


class TestHierarchy:
    LEAVES = "01234;nörd\n01235;nörd\n99001;süd\n"

    @pytest.mark.parametrize("header", ["", "zip;region\n"])
    @pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
    def test_with_and_without_a_header(self, anonymize, tmp_path, header, encoding):
        (tmp_path / "h.csv").write_bytes((header + self.LEAVES).encode(encoding))
        result = anonymize("Samarati", "--k", 3, "--hierarchy", f"zip={tmp_path / 'h.csv'}")
        assert result.exit_code == 0, result.stderr
        assert ("not UTF-8" in result.stderr) == (encoding != "utf-8")

    def test_errors_name_the_file(self, anonymize, tmp_path):
        for text, said in {
            "": "is empty",
            "01234\n": "one level only",
            "zip,a\n": "is empty",
            '"': "never closed",
        }.items():
            (tmp_path / "h.csv").write_text(text)
            result = anonymize("Samarati", "--k", 3, "--hierarchy", f"zip={tmp_path / 'h.csv'}")
            refused(result, said)
            assert "h.csv" in result.stderr
        refused(anonymize("Samarati", "--k", 3, "--hierarchy", "zap=h.csv"), "there is no column 'zap'")

    def test_a_method_without_use_for_it_says_so(self, anonymize, tmp_path):
        (tmp_path / "h.csv").write_text(self.LEAVES)
        given = ("--k", 3, "--force", "--hierarchy", f"zip={tmp_path / 'h.csv'}")
        assert "Mondrian does not use the levels of --hierarchy (zip)" in anonymize("Mondrian", *given).stderr
        assert "does not use" not in anonymize("Samarati", *given).stderr
        assert "does not use" not in anonymize("Mondrian", "--k", 3, "--force").stderr

    @pytest.mark.parametrize("name", sorted({*methods.all()} - UNFIT))
    def test_methods_that_read_levels_are_those_that_say_so(self, people, monkeypatch, name):
        cls = methods.get(name)
        method = cls(**({cls.strength: 3} if cls.strength in cls.constraints() else {}))
        tree = Hierarchy.from_rows([line.split(";") for line in self.LEAVES.splitlines()])
        roles = {"quasi": ["zip", "illness"], "sensitive": "shoe", "decision": "shoe"}
        frame = pd.read_csv(people, dtype=str)
        domains = {column: sorted(frame[column].unique()) for column in ("illness", "shoe")}
        table = Table(frame, **roles, hierarchies={"zip": tree}, domains=domains)
        read, levels = [], Attribute.levels.func
        monkeypatch.setattr(Attribute, "levels", property(lambda self: read.append(self.name) or levels(self)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            method.anonymize(table)
        # TreePreserving reads them only to name sets, which it need not have
        assert bool(read) == method.uses_hierarchies or name == "TreePreserving"


class TestRemedies:
    def test_errors_and_notes_speak_of_options(self, anonymize):
        refused(anonymize("InfoGainMondrian", "--k", 3), "name it: --decision COLUMN")
        refused(anonymize("TreePreserving", "--k", 3), "--param targets=COLUMN or --decision COLUMN")
        no_secret = ("--quasi", "zip,age")
        refused(
            anonymize("Mondrian", "--k", 3, "--require", "LDiversity(2)", roles=no_secret),
            "name one: --sensitive COLUMN",
        )
        assert "attach one with --hierarchy age=FILE" in anonymize("Samarati", "--k", 3).stderr

    def test_other_methods_and_missing_values(self, anonymize, people):
        refused(anonymize("Factor", "--k", 7), "use --method Forest")
        people.write_text("zip,age,illness\n1,,flu\n2,3,flu\n")
        refused(anonymize("Mondrian", "--k", 2, "--missing", "error"), "use --missing value or --missing drop")


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("LDiversity()", "missing a required argument: 'l'; LDiversity takes l, kind, c, column"),
        ("LDiversity(2, speed=3)", "unexpected keyword argument 'speed'; LDiversity takes l"),
        ("LDiversity(2, **{'c': 1})", "--require"),
        ("LDiversity({[]})", "is not a privacy model"),
        ("KMap(3)", "KMap counts the people of a population; name their table: --population FILE"),
    ],
)
def test_a_badly_written_model(anonymize, model, said):
    result = anonymize("Mondrian", "--k", 3, "--require", model)
    refused(result, said)


def test_columns_without_a_role_are_named_and_can_be_published(anonymize, tmp_path):
    assert "note: not published, as they have no role: shoe" in anonymize("Mondrian", "--k", 3).stderr
    undone = anonymize("Mondrian", "--k", 3, "--also", "shoe", "--force")
    assert undone.exit_code == 1
    assert "k = 3 is promised, but with 'shoe', published as it is" in undone.stderr
    assert "if nobody outside can know the values: --unknown-outside shoe" in undone.stderr
    result = anonymize("Mondrian", "--k", 3, "--also", "shoe", "--unknown-outside", "shoe", "--force")
    assert "no role" not in result.stderr
    assert "shoe" in pd.read_csv(tmp_path / "out.csv").columns
    refused(
        anonymize("Mondrian", "--k", 3, "--also", "shoes", "--force"),
        "did you mean shoe?",
    )
    hidden = ("--quasi", "zip,age", "--identifier", "shoe", "--person", "shoe")
    refused(anonymize("Mondrian", "--k", 3, "--also", "shoe", "--force", roles=hidden), "never published")
    refused(anonymize("SafeTree", "--k", 3, "--also", "shoe", "--force", roles=PREDICT), "publishes no table")


class TestColumnsThatNamePeople:
    @pytest.fixture
    def people(self, people):
        frame = pd.read_csv(people, dtype=str)
        frame["patient_id"] = range(1000, 1040)
        frame["name"] = [f"Person {i}" for i in range(40)]
        frame["birth date"] = ["1960-01-02", "1971-05-06"] * 20
        frame["weight"] = [60.5 + i * 0.75 for i in range(40)]
        frame.to_csv(people, index=False)
        return people

    def test_they_are_offered_as_identifiers_and_nothing_is_offered_to_be_published(self, people, anonymize):
        said = anonymize("Mondrian", "--k", 3).stderr
        assert "no role: shoe, patient_id, name, birth date, weight; " in said
        assert "if they name people, add --identifier patient_id,name\n" in said
        assert "--also" not in said

    @pytest.mark.parametrize("column", ["patient_id", "name"])
    def test_they_are_not_published(self, people, anonymize, tmp_path, column):
        refused(
            anonymize("Mondrian", "--k", 3, "--also", f"shoe,{column}"),
            f"--also: column '{column}' has 40 different values in 40 rows and would identify people; leave it out",
        )
        assert not (tmp_path / "out.csv").exists()

    def test_a_measurement_is_published_only_when_nobody_outside_can_know_it(self, people, anonymize, tmp_path):
        refused(anonymize("Mondrian", "--k", 3, "--also", "weight"), "add --unknown-outside weight")
        result = anonymize("Mondrian", "--k", 3, "--also", "weight", "--unknown-outside", "weight")
        assert result.exit_code == 0
        assert "weight" in pd.read_csv(tmp_path / "out.csv").columns


@pytest.mark.parametrize(
    ("method", "param", "said"),
    [
        (
            "PatternTable",
            "rules=abc",
            "rules cannot be written on a command line: it takes a RuleSet, not 'abc'",
        ),
        ("Mondrian", "strict=perhaps", "strict must be True or False, not 'perhaps'"),
        ("Mondrian", "cut=mean", "cut='mean' is not known; use 'median', 'loss'"),
        ("Mondrian", "k=few", "k must be a whole number, not 'few'"),
        ("KOptimize", "time_limit=0", "time_limit must be above 0, not 0"),
        ("Mondrian", "require=LDiversity", "is not a privacy model; write it like"),
    ],
)
def test_parameters_are_read_as_they_are_declared(anonymize, method, param, said):
    k = () if param.startswith("k=") else ("--k", 3)
    refused(anonymize(method, *k, "--param", param, roles=PREDICT), said)


def test_the_suppression_limit_reaches_the_methods_that_can_use_it_and_the_gate(tmp_path):
    pd.DataFrame({"zip": ["a"] * 30 + ["b"] * 30 + ["c"] * 4}).to_csv(tmp_path / "few.csv", index=False)
    given = ("anonymize", tmp_path / "few.csv", "--quasi", "zip", "--k", 5, "-o", tmp_path / "out.csv", "--force")
    withheld = {}
    for share in ("0", "0.05", "0.1", "1"):
        result = call(*given, "--method", "FullDomain", "--suppression-limit", share)
        assert result.exit_code == 0, result.output
        withheld[share] = 64 - len(pd.read_csv(tmp_path / "out.csv"))
    assert withheld == {"0": 0, "0.05": 0, "0.1": 4, "1": 4}
    limits = ("--suppression-limit", "0.01", "--param", "max_suppressed=4")
    assert "4 of 64 rows are suppressed" in call(*given, "--method", "FullDomain", *limits).stderr
    assert call(*given, "--method", "Mondrian", "--suppression-limit", "0").exit_code == 0


@pytest.mark.slow
def test_of_three_processes_one_gets_the_name(tmp_path):
    (tmp_path / "people.csv").write_text("age,ill\n" + "".join(f"{20 + n % 9},{'yn'[n % 2]}\n" for n in range(60)))
    words = [
        "anonymize",
        "people.csv",
        "--quasi",
        "age",
        "--sensitive",
        "ill",
        "--method",
        "Mondrian",
        "--k",
        "5",
        "-o",
        "same.csv",
    ]
    command = [sys.executable, "-m", "anonnb", *words]
    running = [subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    errors = [process.communicate()[1] for process in running]
    assert sorted(process.returncode for process in running) == [0, 2, 2]
    assert sum("same.csv exists already; choose another name or add --force" in error for error in errors) == 2
