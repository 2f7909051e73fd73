"""The tables that come with anonnb, with kinds, roles, orders and hierarchies filled in.

``load("adult")`` gives a Table. ``data/README.md`` and :func:`describe` say where each comes from. In a source tree the
files are in ``data/``; an installed wheel has them inside the package.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import cache
from inspect import signature
from typing import Any

import numpy as np
import pandas as pd

from anonnb.core.shipped import shipped
from anonnb.tables.hierarchies.hierarchy import Hierarchy
from anonnb.tables.roles import PersonWarning
from anonnb.tables.table import Table

Domains = dict[str, Sequence]
ADULT_QUASI = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation"]
MIGRATION_QUASI = ["age", "sex", "marital-status", "native-country", "race", "education"]
MIGRATION_COLUMNS = [*MIGRATION_QUASI, "hours-per-week", "capital-gain", "workclass"]
TREE_QUASI = [
    *["age", "education-num", "capital-gain", "capital-loss", "hours-per-week"],
    *["workclass", "marital-status", "relationship", "race", "sex", "native-country"],
]

# Declared domains, where no order and no hierarchy gives them: from the descriptions of the tables, not from the rows.
ADULT_DOMAINS: Domains = {
    "income": ["<=50K", ">50K"],
    "relationship": ["Husband", "Wife", "Own-child", "Other-relative", "Unmarried", "Not-in-family"],
    "education-num": range(1, 17),
    "capital-loss": [0, 1, 1000, 1500, 2000, 2500, 3000, 4000, 5000],
}
BREAST_CANCER_DOMAINS: Domains = {
    "horTh": ["no", "yes"],
    "age": list(range(0, 121, 10)),
    "menostat": ["Pre", "Post"],
    "tsize": list(range(0, 201, 10)),
    "pnodes": [0, 1, 2, 4, 8, 16, 32, 64],
    "progrec": [0, 1, 10, 100, 1000, 10000],
    "estrec": [0, 1, 10, 100, 1000, 10000],
    "time": list(range(0, 3651, 365)),
    "cens": [0, 1],
}
_INCOMES = [*range(0, 100_001, 10_000), 200_000]
_CONTRIBUTIONS = list(range(0, 10_001, 1_000))
_TAXES = [0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000]
_OTHER_INCOMES = [0, 10, 100, 1_000, 10_000, 200_000]
CENSUS_DOMAINS = {
    "AFNLWGT": [0, 50_000, 100_000, 150_000, 200_000, 250_000, 300_000, 400_000, 1_000_000],
    "AGI": _INCOMES,
    "EMCONTRB": _CONTRIBUTIONS,
    "FEDTAX": _TAXES,
    "PTOTVAL": _INCOMES,
    "STATETAX": _TAXES,
    "TAXINC": _INCOMES,
    "POTHVAL": _OTHER_INCOMES,
    "INTVAL": _OTHER_INCOMES,
    "PEARNVAL": _INCOMES,
    "FICA": _CONTRIBUTIONS,
    "WSALVAL": _INCOMES,
    "ERNVAL": _INCOMES,
}
DECISION6_DOMAINS = {
    "sex": ["female", "male"],
    "occupation": ["engineer", "salesman"],
    "domicile": ["Fukuoka", "Osaka", "Tokyo"],
    "evaluation": ["low", "medium", "high"],
}
HAYES_ROTH_DOMAINS = {"class": [1, 2, 3]}
IRIS_DOMAINS: Domains = {
    "sepal_length": [4, 5, 6, 7, 8],
    "sepal_width": [2, 2.5, 3, 3.5, 4, 4.5],
    "petal_length": list(range(0, 8)),
    "petal_width": [0, 0.5, 1, 1.5, 2, 2.5, 3],
    "class": ["Iris-setosa", "Iris-versicolor", "Iris-virginica"],
}
SALARY5_DOMAINS = {"SALARY": list(range(0, 100_001, 10_000))}
SILC_DOMAINS: Domains = {
    "activity": ["child", "student", "employed", "unemployed", "at home", "retired"],
    "income": [0, 1, 5, 10, 15, 20, 25, 30, 40, 60, 100, 400],
}
SURVEY_DOMAINS = {"Hypertension": ["N", "Y"]}


def names() -> list[str]:
    """Return the names that :func:`load` knows.

    >>> names()
    ['adult', 'car', 'census', 'decision6', 'gbsg2', 'hayes-roth', 'iris', 'salary5', 'silc', 'survey', 'zoo']
    """
    return sorted(_LOADERS)


def load(name: str, **options: Any) -> Table:
    """Load a table that comes with the package, with kinds, roles, orders and hierarchies.

    ``load("adult")`` has the 30,162 complete training rows.

    Parameters
    ----------
    name:
        One of the names in :func:`names`.
    options:
        For adult, ``rows="train"``, ``"test"`` or ``"all"`` keeps the rows with ``?``; ``variant="migration"`` selects
        the nine attributes of the tuple-migration paper (30,169 rows), ``variant="tree"`` those of the tree-preserving
        paper. hayes-roth takes ``rows`` too.

    Examples
    --------
    >>> load("survey")
    Table: 66 rows × 4 attributes
      Marital_status  nominal  quasi                3 values  hierarchy of height 2
      Sex             nominal  quasi                2 values  hierarchy of height 1
      Hours           numeric  quasi                3 values  hierarchy of height 2
      Hypertension    nominal  sensitive, decision  2 values
    """
    if name not in _LOADERS:
        raise KeyError(f"there is no data set {name!r}; the names are {', '.join(names())}")
    known = list(signature(_LOADERS[name]).parameters)
    unknown = [option for option in options if option not in known]
    if unknown:
        raise TypeError(f"load({name!r}) has no option {unknown[0]!r}; it takes {', '.join(known) or 'none'}")
    return _LOADERS[name](**options)


def describe() -> pd.DataFrame:
    """Return a line per data set: rows, attributes, quasi-identifiers, decision and source."""
    rows = []
    for name in names():
        table = load(name)
        rows.append((name, len(table), len(table.columns), len(table.quasi), table.decision, _SOURCES[name]))
    return pd.DataFrame(rows, columns=["name", "rows", "attributes", "quasi", "decision", "source"])


@cache
def _read(file: str, **options: Any) -> pd.DataFrame:
    return pd.read_csv(shipped("data") / file, **options)


def _hierarchies(folder: str, columns: list[str]) -> dict[str, Hierarchy]:
    files = {name: shipped("data") / "hierarchies" / folder / f"{name}.csv" for name in columns}
    return {name: Hierarchy.from_csv(file) for name, file in files.items() if file.is_file()}


def _chosen(frame: pd.DataFrame, rows: str) -> pd.DataFrame:
    """Return the rows of a split, without the column that names it."""
    if rows not in ("train", "test", "all"):
        raise ValueError(f"rows={rows!r} is not known; use 'train', 'test' or 'all'")
    part = frame if rows == "all" else frame[frame["split"] == rows]
    return part.drop(columns="split").reset_index(drop=True)


def _adult(rows: str | None = None, variant: str | None = None) -> Table:
    if variant not in (None, "migration", "tree"):
        raise ValueError(f"variant={variant!r} is not known; use 'migration' or 'tree'")
    if variant is not None and rows is not None:
        raise ValueError("give rows= or variant=, not both: a variant is a selection of the training rows")
    frame = _chosen(_read("adult.csv.xz"), rows or "train")
    roles: dict[str, Any]
    if variant == "migration":
        frame = _complete(frame[MIGRATION_COLUMNS])
        roles = {"quasi": MIGRATION_QUASI}
    elif variant == "tree":
        frame = _complete(frame)[[*TREE_QUASI, "occupation", "income"]]
        roles = {"quasi": TREE_QUASI, "sensitive": ["occupation"], "decision": "income"}
    else:
        frame = frame if rows else _complete(frame)
        roles = {"quasi": ADULT_QUASI, "sensitive": ["income"], "decision": "income"}
    domains = {name: domain for name, domain in ADULT_DOMAINS.items() if name in frame}
    return Table(frame, **roles, hierarchies=_hierarchies("adult", list(frame.columns)), domains=domains)


def _complete(frame: pd.DataFrame) -> pd.DataFrame:
    unknown = (frame.select_dtypes(exclude="number") == "?").any(axis=1)
    return frame[~unknown].reset_index(drop=True)


def _car() -> Table:
    frame = _read("car.csv", dtype=str)
    price, level = ["low", "med", "high", "vhigh"], ["low", "med", "high"]
    orders = {
        "buying": price,
        "maint": price,
        "doors": ["2", "3", "4", "5more"],
        "persons": ["2", "4", "more"],
        "lug_boot": ["small", "med", "big"],
        "safety": level,
        "class": ["unacc", "acc", "good", "vgood"],
    }
    return _decision_table(frame, "class", orders=orders)


def _hayes_roth(rows: str = "all") -> Table:
    frame = _chosen(_read("hayes_roth.csv"), rows)
    numbers = {"hobby": 3, "age": 4, "educational_level": 4, "marital_status": 4}
    orders = {name: list(range(1, largest + 1)) for name, largest in numbers.items()}  # ordinal, as the paper has them
    described: dict[str, Any] = {"orders": orders, "kinds": {"class": "nominal"}, "domains": HAYES_ROTH_DOMAINS}
    return _decision_table(frame, "class", identifier=["name"], **described)


def _iris() -> Table:
    return _decision_table(_read("iris.csv"), "class", domains=IRIS_DOMAINS)


def _zoo() -> Table:
    frame = _read("zoo.csv")
    kinds = dict.fromkeys(frame.columns, "nominal")
    domains = {name: [0, 1] for name in frame.columns if name != "animal_name"}
    domains |= {"legs": [0, 2, 4, 5, 6, 8], "type": [1, 2, 3, 4, 5, 6, 7]}
    return _decision_table(frame, "type", identifier=["animal_name"], kinds=kinds, domains=domains)


def _gbsg2() -> Table:
    frame = _read("gbsg2.csv")
    quasi = [name for name in frame.columns if name not in ("time", "cens")]
    described: dict[str, Any] = {"orders": {"tgrade": ["I", "II", "III"]}, "kinds": {"cens": "nominal"}}
    roles: dict[str, Any] = {"quasi": quasi, "sensitive": ["time"], "decision": "time"}
    return Table(frame, **roles, **described, domains=BREAST_CANCER_DOMAINS)


def _census() -> Table:
    frame = _read("census.csv")
    return Table(frame, quasi=list(frame.columns), domains=CENSUS_DOMAINS)


def _survey() -> Table:
    counts = _read("survey.csv")
    classes = counts.melt(["Marital_status", "Sex", "Hours"], ["Y", "N"], "Hypertension", "rows")
    frame = classes.loc[np.repeat(classes.index, classes["rows"])].drop(columns="rows").reset_index(drop=True)
    hierarchies = _hierarchies("survey", list(frame.columns))
    return _decision_table(frame, "Hypertension", hierarchies=hierarchies, domains=SURVEY_DOMAINS)


def _decision6() -> Table:
    return _decision_table(_read("decision6.csv", index_col="object"), "evaluation", domains=DECISION6_DOMAINS)


def _salary5() -> Table:
    frame = _read("salary5.csv").astype({"ZIP": str})
    hierarchies = _hierarchies("salary5", list(frame.columns))
    roles: dict[str, Any] = {"identifier": ["ID"], "quasi": ["AGE", "SEX", "ZIP"], "sensitive": ["SALARY"]}
    return Table(frame, **roles, hierarchies=hierarchies, domains=SALARY5_DOMAINS)


def _silc() -> Table:
    frame = _read("silc.csv.xz")
    roles: dict[str, Any] = {"quasi": ["region", "size", "age", "sex", "citizenship"], "sensitive": ["income"]}
    roles |= {"household": ["household", "region", "size"], "unit": "household", "weight": "weight"}
    return Table(frame, **roles, hierarchies=_hierarchies("silc", list(frame.columns)), domains=SILC_DOMAINS)


def _decision_table(frame: pd.DataFrame, decision: str, identifier: list[str] | None = None, **options: Any) -> Table:
    """Return a table in which all conditions are quasi-identifiers and the decision is the secret."""
    identifier = identifier or []
    quasi = [name for name in frame.columns if name != decision and name not in identifier]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PersonWarning)  # two kinds of frogs share a name
        return Table(frame, quasi=quasi, sensitive=[decision], decision=decision, identifier=identifier, **options)


_LOADERS: dict[str, Callable[..., Table]] = {
    "adult": _adult,
    "car": _car,
    "census": _census,
    "decision6": _decision6,
    "gbsg2": _gbsg2,
    "hayes-roth": _hayes_roth,
    "iris": _iris,
    "salary5": _salary5,
    "silc": _silc,
    "survey": _survey,
    "zoo": _zoo,
}
_SOURCES = {
    "adult": "UCI Adult (DOI 10.24432/C5XW20)",
    "car": "UCI Car Evaluation (DOI 10.24432/C5JP48)",
    "census": "US Census Bureau, Current Population Survey 1995 (the CASC project's selection)",
    "decision6": "Inuiguchi, Ichida and Torra 2019, Table 1",
    "gbsg2": "German Breast Cancer Study Group 2, from lifelines",
    "hayes-roth": "UCI Hayes-Roth (DOI 10.24432/C5501T)",
    "iris": "UCI Iris (DOI 10.24432/C56C76)",
    "salary5": "Truong et al. 2023, Table II",
    "silc": "synthetic, in the manner of EU-SILC (benchmarks/make_silc.py)",
    "survey": "Ciriani et al. 2008, running example",
    "zoo": "UCI Zoo (DOI 10.24432/C5R59V)",
}
