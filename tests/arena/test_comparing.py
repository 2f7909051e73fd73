"""The arena: every pair gives a figure or a reason."""

import numpy as np
import pandas as pd
import pytest

import anonnb
from anonnb import arena, attacks, methods, utility
from anonnb.arena import comparing
from anonnb.attacks import DeFinettiAttack, IntersectionAttack, ShallowAttack
from anonnb.experiments import migration as experiment
from anonnb.methods import Mondrian


@pytest.fixture(scope="module")
def frame():
    return arena.compare(anonnb.load("survey"), k=[4])


@pytest.mark.slow
def test_every_method_gives_figures_or_a_reason(frame):
    tables = {name for name, cls in methods.all().items() if cls.publishes == "table"}
    made = frame[frame["name"] == "made"].set_index("method")
    assert set(made.index) == tables | {"original"}
    failed = made["value"].isna()
    assert (made.loc[failed, "reason"].str.len() > 10).all()
    assert (made.loc[~failed, "reason"] == "").all()
    # Factor knows k = 2 and 3 only, and more than half of the people have no hypertension: no two secrets per group
    assert set(made.index[failed]) <= {"Factor", "Anatomy", "MInvariance"}


def test_summary_and_pareto():
    frame = arena.compare(anonnb.load("survey"), ["Mondrian", "TopDown"], ["LinkageAttack"], k=[2, 10])
    wide = arena.summary(frame, ["NCP", "LinkageAttack"])
    assert list(wide.columns) == ["LinkageAttack", "NCP"]
    assert len(wide) == 5
    front = arena.pareto(frame)
    points = front[["NCP", "LinkageAttack"]].to_numpy()
    for point, flag in zip(points, front["front"], strict=True):
        better = ((points <= point).all(axis=1) & (points < point).any(axis=1)).any()
        assert flag != better


def test_instances_and_a_failing_method_are_taken():
    table = anonnb.load("survey")
    found = arena.compare(table, {"mine": Mondrian(k=5), "too much": Mondrian(k=100)}, [ShallowAttack(known=1)])
    made = found[found["name"] == "made"].set_index("method")
    assert made.loc["mine", "value"] == 1
    assert made.loc["mine", "k"] == 5
    assert "needs at least 100 rows" in made.loc["too much", "reason"]


def test_searches_that_would_never_end_publish_the_best_they_found():
    iris = anonnb.load("iris")
    made = arena.compare(iris, ["KOptimize"], [], k=5, time_limit=0.2).query("name == 'made'").set_index("method")
    assert made.loc["KOptimize", "value"] == 1
    made = arena.compare(iris, ["KOptimize"], [], k=5, time_limit=None).query("name == 'made'").set_index("method")
    assert "time_limit" in made.loc["KOptimize", "reason"]


def test_a_second_run_comes_from_the_cache(tmp_path):
    table = anonnb.load("decision6")
    first = arena.compare(table, ["Mondrian"], ["HomogeneityAttack"], k=2, cache_folder=tmp_path)
    again = arena.compare(table, ["Mondrian"], ["HomogeneityAttack"], k=2, cache_folder=tmp_path)
    pd.testing.assert_frame_equal(first, again)  # times included: nothing was run again
    assert np.isfinite(first["value"]).any()


def test_progress_tells_releases_and_the_attacks_on_each():
    seen = []

    def progress(iterable, total=None, desc="", **_):
        for done, item in enumerate(iterable):
            seen.append((desc, done))
            yield item

    arena.compare(
        anonnb.load("decision6"), ["Mondrian"], ["LinkageAttack", "HomogeneityAttack"], k=2, progress=progress
    )
    assert {("releases", 1), ("attacks on original", 1), ("attacks on Mondrian", 1), ("measures", 5)} <= set(seen)


def test_attacks_on_one_release_find_the_candidates_once(monkeypatch):
    from anonnb.tables.matching.people import Matching

    made, plain = [], Matching.__init__
    monkeypatch.setattr(Matching, "__init__", lambda self, *given: made.append(given) or plain(self, *given))
    names = ["LinkageAttack", "HomogeneityAttack", "SkewnessAttack"]
    arena.compare(anonnb.load("survey"), ["Mondrian"], names, [], k=5)
    assert len(made) == 2  # the original and Mondrian's
    arena.compare(anonnb.load("survey"), ["Mondrian"], names, [], k=5, draws=1)
    assert len(made) == 6  # those who are in it, and the control


