"""Simulated populations with five skewed and dependent keys, and samples of them with survey weights."""

import numpy as np
import pandas as pd

KEYS = ["region", "age", "sex", "marital", "job"]


def population(people, seed, coarse=False):
    draw = np.random.default_rng(seed)
    region = draw.choice(20, people, p=_skewed(20))
    age = np.clip(draw.normal(42 + region % 5, 20, people), 0, 95).astype(int)
    marital = np.where(age < 18, 0, draw.choice(5, people, p=[0.3, 0.45, 0.1, 0.1, 0.05]))
    marital = np.where((age > 70) & (draw.random(people) < 0.4), 4, marital)
    job = np.where(age < 16, 0, np.where(age > 66, 1, 2 + draw.choice(15, people, p=_skewed(15))))
    frame = pd.DataFrame({"region": region, "age": age // 10 if coarse else age, "sex": draw.integers(0, 2, people)})
    income = np.exp(draw.normal(7 + 0.04 * region + 0.01 * np.minimum(age, 50), 0.5))
    return frame.assign(marital=marital, job=job, income=income)


def sampled(people, fraction, design, seed):
    """Return the rows of a sample and their weights; regions are the strata, income the size of unequal draws."""
    draw, count = np.random.default_rng(1000 + seed), len(people)
    if design == "simple":
        rows = draw.choice(count, int(fraction * count), replace=False)
        return rows, np.full(len(rows), 1 / fraction)
    if design == "pps":
        size = np.sqrt(people["income"].to_numpy())
        chance = np.minimum(fraction * count * size / size.sum(), 1)
        rows = np.flatnonzero(draw.random(count) < chance)
        return rows, 1 / chance[rows]
    rows, weights = [], []
    for region, members in people.groupby("region").indices.items():
        taken = max(int(fraction * (0.5 + region / 20) * len(members)), 2)
        rows.append(draw.choice(members, taken, replace=False))
        weights.append(np.full(taken, len(members) / taken))
    return np.concatenate(rows), np.concatenate(weights)


def _skewed(count):
    share = 1 / np.arange(1, count + 1)
    return share / share.sum()
