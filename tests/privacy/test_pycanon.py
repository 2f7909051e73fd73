"""Our measures equal those of pycanon on Adult, for 20 random choices of quasi-identifiers and all complete rows.

pycanon visits every class and every value in Python, at about 3 ms each for all measures. So the 20 choices use 2,000
random rows and up to three columns each (one when the sensitive column has 16 values), and one uses all 30,162 rows.
Its conventions: entropy l is cut off to an integer; recursive c counts from the rarest value and is rounded
(reading="pycanon"); enhanced β is capped by the largest −ln p (reading="pycanon"); δ-disclosure leaves out the values
that a class lacks (reading="pycanon"); t uses ordered distances for numbers and equal ones for texts.
"""

import math

import numpy as np
import pytest
from pycanon import anonymity

from anonnb import Table, load, privacy

pytestmark = [
    pytest.mark.slow,
    # pycanon reads the groups of a one-column grouping in a way that pandas will change
    pytest.mark.filterwarnings("ignore:In a future version, the keys of `groups`"),
]

COLUMNS = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation"]
#: sensitive columns, and with how many quasi-identifiers at most
SENSITIVE = [(["income"], 3), (["relationship"], 2), (["income"], 3), (["education-num"], 1), (["income", "sex"], 1)]


def check_all_nine(frame, quasi, sensitive):
    frame = frame[[*quasi, *sensitive]]  # pycanon copies all columns for every value
    table = Table(frame, quasi=quasi, sensitive=sensitive)
    assert privacy.k(table) == anonymity.k_anonymity(frame, quasi)
    assert privacy.alpha_k(table) == pytest.approx(anonymity.alpha_k_anonymity(frame, quasi, sensitive))
    assert privacy.l(table) == anonymity.l_diversity(frame, quasi, sensitive)
    # where exp(entropy) is a whole number, rounding decides which side pycanon cuts off
    entropy_l, cut = privacy.entropy_l(table), anonymity.entropy_l_diversity(frame, quasi, sensitive)
    assert cut in (math.floor(entropy_l - 1e-9), math.floor(entropy_l + 1e-9))
    ours = privacy.recursive_c_l(table, reading="pycanon")
    assert ours == pytest.approx(anonymity.recursive_c_l_diversity(frame, quasi, sensitive), nan_ok=True)
    assert privacy.t(table) == pytest.approx(anonymity.t_closeness(frame, quasi, sensitive))
    assert privacy.beta(table) == pytest.approx(anonymity.basic_beta_likeness(frame, quasi, sensitive))
    enhanced = privacy.beta(table, "enhanced", reading="pycanon")
    assert enhanced == pytest.approx(anonymity.enhanced_beta_likeness(frame, quasi, sensitive))
    delta = privacy.delta_disclosure(table, reading="pycanon")
    assert delta == pytest.approx(anonymity.delta_disclosure(frame, quasi, sensitive))


@pytest.fixture(scope="module")
def adult():
    frame = load("adult").frame.reset_index(drop=True)
    texts = frame.select_dtypes(exclude="number").columns
    return frame.astype(dict.fromkeys(texts, object))  # three times faster in pycanon than pandas' own texts


@pytest.mark.parametrize("choice", range(20))
def test_all_nine_measures_on_a_random_choice_of_quasi_identifiers(adult, choice):
    random = np.random.default_rng(choice)
    sensitive, most = SENSITIVE[choice % len(SENSITIVE)]
    columns = [name for name in COLUMNS if name not in sensitive]
    quasi = random.choice(columns, size=random.integers(1, most + 1), replace=False).tolist()
    rows = random.choice(len(adult), 2_000, replace=False)
    check_all_nine(adult.iloc[rows].reset_index(drop=True), quasi, sensitive)


def test_all_nine_measures_on_all_rows(adult):
    """The random choices are mostly not diverse; this one has two values in every class, so that c exists."""
    assert len(adult) == 30_162
    check_all_nine(adult, ["sex", "race"], ["income"])
    assert privacy.l(Table(adult, quasi=["sex", "race"], sensitive=["income"])) == 2