# ---- which methods, attacks and measures ------------------------------------------------------------------------


def lines_of(frame, method):
    return frame[(frame["method"] == method) & (frame["kind"] == "attack")].set_index("name")


@pytest.mark.slow
def test_all_attacks_take_part_or_say_why_not():
    table = anonnb.load("survey")
    found = arena.compare(table, ["Mondrian", "LocalSuppression"], "all", [], k=5)
    for method in ("original", "Mondrian", "LocalSuppression"):
        lines = lines_of(found, method)
        assert set(lines.index) == set(attacks.all())
        answered = lines["value"].notna()
        assert lines.loc[answered, "value"].between(0, 1).all()
        assert (lines.loc[answered, "reason"] == "").all()
        assert (lines.loc[~answered, "reason"].str.len() > 10).all()
    assert "method" in lines_of(found, "original").loc["MinimalityAttack", "reason"]
    assert "nothing" in lines_of(found, "original").loc["ChaseAttack", "reason"]  # it hides no cell
    assert lines_of(found, "LocalSuppression").loc["ChaseAttack", "reason"] == ""


def test_the_intersection_attack_gets_a_second_release_of_half_the_people():
    table = anonnb.load("survey")
    found = arena.compare(table, ["Mondrian"], ["IntersectionAttack", "HomogeneityAttack"], [], k=5)
    second = Mondrian(k=5).anonymize(table.take(arena.half_of(table)))
    expected = IntersectionAttack(other=second).run(Mondrian(k=5).anonymize(table), table)
    assert lines_of(found, "Mondrian").loc["IntersectionAttack", "value"] == expected.success
    assert expected.success >= lines_of(found, "Mondrian").loc["HomogeneityAttack", "value"]
    too_few = arena.compare(table, ["Mondrian"], ["IntersectionAttack"], [], k=40)
    assert "33" in lines_of(too_few, "Mondrian").loc["IntersectionAttack", "reason"]


def test_itemsets_of_a_k_anonymous_release_disclose_nobody():
    found = arena.compare(anonnb.load("survey"), ["Mondrian", "Samarati"], ["InferenceAttack"], [], k=5)
    values = found[found["kind"] == "attack"].set_index("method")["value"]
    assert values["original"] > 0
    assert values["Mondrian"] == values["Samarati"] == 0


def test_measures_are_chosen_by_name():
    table = anonnb.load("survey")
    found = arena.compare(table, ["Mondrian"], [], ["NCP", "t"], k=5)
    assert found.loc[found["kind"].isin(["privacy", "utility"]), "name"].tolist() == ["t", "NCP"] * 2
    every = arena.compare(table, ["Mondrian"], [], k=5).query("method == 'Mondrian'").set_index("name")["value"]
    chosen = found.query("method == 'Mondrian'").set_index("name")["value"]
    assert chosen["NCP"] == every["NCP"]
    assert chosen["t"] == every["t"]
    with pytest.raises(KeyError, match=r"no measure 'ncp'.*NCP"):
        arena.compare(table, ["Mondrian"], [], ["ncp"])
    with pytest.raises(KeyError, match="no measure 'l'"):
        arena.compare(table.with_roles(sensitive=[]), ["Mondrian"], [], ["l"])


def test_unknown_names_are_errors_before_anything_runs():
    table = anonnb.load("decision6")
    with pytest.raises(KeyError, match="Magic"):
        arena.compare(table, ["Magic"])
    with pytest.raises(KeyError, match="Magic"):
        arena.compare(table, ["Mondrian"], ["Magic"])


