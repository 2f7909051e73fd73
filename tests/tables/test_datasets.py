"""The data sets say what their papers say of them, also from an installed wheel."""

import runpy
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import anonnb
from anonnb import Release, Table
from anonnb.core.arrays import group_ids, multiset_ids
from anonnb.core.shipped import shipped


@pytest.mark.parametrize(
    ("name", "options", "rows", "quasi"),
    [
        ("adult", {}, 30_162, 8),
        ("adult", {"rows": "train"}, 32_561, 8),
        ("adult", {"rows": "test"}, 16_281, 8),
        ("adult", {"rows": "all"}, 48_842, 8),
        ("adult", {"variant": "migration"}, 30_169, 6),
        ("adult", {"variant": "tree"}, 30_162, 11),
        ("car", {}, 1_728, 6),
        ("hayes-roth", {}, 160, 4),
        ("hayes-roth", {"rows": "test"}, 28, 4),
        ("iris", {}, 150, 4),
        ("zoo", {}, 101, 16),
        ("gbsg2", {}, 686, 8),
        ("survey", {}, 66, 3),
        ("decision6", {}, 6, 3),
        ("salary5", {}, 5, 3),
        ("silc", {}, 12_252, 5),
    ],
)
def test_size_and_roles(name, options, rows, quasi):
    table = anonnb.load(name, **options)
    assert (len(table), len(table.quasi)) == (rows, quasi)


def test_adult_has_the_known_number_of_classes_and_a_hierarchy_for_every_quasi_identifier():
    table = anonnb.load("adult")
    assert Release.of(table).n_groups == 18_109
    assert all(table.attributes[name].hierarchy is not None for name in table.quasi)
    assert table.decision == "income"
    assert table.sensitive == ["income"]
    heights = [table.attributes[name].levels.height for name in table.quasi]
    assert anonnb.Lattice(heights).size == 15_360


def test_adult_hierarchies_cover_the_unknown_values_too():
    assert anonnb.load("adult", rows="all").attributes["workclass"].levels.labels[3] == ["*"]


def test_migration_variant_has_the_papers_groups():
    assert Release.of(anonnb.load("adult", variant="migration")).n_groups == 7_647


@pytest.fixture(scope="module")
def silc():
    path = Path(__file__).parents[2] / "benchmarks" / "make_silc.py"
    return SimpleNamespace(**runpy.run_path(str(path)))


@pytest.mark.slow
def test_the_households_are_those_of_the_script(silc):
    table = anonnb.load("silc")
    made = silc.sample(silc.population(120_000), 6_000)
    pd.testing.assert_frame_equal(table.frame, made.reset_index(drop=True))
    assert (table.n_people, table.unit) == (6_000, "household")
    homes = table.frame.drop_duplicates("household")
    assert homes["weight"].sum() == pytest.approx(120_000, rel=1e-3)
    assert (homes.groupby("stratum")["weight"].nunique() == 2).all()  # a weight tells the stratum
    assert homes["weight"].nunique() == 24


@pytest.mark.slow
def test_families_are_unique_where_people_are_not(silc):
    """The statements of notebook 29 for another population: what makes families unique is their composition."""
    people = silc.population(20_000, seed=5)
    table = Table(people, quasi=["region", "age", "sex"], household="household", unit="household")
    homes, region = table.households, table.codes("region")

    def signature_counts(width):
        ages = people["age"].to_numpy() // width
        classes, _ = group_ids([region, ages, table.codes("sex")])
        ids = multiset_ids(classes, homes, table.n_people)
        return np.bincount(ids)[ids], np.bincount(classes)[classes]

    by_year, of_people = signature_counts(1)
    assert np.mean(of_people == 1) < 0.002 < 0.4 < np.mean(by_year == 1)
    unlinked = [np.mean(signature_counts(width)[0] < 5) for width in (10, 20, 40)]
    assert 0.12 < unlinked[0] < 0.20
    assert unlinked == sorted(unlinked, reverse=True)
    households, persons = signature_counts(10)
    sampled = np.random.default_rng(1).permutation(table.n_people)[:2000]
    alone = np.bincount(homes, weights=np.log1p(-np.minimum(1 / persons, 1 - 1e-9)))
    independent, matched = -np.expm1(alone[sampled]).sum(), (1 / households[sampled]).sum()
    assert matched > 10 * independent  # what 1 − Π(1 − r) misses


def test_car_classes():
    counts = anonnb.load("car")["class"].value_counts()
    assert counts.to_dict() == {"unacc": 1210, "acc": 384, "good": 69, "vgood": 65}


def test_hayes_roth_has_nine_conflicting_vectors():
    frame = anonnb.load("hayes-roth").frame
    classes = frame.groupby(["hobby", "age", "educational_level", "marital_status"])["class"].nunique()
    assert int((classes > 1).sum()) == 9


def test_survey_counts():
    table = anonnb.load("survey")
    assert table["Hypertension"].value_counts().to_dict() == {"N": 34, "Y": 32}
    assert sorted(Release.of(table).group_sizes) == [2, 2, 9, 10, 17, 26]
    assert table.attributes["Marital_status"].labels == ["married", "divorced", "single"]


def test_small_examples_read_as_printed():
    assert anonnb.load("decision6").frame.loc["o4"].tolist() == ["female", "engineer", "Fukuoka", "medium"]
    salary = anonnb.load("salary5")
    assert salary["ZIP"].tolist() == ["641015", "641254", "610002", "610410", "610410"]
    assert salary.attributes["ZIP"].levels.labels[1] == ["641***", "610***"]


def test_bad_names_and_options_are_explained():
    with pytest.raises(KeyError, match=r"no data set 'adlut'.*adult"):
        anonnb.load("adlut")
    with pytest.raises(TypeError, match=r"no option 'rows'"):
        anonnb.load("car", rows="train")
    with pytest.raises(ValueError, match="rows='half'"):
        anonnb.load("adult", rows="half")
    with pytest.raises(ValueError, match="variant='x'"):
        anonnb.load("adult", variant="x")
    with pytest.raises(ValueError, match="not both"):
        anonnb.load("adult", variant="tree", rows="all")


def test_provenance_names_every_file():
    readme = (shipped("data") / "README.md").read_text(encoding="utf-8")
    files = [file.name for file in shipped("data").iterdir() if file.suffix in (".csv", ".xz")]
    assert len(files) >= 9
    assert [name for name in files if name not in readme] == []
    assert pd.Series(files).is_unique
