"""The audit of a table: what it counts, whom it names, and what it refuses."""

import time

import numpy as np
import pandas as pd
import pytest

from anonnb import Table, load, plots, privacy
from anonnb.methods import Mondrian

FRAME = pd.DataFrame({"zip": [1, 2, 3, 1, 2], "age": [20, 30, 30, 40, 20], "ill": list("abaab"), "w": [2.0] * 5})


def table(**options):
    return Table(FRAME, quasi=["zip", "age"], sensitive=["ill"], **options)


def test_the_frames_of_a_small_table():
    found = privacy.audit(table())
    assert found.combinations[["columns", "people"]].values.tolist() == [
        [("zip", "age"), 3],
        [("zip",), 1],
        [("age",), 1],
    ]
    assert found.class_sizes.values.tolist() == [[1, 5, 5]]
    assert found.columns.set_index("column").loc["zip", ["values", "alone", "helps"]].tolist() == [3, 1, 4]
    assert found.worst["row"].tolist()[:2] == [2, 3]
    assert found.worst["values"][0] == "zip = 3"
    assert found.scores["smallest"].tolist() == [2, 2, 1, 1, 2]
    assert found.secrets.values.tolist()[0][:4] == ["ill", 2, 0, 5]
    assert (found.alone, found.singled_out, found.unit) == (5, 5, "rows")


def test_people_are_counted_where_a_person_is_named():
    """Two rows of one person read alike: the class has one person, whom nobody else resembles."""
    frame = pd.DataFrame({"zip": [1, 1, 2, 2], "ill": list("aabc"), "who": ["x", "x", "y", "z"]})
    rows = privacy.audit(Table(frame, quasi=["zip"], sensitive=["ill"]))
    people = privacy.audit(Table(frame, quasi=["zip"], sensitive=["ill"], person="who"))
    assert (rows.alone, rows.people) == (0, 4)
    assert (people.alone, people.people, people.unit) == (1, 3, "people")
    assert people.class_sizes.values.tolist() == [[1, 1, 1], [2, 1, 2]]
    assert people.worst["row"].tolist() == [0]
    assert people.risk.prosecutor == 1


@pytest.mark.slow
def test_the_curve_of_class_sizes_starts_at_the_people_who_are_alone():
    """x is alone in zip 1 and with others in zip 2: one person of three, though one membership of four."""
    frame = pd.DataFrame({"zip": [1, 2, 2, 2], "who": ["x", "x", "y", "z"]})
    found = privacy.audit(Table(frame, quasi=["zip"], person="who"))
    assert found.class_sizes.values.tolist() == [[1, 1, 1], [3, 1, 3]]
    assert found.smallest_classes.values.tolist() == [[1, 1], [3, 2]]
    assert found.sections()[0].sentence.endswith("People with rows in several classes count in each of them.")
    drawn = plots.audit(found).lines[0].get_ydata()
    assert drawn[0] == pytest.approx(100 * found.alone / found.people) == pytest.approx(100 / 3)


def test_risks_and_secrets_count_people():
    """Zip 2 holds two people and, of one of them, three rows with one illness: half of its people have each illness."""
    ills, who = list("aaabbb") + list("ab"), ["x", "x", "x", "y", "y", "y", "z", "v"]
    frame = pd.DataFrame({"zip": [2, 2, 2, 2, 2, 2, 3, 3], "ill": ills, "who": who})
    frame = pd.concat([frame, pd.DataFrame({"zip": [2, 2], "ill": ["a", "a"], "who": ["x", "x"]})], ignore_index=True)
    table = Table(frame, quasi=["zip"], sensitive=["ill"], person="who")
    population = pd.DataFrame({"zip": [2] * 4 + [3] * 2 + [2] * 6, "who": [*"xyabzv", *"xxxxxx"]})
    found = privacy.audit(table, population=Table(population, quasi=["zip"], person="who"))
    assert (found.risk.prosecutor, found.risk.prosecutor_average, found.risk.unique) == (0.5, 0.5, 0.0)
    assert (found.risk.journalist, found.risk.journalist_average, found.risk.marketer) == (0.5, 0.375, 0.375)
    assert found.secrets.values.tolist() == [["ill", 2, 0, 0, 2, 0.0]]


def test_a_release_that_holds_k_singles_nobody_out():
    adult = load("adult").take(np.arange(2000))
    found = privacy.audit(Mondrian(k=5).anonymize(adult))
    assert (found.alone, found.singled_out, len(found.worst)) == (0, 0, 0)
    assert found.class_sizes["size"].min() >= 5
    assert "none" in repr(found)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"w": [1.0, -2, 3, 4, 5]}, "column 'w' holds weights, but row 1 has -2"),
        ({"w": [1.0, 2, None, 4, 5]}, "1 row has no value in it .the first is row 2"),
        ({"w": list("abcde")}, "column 'w' holds no numbers"),
        ({"w": [0.5, 1, 1, 1, 1.5]}, "column 'w' adds up to 5"),
    ],
)
def test_weights_that_are_none(changed, words):
    with pytest.raises(ValueError, match=words):
        privacy.audit(Table(FRAME.assign(**changed), quasi=["zip", "age"]), weights="w")


def test_what_is_refused():
    with pytest.raises(ValueError, match="no quasi-identifier"):
        privacy.audit(Table(FRAME))
    with pytest.raises(ValueError, match="no rows"):
        privacy.audit(table().take([]))
    with pytest.raises(ValueError, match="not both"):
        privacy.audit(table(), weights="w", fraction=0.5)
    with pytest.raises(ValueError, match="fraction"):
        privacy.audit(table(), fraction=0)
    with pytest.raises(KeyError, match="there is no column 'nobody'"):
        privacy.audit(table(), weights="nobody")


def test_values_are_shown_only_when_asked_for_and_never_as_markup():
    frame = FRAME.assign(zip=["<script>a", "b", "<script>secret\nline", "<script>a", "b"])
    found = privacy.audit(Table(frame, quasi=["zip", "age"], sensitive=["ill"]))
    assert "secret" not in repr(found) + found._repr_html_()
    assert "zip = <script>secret line" in found.text(values=True)
    odd = privacy.audit(Table(FRAME.rename(columns={"zip": "<b>zip"}), quasi=["<b>zip", "age"]))
    assert "<b>zip" not in odd._repr_html_()


def test_adult_takes_less_than_two_seconds():
    adult = load("adult")
    start = time.process_time()
    found = privacy.audit(adult)
    assert time.process_time() - start < 2
    assert found.alone == round(privacy.unique_rows(adult) * len(adult))


def test_names_inside_texts_are_counted():
    frame = pd.DataFrame({"zip": [1, 1, 2, 2], "name": ["Ann Doe", "Bob Roe", "Cy Lee", "Di Poe"]})
    notes = ["as Bob Roe says", "call 0170 1234567 or b@c.org", "call 0170 1234567 or b@c.org", None]
    table = Table(frame.assign(note=notes), quasi="zip", sensitive="note", identifier="name")
    assert privacy.audit(table).texts.values.tolist() == [
        ["note", "a value of an identifier column", 1],
        ["note", "an e-mail address", 2],
        ["note", "a telephone number", 2],
    ]
    assert "Names in texts" in [section.title for section in privacy.audit(table).sections()]
    assert privacy.audit(table.with_roles(sensitive=[]).select(["zip"])).texts.empty
