"""The declared domains of the tables that come with anonnb, where no order and no hierarchy gives them already.

They are taken from the descriptions of the tables, with round numbers as edges, and not from the rows.
"""

ADULT = {
    "income": ["<=50K", ">50K"],
    "relationship": ["Husband", "Wife", "Own-child", "Other-relative", "Unmarried", "Not-in-family"],
    "education-num": range(1, 17),
    "capital-loss": [0, 1, 1000, 1500, 2000, 2500, 3000, 4000, 5000],
}
BREAST_CANCER = {
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
CENSUS = {
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
DECISION6 = {
    "sex": ["female", "male"],
    "occupation": ["engineer", "salesman"],
    "domicile": ["Fukuoka", "Osaka", "Tokyo"],
    "evaluation": ["low", "medium", "high"],
}
HAYES_ROTH = {"class": [1, 2, 3]}
IRIS = {
    "sepal_length": [4, 5, 6, 7, 8],
    "sepal_width": [2, 2.5, 3, 3.5, 4, 4.5],
    "petal_length": list(range(0, 8)),
    "petal_width": [0, 0.5, 1, 1.5, 2, 2.5, 3],
    "class": ["Iris-setosa", "Iris-versicolor", "Iris-virginica"],
}
SALARY5 = {"SALARY": list(range(0, 100_001, 10_000))}
SURVEY = {"Hypertension": ["N", "Y"]}


def zoo(columns: list[str]) -> dict[str, list]:
    """Traits are present or not; legs and types have numbers."""
    return {name: [0, 1] for name in columns} | {"legs": [0, 2, 4, 5, 6, 8], "type": [1, 2, 3, 4, 5, 6, 7]}
