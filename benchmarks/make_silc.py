"""Make data/silc.csv.xz: a synthetic sample of households with survey weights, in the manner of EU-SILC.

Nobody in it exists: no survey was read. A population of 120,000 households is drawn from a few types of households.
Ages follow from one another: partners are about as old, children a generation younger. 6,000 households are sampled in
six regions, half of each among the towns, at very different rates. ``python benchmarks/make_silc.py`` writes the same
file again.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

REGIONS = {"North": 0.07, "East": 0.22, "Capital": 0.25, "South": 0.16, "West": 0.19, "Lakes": 0.11}
TYPES = {"single": 0.36, "couple": 0.27, "family": 0.24, "lone parent": 0.06, "three generations": 0.03, "shared": 0.04}


def population(households: int, seed: int = 0) -> pd.DataFrame:
    """Return one line per person: household, region, town, size, age, sex, citizenship, activity and income."""
    rng = np.random.default_rng(seed)
    kind = rng.choice(list(TYPES), size=households, p=list(TYPES.values()))
    young, old = rng.normal(33, 11, households).clip(19, 64), rng.normal(66, 13, households).clip(30, 96)
    grown = np.where(rng.random(households) < np.where(kind == "family", 0.02, 0.55), old, young + 6)
    parent = np.isin(kind, ["family", "lone parent", "three generations"])
    first = np.where(parent, rng.normal(41, 7.5, households).clip(20, 68), grown)
    first = np.where(kind == "shared", rng.normal(26, 6, households).clip(18, 60), first)
    man = rng.random(households) < np.where(kind == "lone parent", 0.15, 0.5)
    people = [(np.arange(households), first, man)]

    def add(who: np.ndarray, ages: np.ndarray, men: np.ndarray) -> None:
        rows = np.flatnonzero(who & (ages >= 0))
        people.append((rows, ages[rows].clip(0, 99), men[rows]))

    def coin() -> np.ndarray:
        return rng.random(households) < 0.5

    partner = np.isin(kind, ["couple", "family", "three generations"])
    same_sex = rng.random(households) < 0.03
    add(partner, (first + np.where(man, -2.3, 2.3) + rng.normal(0, 3.2, households)).clip(18), man == same_sex)
    children = 1 + rng.choice(4, size=households, p=[0.42, 0.42, 0.12, 0.04])
    birth = rng.normal(29, 4.5, households).clip(17, 44)
    for child in range(4):
        age = first - birth - child * rng.gamma(6, 0.5, households)
        age = np.where((child == 0) & (age < 0), 0.0, np.where(age < 27, age, -1.0))  # the grown-up have left
        add(parent & (children > child), age, coin())
    add(kind == "three generations", first + rng.normal(29, 4.5, households).clip(17, 44), rng.random(households) < 0.3)
    for _ in range(2):
        add((kind == "shared") & coin(), first + rng.normal(0, 3, households).clip(-8), coin())
    rows, ages, men = (np.concatenate(part) for part in zip(*people, strict=True))
    foreign = rng.choice(3, size=households, p=[0.84, 0.09, 0.07])
    citizen = np.where(rng.random(len(rows)) < 0.93, foreign[rows], rng.choice(3, size=len(rows), p=[0.8, 0.12, 0.08]))
    region = rng.choice(len(REGIONS), size=households, p=list(REGIONS.values()))
    town = rng.random(households) < np.where(region == 2, 0.97, 0.38)
    age = ages.astype(int)
    frame = pd.DataFrame({"household": rows, "region": np.array(list(REGIONS))[region[rows]], "town": town[rows]})
    frame["size"] = np.bincount(rows)[rows]
    frame["age"], frame["sex"] = age, np.where(men, "male", "female")
    frame["citizenship"] = np.array(["national", "EU", "other"])[citizen]
    frame["activity"] = _activity(age, rng)
    scale = {"employed": 27, "retired": 19, "unemployed": 11, "student": 5, "at home": 4, "child": 0}
    noise = rng.lognormal(0, 0.5, len(rows)) * (1 + 0.15 * town[rows])
    frame["income"] = (frame["activity"].map(scale) * noise).round().astype(int)
    return frame.sort_values(["household", "age"], ascending=[True, False], kind="stable").reset_index(drop=True)


def _activity(age: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    draw = rng.random(len(age))
    work = np.where(draw < 0.80, "employed", np.where(draw < 0.87, "unemployed", "at home"))
    study = np.where(draw < 0.62, "student", work)
    late = np.where(draw < 0.45, "retired", work)
    return np.select([age < 15, age < 24, age < 58, age < 66], ["child", study, work, late], "retired")


def sample(people: pd.DataFrame, households: int, seed: int = 1) -> pd.DataFrame:
    """Draw as many households from each region and, within it, half from the towns; add the weight N/n of a stratum.

    Large households answer less often; weights are adjusted for that, as in practice.
    """
    rng = np.random.default_rng(seed)
    homes = people.drop_duplicates("household").set_index("household")[["region", "town", "size"]]
    chosen, strata = [], list(homes.groupby(["region", "town"], sort=True))
    for _, stratum in strata:
        asked = rng.permutation(stratum.index)[: min(len(stratum), int(1.4 * households / len(strata)))]
        large = homes.loc[asked, "size"].to_numpy() > 2
        answers = asked[rng.random(len(asked)) < np.where(large, 0.72, 0.85)][: households // len(strata)]
        size = (stratum["size"] > 2).to_numpy()
        for group in (False, True):
            own = answers[(homes.loc[answers, "size"] > 2).to_numpy() == group]
            chosen.append(pd.DataFrame({"household": own, "weight": round((size == group).sum() / len(own), 2)}))
    drawn = pd.concat(chosen)
    numbers = dict(zip(drawn["household"], rng.permutation(len(drawn)) + 1, strict=True))
    picked = people.merge(drawn, on="household")
    picked["stratum"] = picked["region"] + np.where(picked.pop("town"), " towns", " villages")
    picked["household"] = picked["household"].map(numbers)
    order = ["household", "weight", "stratum", "region", "size", "age", "sex", "citizenship", "activity", "income"]
    return picked.sort_values(["household", "age"], ascending=[True, False], kind="stable")[order]


if __name__ == "__main__":
    path = Path(__file__).parents[1] / "data" / "silc.csv.xz"
    sample(population(120_000), 6_000).to_csv(path, index=False)
