import html
import re
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from anonnb import attacks
from anonnb.cli import main
from anonnb.core.progress import ticks
from anonnb.core.wording import percent


def call(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def refused(result, text, code=2):
    """One sentence on the error stream beside what was to be done, nothing on the other, no traceback."""
    assert result.exit_code == code
    assert text in result.stderr
    assert len([line for line in result.stderr.strip().splitlines() if not line.startswith("now: ")]) == 1
    assert result.stdout == ""
    assert isinstance(result.exception, SystemExit)


@pytest.fixture
def people(tmp_path):
    """40 people; a ZIP code with a leading zero, a formula as a name, a script as a value."""
    draw = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "=cmd()": [f"p{i}" for i in range(40)],
            "zip": draw.choice(["01234", "01235", "99001"], 40),
            "age": draw.integers(20, 60, 40),
            "illness": draw.choice(["flu", "asthma", "<script>alert(1)</script>"], 40),
        }
    )
    frame.to_csv(tmp_path / "people.csv", index=False)
    return tmp_path / "people.csv"


ROLES = ("--quasi", "zip,age", "--sensitive", "illness", "--identifier", "=cmd()")


class TestAudit:
    def test_a_column_whose_name_has_a_comma(self, tmp_path):
        (tmp_path / "t.csv").write_text('"a,b";c\n1;2\n1;2\n')
        assert call("audit", tmp_path / "t.csv", "--quasi", "a,b", "--quasi", "c").exit_code == 0

    def test_another_encoding_is_announced_on_the_error_stream(self, tmp_path):
        (tmp_path / "t.csv").write_bytes("city,n\nZürich,1\nZürich,2\n".encode("cp1252"))
        result = call("audit", tmp_path / "t.csv", "--quasi", "city")
        assert result.exit_code == 0
        assert "note:" in result.stderr
        assert "not UTF-8" in result.stderr

    def test_bad_input(self, people, tmp_path):
        refused(call("audit", tmp_path / "none.csv", "--quasi", "a"), "no such file")
        refused(call("audit", people, "--quasi", "zap"), "'zap'")
        refused(call("audit", people, "--quasi", "zip", "--sensitive", "zip"), "zip")
        (tmp_path / "ragged.csv").write_text("a,b\n1\n")
        refused(call("audit", tmp_path / "ragged.csv", "--quasi", "a"), "line 2")
        assert call("audit", people).exit_code == 2


