"""Patients in pairs for the deFinetti attack (Kifer, Attacks on privacy and deFinetti's theorem, SIGMOD 2009).

Published are who smokes, and the illnesses of each pair, but not which of the two has which: groups as Anatomy makes
them, small enough for a pencil. Reading: the numbers are ours.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonnb.tables.grouped_secrets import GroupedSecrets
from anonnb.tables.release import Release
from anonnb.tables.table import Table

Pairs = Sequence[tuple[str, str, int]]  # who the two are, their illnesses in the same order, and how many such pairs
THIRTY: Pairs = (("ss", "cancer flu", 10), ("sn", "cancer flu", 10), ("nn", "flu cold", 10))


def paired_patients(kinds: Pairs = THIRTY) -> Release:
    """Publish patients in pairs: who smokes (s) and who does not (n), and the illnesses of each pair.

    Parameters
    ----------
    kinds:
        Who the two are, their illnesses in the same order, and how many such pairs there are.

    Returns
    -------
    Release
        A release that does not say who of a pair has which illness.

    Examples
    --------
    >>> paired_patients().frame.iloc[[0, 21, 40]].to_numpy().tolist()
    [['s', 'cancer or flu'], ['n', 'cancer or flu'], ['n', 'cold or flu']]
    """
    pairs = [zip(who, ill.split(), strict=True) for who, ill, count in kinds for _ in range(count)]
    lines = [(group, *patient) for group, pair in enumerate(pairs) for patient in pair]
    patients = pd.DataFrame(lines, columns=["pair", "smokes", "illness"])
    return grouped_release(patients.drop(columns="pair"), "illness", patients["pair"].to_numpy())


def grouped_release(people: pd.DataFrame, secret: str, group: np.ndarray) -> Release:
    """A release that shows all columns of some people but the secret, of which it shows the values of each group.

    >>> grouped_release(pd.DataFrame({"a": [1, 2], "s": ["x", "y"]}), "s", np.array([0, 0])).secrets.n_groups
    1
    """
    quasi = [name for name in people.columns if name != secret]
    table = Table(people, quasi=quasi, sensitive=[secret])
    secrets = GroupedSecrets.of(secret, table.codes(secret), np.asarray(group), table.attributes[secret].size)
    return Release(table, {}, np.arange(len(table)), secrets=secrets)
