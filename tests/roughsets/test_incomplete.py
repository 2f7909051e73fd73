"""Missing values that may be anything: the tables of Kryszkiewicz (1998) and of Stefanowski and Tsoukiàs (2001)."""

import pandas as pd
import pytest

from anonnb import Table, roughsets

CARS = Table(
    pd.DataFrame(
        [
            ("high", "low", "full", "low", "good"),
            ("low", None, "full", "low", "good"),
            (None, None, "compact", "low", "poor"),
            ("high", None, "full", "high", "good"),
            (None, None, "full", "high", "excellent"),
            ("low", "high", "full", None, "good"),
        ],
        columns=["price", "mileage", "size", "max speed", "car"],
        index=range(1, 7),
    ),
    decision="car",
)
# values of c1 to c4 and the class of a1 to a12; a star is missing
TWELVE = "3210Φ 2320Φ 2320Ψ *2*1Φ *2*1Ψ 2321Ψ 3**3Φ *00*Ψ 3213Ψ 1***Φ *2**Ψ 321*Φ"


@pytest.fixture
def twelve():
    rows = [[None if sign == "*" else sign for sign in row] for row in TWELVE.split()]
    return Table(
        pd.DataFrame(rows, columns=["c1", "c2", "c3", "c4", "d"], index=[f"a{n}" for n in range(1, 13)]), decision="d"
    )


def named(table, rows):
    return set(table.index[rows].tolist())


def test_the_cars_of_kryszkiewicz():
    upper = roughsets.upper(CARS, "excellent", relation="tolerance")
    assert named(CARS, upper) == {4, 5, 6}
    assert named(CARS, roughsets.lower(CARS, "good", relation="tolerance")) == {1, 2}
    assert named(CARS, roughsets.upper(CARS, "good", relation="tolerance")) == {1, 2, 4, 5, 6}
    assert roughsets.reducts(CARS, relation="tolerance", keep="decision") == [["size", "max speed"]]


def test_the_twelve_objects_of_stefanowski_and_tsoukias(twelve):
    tolerant = roughsets.approximate(twelve, "Φ", relation="tolerance")
    assert named(twelve, tolerant.lower) == set()
    assert named(twelve, roughsets.lower(twelve, "Ψ", relation="tolerance")) == {"a6"}
    assert named(twelve, tolerant.upper) == set(twelve.index) - {"a6"}
    similar = roughsets.approximate(twelve, "Φ", relation="similarity")
    assert named(twelve, similar.lower) == {"a1", "a10"}
    assert named(twelve, roughsets.lower(twelve, "Ψ", relation="similarity")) == {"a6", "a8", "a9"}