class TestAnonymize:
    def test_a_release_is_published(self, people, tmp_path):
        out = tmp_path / "out.csv"
        result = call("anonymize", people, *ROLES, "--method", "Mondrian", "--k", 4, "-o", out)
        assert result.exit_code == 0, result.stderr
        published = pd.read_csv(out, dtype=str)
        assert list(published.columns) == ["zip", "age", "illness"]
        assert published.groupby(["zip", "age"]).size().min() >= 4
        assert "40 of 40 rows published" in result.stdout
        for fact in ("groups", "k reached", "suppressed rows", "NCP"):
            assert fact in result.stdout

    def test_a_hierarchy_from_a_file(self, people, tmp_path):
        (tmp_path / "zip.csv").write_text("zip,region\n01234,north\n01235,north\n99001,south\n")
        call_ = ("anonymize", people, *ROLES, "--method", "Samarati", "--k", 3, "-o", tmp_path / "out.csv")
        result = call(*call_, "--hierarchy", f"zip={tmp_path / 'zip.csv'}")
        assert result.exit_code == 0
        assert "note: column 'age' has no hierarchy" in result.stderr
        refused(call(*call_, "--force", "--hierarchy", f"zip={tmp_path / 'none.csv'}"), "no hierarchy file")
        refused(call(*call_, "--force", "--hierarchy", "zip"), "COLUMN=FILE")
        (tmp_path / "zip.csv").write_text("zip,region\n01234,north\n")
        refused(call(*call_, "--force", "--hierarchy", f"zip={tmp_path / 'zip.csv'}"), "01235")

    def test_an_existing_file_is_not_overwritten(self, people, tmp_path):
        out = tmp_path / "out.csv"
        out.write_text("precious")
        call_ = ("anonymize", people, *ROLES, "--method", "Mondrian", "--k", 4, "-o", out)
        refused(call(*call_), "exists already")
        assert out.read_text() == "precious"
        assert call(*call_, "--force").exit_code == 0
        assert out.read_text() != "precious"

    def test_what_cannot_be_done_is_a_failure_and_writes_nothing(self, people, tmp_path):
        out = tmp_path / "out.csv"
        refused(call("anonymize", people, *ROLES, "--method", "Mondrian", "--k", 41, "-o", out), "41", code=1)
        assert not out.exists()

    @pytest.mark.parametrize(
        ("options", "text"),
        [
            (("--method", "Magic"), "no method 'Magic'; known are"),
            (("--method", "Mondrian", "--k", 0), "k must be"),
            (("--method", "Mondrian", "--param", "speed=9"), "Mondrian has no parameter 'speed'; it has k"),
            (("--method", "Mondrian", "--param", "speed"), "is not NAME=VALUE"),
            (("--method", "Mondrian", "--require", "Magic(3)"), "no privacy model 'Magic'"),
            (("--method", "Mondrian", "--require", "LDiversity"), "is not a privacy model; write it like"),
            (("--method", "Mondrian", "--require", "LDiversity(open('x'))"), "is not a privacy model"),
            (("--method", "Mondrian", "--require", "LDiversity(0)"), "0"),
        ],
    )
    def test_bad_options(self, people, tmp_path, options, text):
        refused(call("anonymize", people, *ROLES, *options, "-o", tmp_path / "out.csv"), text)

    def test_bad_targets(self, people, tmp_path):
        call_ = ("anonymize", people, *ROLES, "--method", "Mondrian", "--k", 3)
        refused(call(*call_, "-o", tmp_path / "out.xls"), ".csv or .parquet")
        refused(call(*call_, "-o", tmp_path / "none" / "out.csv"), "no folder")