def test_what_takes_long_on_a_very_large_table_is_left_out_with_a_sentence(monkeypatch):
    table = anonnb.load("survey")
    assert arena.left_out(table) == {}
    monkeypatch.setattr("anonnb.arena.entrants.LARGE", 65)
    monkeypatch.setattr(Mondrian, "rows_in_seconds", 65)
    monkeypatch.setattr(DeFinettiAttack, "rows_in_minutes", 60)
    assert arena.left_out(table) == {
        "Mondrian": "Mondrian is left out: 66 rows are more than the 65 that it is meant for",
        "DeFinettiAttack": "DeFinettiAttack is left out: 66 rows are more than the 60 that it is meant for",
    }
    assert "Mondrian" not in arena.default_methods(table)
    assert "DeFinettiAttack" not in arena.default_attacks(table)
    assert "DeFinettiAttack" in arena.default_attacks()
    tried = arena.compare(table, ["FullDomain"], None, [], k=5)
    assert set(tried.query("kind == 'attack'")["name"]) == set(arena.default_attacks(table))


def test_large_tables_get_the_methods_that_scale(monkeypatch):
    small, large = anonnb.load("survey"), anonnb.load("adult")
    tables = {name for name, cls in methods.all().items() if cls.publishes == "table"}
    slow = {name for name in tables if methods.get(name).rows_in_minutes < len(large)}
    assert {"Factor", "GreedyCover", "PatternTable"} <= slow < tables
    assert set(arena.default_methods(small)) == tables
    assert set(arena.default_methods(large)) == tables - slow
    monkeypatch.setattr(Mondrian, "rows_in_minutes", 5)
    made = arena.compare(anonnb.load("decision6"), None, [], [], k=2).query("name == 'made'")
    assert set(made["method"]) == tables - {"Mondrian"} | {"original"}
    made = arena.compare(anonnb.load("decision6"), "all", [], [], k=2).query("name == 'made'")
    assert set(made["method"]) == tables | {"original"}


# ---- on a Dask cluster ------------------------------------------------------------------------------------------


