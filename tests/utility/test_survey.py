"""Weighted estimates: against statsmodels and formulas, their coverage, and how far a release shifts them."""

import numpy as np
import pytest
from statsmodels.regression.linear_model import OLS, WLS

from anonnb import Table, utility
from anonnb.methods import Mondrian
from tests.survey import population, sampled

ROLES = {"quasi": ["age", "region"], "sensitive": ["income"], "weight": "w"}


def sample(design="simple", seed=0, fraction=0.05, people=None, **roles):
    people = population(10_000, 3) if people is None else people
    rows, weights = sampled(people, fraction, design, seed)
    frame = people.iloc[rows].assign(w=weights, stratum=people["region"].iloc[rows]).reset_index(drop=True)
    return frame, Table(frame, **ROLES, **roles)


def estimates(table, **options):
    found = utility.survey_estimates(table, **options)
    return found.set_index(["statistic", "about"])


def test_the_regression_is_that_of_statsmodels():
    frame, _ = sample("pps")
    frame["home"] = np.arange(len(frame)) // 2
    frame["w"] = frame.groupby("home")["w"].transform("mean")
    found = estimates(Table(frame, **ROLES, household="home")).loc["coefficient"]
    model = WLS(frame["income"], frame[["age", "region"]].assign(one=1.0), weights=frame["w"])
    fit = model.fit(cov_type="cluster", cov_kwds={"groups": frame["home"], "use_correction": False})
    homes = frame["home"].nunique()
    factor = homes / (homes - 1) * (1 - homes / frame.groupby("home")["w"].first().sum())
    assert found["estimate"].tolist() == pytest.approx(fit.params[:2].tolist())
    assert found["error"].tolist() == pytest.approx((fit.bse[:2] * np.sqrt(factor)).tolist())


def test_means_totals_and_ratios_by_hand():
    frame, table = sample("stratified")
    found, weight = estimates(table, strata="region"), frame["w"]
    total, mean = (weight * frame["income"]).sum(), np.average(frame["income"], weights=weight)
    ratio = total / (weight * frame["age"]).sum()

    def error(u):
        variance, z = 0.0, weight * u
        for rows in frame.groupby("region").indices.values():
            n = len(rows)
            variance += (1 - n / weight[rows].sum()) * n * z[rows].var(ddof=1)
        return np.sqrt(variance)

    for name, value, u in [
        (("total", "income"), total, frame["income"]),
        (("mean", "income"), mean, (frame["income"] - mean) / weight.sum()),
        (("ratio", "income / age"), ratio, (frame["income"] - ratio * frame["age"]) / (weight * frame["age"]).sum()),
    ]:
        assert found.loc[name].tolist() == pytest.approx([value, error(u)])
    assert found.loc[("mean", "income"), "error"] < estimates(table).loc[("mean", "income"), "error"]
    with pytest.raises(ValueError, match="no survey weight"):
        utility.survey_estimates(table.with_roles(weight=None))
    with pytest.raises(KeyError, match="strata: there is no column"):
        utility.survey_estimates(table, strata="district")


@pytest.mark.slow
@pytest.mark.parametrize("design", ["simple", "stratified"])
def test_intervals_cover_the_truth(design):
    people = population(10_000, 3)
    fit = OLS(people["income"], people[["age", "region"]].assign(one=1.0)).fit().params
    truth = {
        ("mean", "income"): people["income"].mean(),
        ("total", "income"): people["income"].sum(),
        ("median", "income"): people["income"].median(),
        ("ratio", "income / age"): people["income"].sum() / people["age"].sum(),
        ("coefficient", "income on age"): fit["age"],
    }
    covered = {name: [] for name in truth}
    for seed in range(300):
        found = estimates(sample(design, seed, people=people)[1], strata="region" if design == "stratified" else None)
        for name, true in truth.items():
            value, error = found.loc[name]
            covered[name].append(abs(value - true) <= 1.96 * error)
    shares = {name: np.mean(each) for name, each in covered.items()}
    assert all(0.91 <= share <= 0.985 for share in shares.values()), shares


def test_what_a_release_shifts():
    frame, table = sample("pps")
    same = utility.survey_shifts(table, table)
    assert (same["shift"] == 0).all()
    assert (same["overlap"] == 1).all()
    release = Mondrian(k=5).anonymize(table)
    found = utility.survey_shifts(table, release.with_grouped_weights())
    assert found["shift"].between(0, 10).all()
    line = found.set_index(["statistic", "about"]).loc[("mean", "income")]
    assert line["shift"] == pytest.approx(abs(line["published"] - line["estimate"]) / line["error"])
    moved = Table(frame.assign(income=frame["income"] + 20), **ROLES)  # the errors stay
    line = utility.survey_shifts(table, moved).set_index(["statistic", "about"]).loc[("mean", "income")]
    assert line["shift"] == pytest.approx(20 / line["error"])
    assert line["overlap"] == pytest.approx(1 - line["shift"] / 3.92, abs=1e-4)
    shown = utility.analysis(table, release, cells="midpoint").set_index("measure")["value"]
    assert shown["shift of weighted means"] == pytest.approx(
        utility.survey_shifts(table, release).query("statistic == 'mean'")["shift"].mean()
    )
    assert shown["overlap of weighted intervals"] > 0.5
    assert "shift of weighted means" not in set(utility.analysis(table.with_roles(weight=None), table)["measure"])