class TestCompare:
    def test_one_table_and_the_reasons_of_what_failed(self, people, tmp_path):
        out = tmp_path / "figures.csv"
        chosen = ("--method", "mondrian", "--method", "Factor", "--attack", "linkage", "--k", "2,5")
        result = call("compare", people, *ROLES, *chosen, "-o", out)
        assert result.exit_code == 0, result.stderr
        first, header, *lines = result.stdout.splitlines()
        assert first == f"{people}: 40 rows, 2 of 4 releases made"
        assert re.split("  +", header.strip()) == [
            "method",
            "k",
            "reached",
            "NCP",
            "count error",
            "true cells",
            "withheld",
        ]
        assert [line.split()[:2] for line in lines[:3]] == [["original", "–"], ["Mondrian", "2"], ["Mondrian", "5"]]
        assert "Factor(k=5): Factor knows k = 2 and k = 3 only" in result.stderr
        figures = pd.read_csv(out)
        assert {"LinkageAttack", "NCP", "made"} <= set(figures["name"])
        reached = figures.query("method == 'Mondrian' and name == 'k'").set_index("k")["value"]
        assert reached.loc[2] >= 2
        assert reached.loc[5] >= 5

    def test_what_is_not_true_or_not_told_is_seen(self, people):
        chosen = ("--method", "M3AR", "--method", "ChaseProtection", "--method", "TreePreserving")
        result = call("compare", people, *ROLES, *chosen, "--attack", "linkage", "--k", 5)
        costs = result.stdout.partition("\n\n")[0].splitlines()[2:-1]
        true = {cells[0]: cells[5] for line in costs for cells in [re.split("  +", line.strip())]}
        assert true["original"] == true["ChaseProtection"] == "100.0 %"
        assert float(true["M3AR"].removesuffix(" %")) < 100
        assert "note: ChaseProtection publishes no sensitive values" in result.stderr
        assert (
            "TreePreserving(k=5): name what the tree predicts: --param targets=COLUMN or --decision COLUMN\n"
            in result.stderr
        )

    def test_all_attacks(self, people):
        result = call("compare", people, *ROLES, "--method", "mondrian", "--attack", "all", "--k", 3)
        assert result.exit_code == 0, result.stderr
        blocks = {block.partition("\n")[0] for block in result.stdout.split("\n\n")[1:]}
        assert {"IntersectionAttack", "InferenceAttack", "MinimalityAttack"} <= blocks
        failed = {name for name in attacks.all() if f"Mondrian(k=3), {name}: " in result.stderr}
        assert failed == {*attacks.all()} - blocks
        assert "original, MinimalityAttack: the minimality attack needs a release" in result.stderr

    @pytest.fixture
    def patients(self, tmp_path):
        """A table of 432 patients, of whom 72 % are healthy; so an attack that is sure about few guesses badly."""
        draw = np.random.default_rng(4)
        columns = {"age": draw.integers(20, 80, 432), "region": draw.choice([*"abcdef"], 432)}
        columns["sex"] = draw.choice(["m", "f"], 432)
        ill = np.where(draw.random(432) < 0.72, "none", draw.choice(["flu", "cancer", "cold"], 432))
        path = tmp_path / "patients.csv"
        pd.DataFrame(columns | {"ill": ill}).to_csv(path, index=False)
        return path

    def learnt(self, result, attack):
        """The figures of an attack as printed: by method and k, each under its column."""
        assert result.exit_code == 0, result.stderr
        block = next(part for part in result.stdout.split("\n\n") if part.startswith(f"{attack}\n"))
        header, *lines = [re.split("  +", line.strip()) for line in block.splitlines()[1:]]
        return {(line[0], line[1]): dict(zip(header, line, strict=True)) for line in lines}

    def test_figures_are_of_people_and_none_is_negative(self, patients):
        """Of old, the original was given as -88.6 %, and a release that discloses a fifth with certainty as -200 %."""
        roles = ("--quasi", "age,region,sex", "--sensitive", "ill", "--attack", "homogeneity")
        chosen = ("--method", "Mondrian", "--method", "Samarati", "--k", "2,5")
        for draws in (0, 3):
            result = call("compare", patients, *roles, *chosen, "--draws", draws)
            assert not re.search(r"[-−][\d.]+ ?%|advantage", result.stdout)
            found = self.learnt(result, "HomogeneityAttack")
            assert found["original", "–"]["right about"].endswith(" (100.0 %)")
            sure = {key: int(line["sure about"].partition(" of ")[0]) for key, line in found.items()}
            assert sure["original", "–"] > sure["Mondrian", "2"] > sure["Mondrian", "5"] > 0
            few = found["Mondrian", "5"]
            assert few["right about"].endswith(
                " (100.0 %)"
            )  # they are disclosed, however bad the guesses about the others
            if not draws:
                assert few["all guesses right"] == "no better than guessing"
                assert "excess" not in few
            else:
                assert float(found["original", "–"]["excess"].partition(" % (")[0]) > 70
                assert few["excess"].startswith("at most ")  # the interval does not lie above 0: a bound, no zero

    def test_a_stopped_comparison_continues(self, patients, tmp_path):
        call_ = ("compare", patients, "--quasi", "age,sex", "--sensitive", "ill", "--attack", "homogeneity")
        call_ = (*call_, "--method", "Mondrian", "--draws", 2, "--cache", tmp_path / "cache")
        first, again = (call(*call_, "-o", tmp_path / f"{name}.csv") for name in ("first", "again"))
        assert first.exit_code == again.exit_code == 0, again.stderr
        frames = [pd.read_csv(tmp_path / f"{name}.csv") for name in ("first", "again")]
        pd.testing.assert_frame_equal(*frames)  # times included: nothing was run again

    @pytest.mark.slow
    def test_a_large_table_leaves_slow_methods_out_and_says_so(self, people, monkeypatch):
        from anonnb.methods import GreedyCover

        monkeypatch.setattr(GreedyCover, "rows_in_minutes", 39)
        result = call("compare", people, *ROLES, "--attack", "linkage", "--k", 3)
        assert result.exit_code == 0, result.stderr
        assert "note: GreedyCover is left out: 40 rows are more than the 39 that it is meant for\n" in result.stderr
        assert "--method all takes every method" in result.stderr
        assert "--attack all" not in result.stderr  # they are named
        assert "GreedyCover" not in result.stdout
        choice = result.stdout.partition("All releases:\n")[0].splitlines()[1:]
        assert choice[0].startswith("Look first at these, which promise k and publish true cells")
        assert ["loses least" in choice[1], len(choice)] == [True, 4]
        failed = [line for line in result.stderr.splitlines() if line.startswith("  ")]
        assert len([line for line in failed if line.startswith("  no release of ")]) == 1
        assert not any(re.match(r"  \w+\(k=3\): ", line) for line in failed)  # one line for all of them

    def test_nothing_made_is_a_failure(self, people):
        result = call("compare", people, *ROLES, "--method", "Mondrian", "--attack", "linkage", "--k", 41)
        assert result.exit_code == 1
        assert "0 of 1 releases made" in result.stdout
        assert "Mondrian(k=41): " in result.stderr
        assert "Infeasible" not in result.stderr

    def test_bad_usage(self, people, tmp_path):
        refused(call("compare", people, *ROLES, "--method", "Magic"), "no method 'Magic'; known are")
        refused(call("compare", people, *ROLES, "--method", "mondrain"), "did you mean Mondrian")
        refused(call("compare", people, *ROLES, "--method", "SafeTree"), "no method 'SafeTree'")
        refused(call("compare", people, *ROLES, "--attack", "Magic"), "no attack 'Magic'; known are")
        refused(call("compare", people, *ROLES, "--k", "2,x"), "'2,x' is not a list of whole numbers")
        refused(call("compare", people, *ROLES, "-o", tmp_path / "out.xls"), ".csv or .parquet")
        refused(call("compare", people, *ROLES, "-o", people, "--force"), "is the file that is read")
        (tmp_path / "out.csv").write_text("precious")
        refused(call("compare", people, *ROLES, "-o", tmp_path / "out.csv"), "exists already")