@pytest.fixture
def dask_cluster():
    """Two workers in this process (joblib does the work of a single one itself), and joblib told to use them."""
    import joblib
    from distributed import Client, LocalCluster

    local = {"processes": False, "n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}
    with LocalCluster(**local) as cluster, Client(cluster), joblib.parallel_config(backend="dask"):
        yield cluster


def without_times(frame):
    return frame.drop(columns=[name for name in frame if "seconds" in name])


@pytest.mark.slow
def test_a_dask_cluster_gives_the_same_frames(request):
    def both():
        survey = anonnb.load("survey")
        return arena.compare(survey, ["Mondrian", "OKA"], k=[3, 5]), experiment.thresholds("quick")

    here = both()
    request.getfixturevalue("dask_cluster")
    for one, other in zip(here, both(), strict=True):
        pd.testing.assert_frame_equal(without_times(one), without_times(other))


@pytest.mark.slow
def test_instances_of_one_class_are_told_apart():
    methods = [Mondrian(k=5), Mondrian(k=5, cut="loss"), "Samarati"]
    attacks = [ShallowAttack(known=1), ShallowAttack(known=2), "LinkageAttack"]
    frame = arena.compare(anonnb.load("survey"), methods, attacks, ["NCP"], k=5)
    wide = arena.summary(frame)
    assert list(wide.index.get_level_values("method")) == [
        "original",
        "Mondrian(k=5)",
        "Mondrian(k=5, cut='loss')",
        "Samarati",
    ]
    assert [str(attack) for attack in attacks[:2]] == [name for name in wide.columns if name.startswith("Shallow")]
    assert "LinkageAttack" in wide
    assert wide["NCP"].nunique() == len(wide)  # no mean of two


def test_what_cannot_be_meant_is_refused(frame):
    with pytest.raises(KeyError, match="the frame has no figure 'nonsense'; it has made, "):
        arena.summary(frame, ["NCP", "nonsense"])
    with pytest.raises(ValueError, match=r"Mondrian\(k=5\) is given twice"):
        arena.compare(anonnb.load("survey"), [Mondrian(k=5), Mondrian(k=5)])
    one = arena.compare(anonnb.load("survey"), ["OKA"], [], ["NCP"], seeds=3)
    assert one.query("method == 'OKA'")["seed"].eq(3).all()


# ---- draws --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def patients():
    """Patients with three secrets, of which the homogeneity attack is sure of the grade most often."""
    return anonnb.load("gbsg2").with_roles(quasi=["age", "menostat", "tsize"], sensitive=["pnodes", "tgrade", "horTh"])


def test_one_draw_keeps_back_the_other_half_of_the_table():
    table = anonnb.load("survey")
    inside, outside = arena.halves(table)
    assert len(inside) + len(outside) == len(table)
    assert not set(inside.index) & set(outside.index)
    found = arena.compare(table, ["Mondrian"], ["LinkageAttack", "HomogeneityAttack"], draws=1)
    lines = lines_of(found, "Mondrian")
    own = attacks.HomogeneityAttack().run(Mondrian(k=5).anonymize(inside), inside, control=outside)
    line = lines.loc["HomogeneityAttack"]
    assert (line["value"], line["control"], line["excess"]) == (own.success, own.control, own.excess)
    assert (line["excess low"], line["excess high"]) == own.excess_interval
    assert (line["sure"], line["baseline"], line["secret"]) == (own.sure, own.baseline, own.secret)
    assert np.isnan(line["value low"]), "all members were attacked, so success is a count"
    assert lines["attack kind"].to_dict() == {"LinkageAttack": "linkage", "HomogeneityAttack": "secret"}
    assert arena.headlines(found).groupby("name")["figure"].first().to_dict() == {
        "LinkageAttack": "linked",
        "HomogeneityAttack": "excess",
    }
    wide = arena.summary(found, ["LinkageAttack", "HomogeneityAttack"]).loc["Mondrian"].iloc[0]
    assert wide.to_dict() == {"LinkageAttack": lines.loc["LinkageAttack", "value"], "HomogeneityAttack": own.excess}
    given = arena.compare(inside, ["Mondrian"], ["HomogeneityAttack"], [], control=outside)
    assert lines_of(given, "Mondrian").loc["HomogeneityAttack", "excess"] == own.excess


def test_figures_are_means_over_draws_with_their_spread_and_interval(patients):
    found = arena.compare(patients, ["Mondrian"], ["HomogeneityAttack"], ["NCP"], draws=3, people=200)
    line = lines_of(found, "Mondrian").loc["HomogeneityAttack"]
    results = []
    for seed in (1, 2, 3):
        inside, outside = arena.halves(patients, seed, 200)
        assert (len(inside), len(outside)) == (100, 100)
        attack = attacks.HomogeneityAttack(column=line["secret"])
        results.append(attack.run(Mondrian(k=5).anonymize(inside), inside, control=outside))
    for name, figure in (("value", "success"), ("excess", "excess")):
        values = np.array([getattr(result, figure) for result in results])
        reach = 4.302653 * values.std(ddof=1) / np.sqrt(3)  # Student's t with 2 degrees of freedom
        assert line[name] == pytest.approx(values.mean())
        assert line[f"{name} sd"] == pytest.approx(values.std(ddof=1))
        ends = values.mean() - reach, values.mean() + reach
        assert (line[f"{name} low"], line[f"{name} high"]) == pytest.approx(ends, rel=1e-5)
    for name in ("sure", "sure_right", "control", "control_sure", "control_precision", "baseline"):
        assert line[name] == pytest.approx(np.mean([getattr(result, name) for result in results])), name
    assert line["draws"] == 3
    ncp = found.query("method == 'Mondrian' and name == 'NCP'").iloc[0]
    assert ncp["value low"] < ncp["value"] < ncp["value high"]


def test_the_line_is_that_of_the_secret_with_most_sure_people_over_all_draws(patients):
    options = {"attacks": ["HomogeneityAttack"], "measures": [], "draws": 3, "people": 200}
    every = lines_of(arena.compare(patients, ["Mondrian"], every_secret=True, **options), "Mondrian")
    assert set(every["secret"]) == set(patients.sensitive)
    line = lines_of(arena.compare(patients, ["Mondrian"], **options), "Mondrian").squeeze()
    assert line["sure"] == every["sure"].max() > every["sure"].min()
    assert line["secret"] == every.set_index("secret")["sure"].idxmax()
    wide = arena.summary(arena.compare(patients, ["Mondrian"], every_secret=True, **options))
    assert {f"HomogeneityAttack, {name}" for name in patients.sensitive} <= set(wide.columns)


def test_a_method_that_fails_in_some_draws_counts_the_others(monkeypatch):
    table, plain = anonnb.load("survey"), Mondrian.anonymize
    refused = arena.halves(table, 2)[0]

    def anonymize(self, given, **options):
        if given.index.equals(refused.index):
            raise ValueError("not these people")
        return plain(self, given, **options)

    monkeypatch.setattr(Mondrian, "anonymize", anonymize)
    found = arena.compare(table, ["Mondrian"], ["HomogeneityAttack"], [], draws=3)
    made = found.query("method == 'Mondrian' and name == 'made'").iloc[0]
    assert (made["draws"], made["reason"]) == (2, "ValueError: not these people")
    assert lines_of(found, "Mondrian").loc["HomogeneityAttack", "draws"] == 2


def test_draws_continue_from_the_cache_and_two_processes_give_the_same(tmp_path, monkeypatch):
    table = anonnb.load("decision6")
    options = {"attacks": ["HomogeneityAttack"], "measures": [], "k": 2}
    arena.compare(table, ["Mondrian"], **options, draws=2, cache_folder=tmp_path)
    run = []
    monkeypatch.setattr(comparing, "_release", lambda *given, own=comparing._release: run.append(given) or own(*given))
    three = arena.compare(table, ["Mondrian"], **options, draws=3, cache_folder=tmp_path)
    assert len(run) == 2  # the original and Mondrian's, of the third draw
    monkeypatch.undo()
    both = arena.compare(table, ["Mondrian"], **options, draws=3, jobs=2)
    pd.testing.assert_frame_equal(without_times(three), without_times(both))


def test_draws_and_another_control_are_refused():
    inside, outside = arena.halves(anonnb.load("survey"))
    with pytest.raises(ValueError, match="both draws and control are given"):
        arena.compare(inside, ["Mondrian"], [], draws=2, control=outside)
    with pytest.raises(TypeError, match="draws=1 keeps back half of the table"):
        arena.compare(inside, ["Mondrian"], [], control=True)


def test_halves_keep_the_rows_of_a_person_together():
    frame = pd.DataFrame({"who": np.arange(40) // 2, "zip": np.arange(40) % 3})
    inside, outside = arena.halves(anonnb.Table(frame, quasi=["zip"], person="who"))
    assert not set(inside["who"]) & set(outside["who"])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["survey", "salary5"])
def test_no_cell_of_any_method_and_any_attack_is_empty_without_a_reason(name):
    everyone = [*methods.all()]  # those that publish mined results too
    frame = arena.compare(anonnb.load(name), everyone, "all", [], k=2)
    made = frame[frame["name"] == "made"].set_index("method")["value"]
    assert set(made.index) == {"original", *everyone}
    cells = frame[frame["kind"] == "attack"]
    assert len(cells) == int(made.sum()) * len(attacks.all())
    assert not cells.duplicated(["method", "name"]).any()
    empty = frame[frame["value"].isna()]
    assert (empty["reason"].str.len() > 20).all()
    assert not empty["reason"].str.contains("Error: '|object has no|NoneType|Traceback").any()


def test_measures_that_nobody_asked_for_are_not_computed(monkeypatch):
    """The figures are those of a comparison with all measures."""
    table, asked = anonnb.load("survey"), ["k", "NCP"]
    whole = arena.compare(table, ["Mondrian"], [], k=4)
    monkeypatch.setattr(utility.reporting, "Analysis", None)  # whatever needs it would fail
    some = arena.compare(table, ["Mondrian"], [], asked, k=4)
    named = whole[whole["name"].isin(["made", *asked])]
    assert some["name"].tolist() == ["made", *asked] * 2
    assert some["value"].tolist() == named["value"].tolist()
    with pytest.raises(KeyError, match="there is no measure 'beauty' for this table; known are k, "):
        monkeypatch.undo()
        arena.compare(table, ["Mondrian"], [], ["NCP", "beauty"])
