"""The data sets say what their papers say of them, also from an installed wheel."""

import pandas as pd
import pytest

import anonnb
from anonnb import Release
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