class TestAttack:
    @pytest.fixture
    def release(self, people, tmp_path):
        out = tmp_path / "release.csv"
        call("anonymize", people, *ROLES, "--method", "Mondrian", "--k", 4, "-o", out)
        return out

    def test_the_figures_are_those_of_the_release_itself(self, people, release):
        from anonnb.attacks import HomogeneityAttack
        from anonnb.methods import Mondrian
        from anonnb.publishing.own_table import open_table

        result = call("attack", release, "--against", people, *ROLES, "--show", 2, "--why")
        assert result.exit_code == 0, result.stderr
        table = open_table(people, quasi=["zip", "age"], sensitive=["illness"], identifier=["=cmd()"])
        own = HomogeneityAttack().run(Mondrian(k=4).anonymize(table), table)
        first, verdict, *_ = result.stdout.splitlines()
        assert first == f"{release}: 40 rows in 7 classes, smallest 4, 0 suppressed"
        assert verdict.startswith("On illness, the attacker would be sure")
        titles = ["Finding the row of a person who is in the file", "Learning illness"]
        assert [block.partition("\n")[0] for block in result.stdout.split("\n\n")[1:3]] == titles
        (line,) = re.findall(r"HomogeneityAttack +(.*)", self.block(result, "Learning illness"))
        assert line.startswith(f"{own.sure:.0f} of 40 (")
        assert line.split("  ")[-1].strip() == percent(own.baseline)
        assert "linking all of them is right about" in self.block(result, titles[0])
        assert "\n  ChaseAttack       the release does not tell its original rows" in result.stdout
        assert "No outsiders were attacked" in result.stdout
        assert not re.search(r"[-−][\d.]+ ?%| nan|predicate 0", result.stdout)

    def block(self, result, title):
        return next(block for block in result.stdout.split("\n\n") if block.startswith(title))

    def test_cases_are_those_in_which_something_is_learned(self, people, release):
        chosen = ("--attack", "background", "--attack", "singlingout", "--attack", "membership")
        shown = call("attack", release, "--against", people, *ROLES, *chosen, "--show", 50).stdout
        cases = [line.split() for line in shown.splitlines() if " = " in line]
        assert cases
        assert all(int(cells[-1]) > 0 for cells in cases), "right about somebody"
        assert shown.count(", for example:") == 1
        assert "\n  MembershipAttack   no outsiders were asked" in shown

    def test_outsiders_of_other_people(self, people, release, tmp_path):
        others = tmp_path / "others.csv"
        pd.read_csv(people, dtype=str).sample(frac=1, random_state=1).to_csv(others, index=False)
        result = call("attack", release, "--against", people, *ROLES, "--attack", "homogeneity", "--control", others)
        assert result.exit_code == 0, result.stderr
        assert "about outsiders" in result.stdout
        assert "No result is clearly better than guessing" in result.stdout, "the same values are as easily found"
        assert "!" not in result.stdout
        assert "No outsiders" not in result.stdout

    def test_rows_that_are_all_stars_are_dropped_with_a_note_or_are_a_class(self, people, release):
        frame = pd.read_csv(release, dtype=str)
        frame.loc[:4, ["zip", "age"]] = "*"
        frame.to_csv(release, index=False)
        chosen = ("attack", release, "--against", people, *ROLES, "--attack", "homogeneity")
        dropped, kept = call(*chosen), call(*chosen, "--hidden", "class")
        assert ": 35 rows in " in dropped.stdout
        assert "note:" in dropped.stderr
        assert "release.csv: 5 rows are * in all quasi-identifiers" in dropped.stderr
        assert "--hidden class" in dropped.stderr
        assert ": 40 rows in " in kept.stdout
        assert "note:" not in kept.stderr
        assert [line.partition(":")[0] for line in kept.stderr.splitlines()] == ["now", "next"]

    def test_an_original_of_other_people_is_noticed(self, people, release, tmp_path):
        others = pd.read_csv(people, dtype=str)
        others.loc[10:, "zip"] = "55555"
        others.to_csv(tmp_path / "others.csv", index=False)
        chosen = ("attack", release, "--against", tmp_path / "others.csv", *ROLES, "--attack", "homogeneity")
        some = call(*chosen)
        assert some.exit_code == 0
        assert "release.csv: 30 of 40 people of the original fit no published row: is this the" in some.stderr
        others.assign(zip="55555").to_csv(tmp_path / "others.csv", index=False)
        refused(call(*chosen), "release.csv: nobody of the original fits a published row: is this the right original?")

    def test_every_secret_has_its_line(self, people, release, tmp_path):
        """Of two secrets the one that is always the same is sure for everybody, and both are shown."""
        for path in (people, release):
            pd.read_csv(path, dtype=str).assign(insured="yes").to_csv(path, index=False)
        roles = ("--quasi", "zip,age", "--sensitive", "illness,insured", "--identifier", "=cmd()")
        result = call("attack", release, "--against", people, *roles, "--attack", "homogeneity", "--show", 1)
        assert result.exit_code == 0, result.stderr
        insured, illness = (self.block(result, f"Learning {name}") for name in ("insured", "illness"))
        assert re.search(
            r"\n    Homogeneity.* 40 of 40 \(100.0 %\) +40 \(100.0 %\) +no better than guessing +100.0 %\n", insured
        )
        assert "    HomogeneityAttack, for example:" in insured
        assert " of 40 (" in illness
        assert "; 1 more below." in " ".join(result.stdout.split())

    def test_strong_tries_slow_variants_too(self, people, release):
        chosen = ("attack", release, "--against", people, *ROLES, "--attack", "singlingout", "--attack", "linkage")
        assert "LinkageAttack(model=fellegi-sunter)  " in call(*chosen, "--strong").stdout
        assert "SinglingOutAttack(predicates=" in call(*chosen, "--strong").stdout
        assert "(predicates=" not in call(*chosen, "--strong", "--param", "predicates=ball").stdout

    def test_shadow_models_need_the_method_and_a_control(self, people, release, tmp_path):
        frame, others = pd.read_csv(people, dtype=str), tmp_path / "others.csv"
        frame.assign(age=frame["age"].astype(int) + 1).to_csv(others, index=False)
        chosen = ("attack", release, "--against", people, *ROLES, "--attack", "membership", "--strong")
        result = call(*chosen, "--control", others, "--made-by", "mondrian(k=4)", "--param", "shadows=8")
        assert result.exit_code == 0, result.stderr
        assert "MembershipAttack(score=shadow)  " in self.block(result, "Knowing who is in the table")
        frame.drop(columns="age").to_csv(others, index=False)
        refused(call(*chosen, "--control", others), "lacks the column 'age'")

    def test_strong_says_what_was_left_undone(self, people, release, monkeypatch):
        chosen = ("attack", release, "--against", people, *ROLES, "--strong", "--time-limit")
        result = call(*chosen, 0)
        assert result.exit_code == 1
        assert result.stdout.splitlines()[2].startswith("Left undone after 0 s: BackgroundAttack, ")

        def run(attack, *_, **__):
            for _ in ticks(range(10**9), "rounds"):
                time.sleep(0.01)

        monkeypatch.setattr(attacks.get("SkewnessAttack"), "run", run)
        result = call(*chosen, 0.5, "--attack", "homogeneity", "--attack", "skewness")
        assert result.exit_code == 0
        assert "\nLeft undone after 0.5 s: SkewnessAttack; allow more with --time-limit.\n" in result.stdout

    def test_attacks_reason_from_the_method_that_made_the_file(self, tmp_path):
        table = tmp_path / "smokers.csv"
        table.write_text("sex,smoker\n" + "f,no\n" * 3 + "f,yes\n" * 2 + "m,no\n" * 2)
        roles = ["--quasi", "sex,smoker"]
        for name, values in (("sex", "fm"), ("smoker", ["no", "yes"])):
            (tmp_path / f"{name}.csv").write_text("value,all\n" + "".join(f"{value},*\n" for value in values))
            roles += ["--hierarchy", f"{name}={tmp_path / name}.csv"]
        out = tmp_path / "out.csv"
        made = call("anonymize", table, *roles, "--method", "LocalRecoding", "--k", 3, "-o", out)
        assert made.exit_code == 0, made.stderr
        chosen = ("attack", out, "--against", table, *roles, "--hidden", "class", "--attack", "refinement")
        assert "give its k: k=" in call(*chosen).stdout
        result = call(*chosen, "--strong", "--made-by", "localrecoding(k=3)")
        assert result.stdout.count("4 of 4 labels") == 2
        assert (
            result.stdout.count("first box that fits a person is right for 28.6 % of people, to all boxes for 20.4 %")
            == 2
        )
        refused(call(*chosen, "--made-by", "LocalRecoding"), "needs --k")
        refused(call(*chosen, "--made-by", "k=3"), '--made-by k=3: write a method like "Mondrian(k=5)"')
        refused(call(*chosen, "--made-by", "Mondrian(k=3, l=2)"), "Mondrian has no parameter 'l'")

    def test_only_attacks_that_cannot_be_tried_is_a_failure(self, people, release):
        assert call("attack", release, "--against", people, *ROLES, "--attack", "chase").exit_code == 1

    def test_a_second_release_is_intersected(self, people, release, tmp_path):
        from anonnb.attacks import IntersectionAttack
        from anonnb.methods import Mondrian
        from anonnb.publishing.own_table import open_table

        second = tmp_path / "second.csv"
        call("anonymize", people, *ROLES, "--method", "Mondrian", "--k", 3, "-o", second)
        chosen = ("--attack", "intersection", "--second", second)
        result = call("attack", release, "--against", people, *ROLES, *chosen)
        assert result.exit_code == 0, result.stderr
        table = open_table(people, quasi=["zip", "age"], sensitive=["illness"], identifier=["=cmd()"])
        first, other = (Mondrian(k=k).anonymize(table) for k in (4, 3))
        own = IntersectionAttack(other=other).run(first, table)
        assert f"IntersectionAttack  {own.sure:.0f} of 40 (" in result.stdout
        alone = f"without the second release, the guesses are right in {percent(own.info['alone'])} of cases"
        assert alone in result.stdout
        # the second release brings the attack by itself into the list of those that are tried
        everything = call("attack", release, "--against", people, *ROLES, "--second", second)
        assert "IntersectionAttack" in everything.stdout

    def test_parameters_of_the_attacks(self, people, release):
        def tried(*options):
            return call("attack", release, "--against", people, *ROLES, *options)

        one, two = (tried("--attack", "shallow", "--known", known).stdout for known in (1, 2))
        assert one != two
        lax, strict = (tried("--attack", "skewness", "--param", f"belief={share}").stdout for share in (0.3, 0.99))
        assert lax != strict
        # a number is for the attacks that take one; the others know the whole quasi-identifier
        both = tried("--attack", "shallow", "--attack", "homogeneity", "--known", 1)
        assert both.exit_code == 0
        assert "not tried" not in both.stdout

    @pytest.mark.parametrize(
        ("options", "text"),
        [
            (("--attack", "intersection"), "IntersectionAttack compares two releases; name the other with --second"),
            (("--attack", "shallow", "--second", "x.csv"), "--second is for IntersectionAttack; add --attack"),
            (("--second", "x.csv"), "x.csv: there is no such file"),
            (("--attack", "homogeneity", "--known", "2"), "a number, which DeepAttack, ShallowAttack take"),
            (("--attack", "minimality", "--known", "zip"), "--known zip: MinimalityAttack does not take it"),
            (("--known", "nothing"), "--known nothing: there is no column 'nothing'; the columns are =cmd(), zip"),
            (("--attack", "shallow", "--param", "belief=1"), "ShallowAttack has no parameter 'belief'; it has known"),
            (("--param", "magic=1"), "no attack has a parameter 'magic'"),
            (("--attack", "skewness", "--param", "belief"), "--param 'belief' is not NAME=VALUE"),
            (("--param", "other=1"), "other is a release; name its file with --second"),
            (("--attack", "chase", "--param", "rules=1"), "rules cannot be written on a command line"),
            (("--attack", "shallow", "--known", "zip", "--param", "known=1"), "'known' is given twice"),
        ],
    )
    def test_bad_parameters(self, people, release, options, text):
        refused(call("attack", release, "--against", people, *ROLES, *options), text)

    def test_bad_input(self, people, release, tmp_path):
        refused(call("attack", tmp_path / "none.csv", "--against", people, *ROLES), "no such file")
        refused(call("attack", release, "--against", tmp_path / "none.csv", *ROLES), "no such file")
        refused(call("attack", release, "--against", people, *ROLES, "--attack", "Magic"), "no attack 'Magic'")
        (tmp_path / "other.csv").write_text("zip\n01234\n")
        refused(call("attack", tmp_path / "other.csv", "--against", people, *ROLES), "lacks the quasi-identifier")


def test_an_identifier_among_the_quasi_identifiers_is_noted(people):
    result = call("audit", people, "--quasi", "=cmd(),zip")
    assert result.exit_code == 0
    assert "note: column '=cmd()' has 40 different values in 40 rows: it looks like an identifier" in result.stderr


class TestReport:
    @pytest.fixture
    def course(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "notebooks").mkdir()
        for name, source in {"10_good": "print(K)", "11_bad": "K / 0"}.items():
            cells = [new_markdown_cell(f"# {name}"), new_code_cell("K = 1", metadata={"tags": ["parameters"]})]
            kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
            notebook = new_notebook(cells=[*cells, new_code_cell(source)], metadata={"kernelspec": kernel})
            nbformat.write(notebook, tmp_path / "notebooks" / f"{name}.ipynb")
        return tmp_path

    @pytest.mark.slow
    def test_ones_own_table_goes_to_the_notebooks_that_take_one(self, course, people):
        cells = [
            new_markdown_cell("# own"),
            new_code_cell('DATA = ""\nQUASI = []\nSENSITIVE = []\nIDENTIFIER = []', metadata={"tags": ["parameters"]}),
            new_code_cell("print(open(DATA).readline(), QUASI, SENSITIVE, IDENTIFIER)"),
        ]
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        nbformat.write(
            new_notebook(cells=cells, metadata={"kernelspec": kernel}), course / "notebooks" / "50_own.ipynb"
        )
        result = call("report", "--data", people.name, *ROLES)
        assert result.exit_code == 0, result.stderr
        assert "1 of 1 notebooks ran" in result.stdout
        page = Path("reports/latest/50_own.html").read_text()
        assert "=cmd(),zip,age,illness" in page
        assert "['illness'] ['=cmd()']" in html.unescape(page)

    def test_all_options_about_a_table_reach_the_notebooks(self, course, people, monkeypatch):
        """As plain values; a project says the same."""
        told = []
        monkeypatch.setattr("anonnb.cli.notebooks._for_a_table", lambda: ["10_good"])
        monkeypatch.setattr("anonnb.reports.run", lambda runs, **options: told.append(options) or sys.exit(0))
        (course / "zips.csv").write_text("01234,0\n01235,0\n99001,9\n")
        how = ("--kind", "age=ordinal", "--order", "zip=01234,99001,01235", "--hierarchy", "age=intervals 10")
        one = call("report", "--data", people, *ROLES, *how, "--person", "=cmd()", "--missing", "drop")
        columns = "columns: {zip: {role: quasi-identifier, hierarchy: zips.csv}, age: {role: quasi-identifier}}"
        (course / "p.yaml").write_text(f"anonnb: 1\ndata: {people.name}\nmethod: {{name: OKA, k: 7}}\n{columns}\n")
        two = call("report", "--project", "p.yaml")
        assert len(told) == 2, (one.stderr, two.stderr)
        first, second = told
        assert first["parameters"]["OPTIONS"] == {
            "person": "=cmd()",
            "missing": "drop",
            "kinds": {"age": "ordinal"},
            "orders": {"zip": ["01234", "99001", "01235"]},
            "hierarchies": {"age": "intervals 10"},
        }
        assert first["exercises"] is False
        assert second["parameters"]["OPTIONS"] == {"hierarchies": {"zip": str((course / "zips.csv").resolve())}}
        assert second["parameters"]["QUASI"] == ["zip", "age"]
        assert second["offered"] == {"PROJECT": str((course / "p.yaml").resolve()), "K": 7}

    def test_bad_own_tables(self, course, people):
        refused(call("report", "--data", people), "--quasi")
        refused(call("report", "--quasi", "zip"), "--data")
        refused(call("report", "--identifier", "zip"), "--data")
        same = ("--quasi", "zip", "--identifier", "zip")
        refused(call("report", "--data", people, *same), "zip")
        refused(call("report", "--data", "none.csv", "--quasi", "zip"), "no such file")
        refused(call("report", "--data", people, "--quasi", "zap"), "'zap'")
        refused(call("report", "--data", people, "--quasi", "zip"), "no notebook here takes a table")
        refused(call("report", "10", "--data", people, "--quasi", "zip"), "10_good: unknown parameter 'DATA'")

    def test_bad_usage(self, course):
        refused(call("report", "10", "-p", "L=7"), "10_good: unknown parameter 'L'; known are K")
        refused(call("report", "10", "-p", "K"), "is not NAME=VALUE")
        refused(call("report", "99"), "no notebook '99'")
        (course / "plan.yaml").write_text("- {}")
        refused(call("report", "--plan", "plan.yaml"), "'notebook' is missing")
        refused(call("report", "10", "--plan", "plan.yaml"), "not both")
        refused(call("lab", "99"), "no notebook '99'")
        assert call("report", "--jobs", 0).exit_code == 2


def test_list_names_everything():
    result = call("list")
    assert result.exit_code == 0
    for name in ("datasets", "adult", "methods", "Mondrian", "attacks", "ShallowAttack", "notebooks", "00_start_here"):
        assert name in result.stdout
    assert "Mondrian" not in call("list", "datasets").stdout
    assert call("list", "nothing").exit_code == 2


def test_the_command_line_answers_at_once():
    """Nothing heavy is imported before a command needs it."""
    program = (
        "import sys, anonnb.cli; print([m for m in ('numpy', 'pandas', 'nbformat', 'papermill') if m in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", program], text=True).strip() == "[]"


def test_commands_say_what_they_do_and_what_to_look_at_next(people, tmp_path, monkeypatch):
    """In the first and the last line on the error stream, notes aside."""
    monkeypatch.chdir(tmp_path)
    for words in (
        ("init", people),
        ("audit", people, *ROLES),
        ("anonymize", people, *ROLES, "--method", "Mondrian", "--k", 3, "-o", "out.csv"),
        ("check", "out.csv", "--against", people, *ROLES, "--k", 3),
        ("compare", people, *ROLES, "--method", "Mondrian", "--attack", "homogeneity"),
        ("attack", "out.csv", "--against", people, *ROLES, "--attack", "homogeneity"),
    ):
        result = call(*words)
        assert result.exit_code == 0, result.stderr
        said = [line for line in result.stderr.splitlines() if not line.startswith("note: ")]
        assert [line.partition(":")[0] for line in said] == ["now", "next"], words
