"""Anonymeter's own risks for the tables of test_anonymeter: ``python -P tests/attacks/anonymeter_figures.py FOLDER``.

Anonymeter 1.1 asks for numpy below 1.27, so it cannot be installed beside this package. Run this in an environment of
its own (``pip install anonymeter==1.1.0``); FOLDER holds what ``python -m tests.attacks.test_anonymeter FOLDER`` wrote.
"""

import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

KNOWN, SECRET = ["age", "marital-status", "education", "occupation"], "income"
LINKED = (["age", "marital-status"], ["education", "occupation"])


def risks(folder):
    """Return the counts of successes among members and among outsiders, and the risk with its interval, by attack."""
    from anonymeter.evaluators import InferenceEvaluator, LinkabilityEvaluator, SinglingOutEvaluator

    members, control, synthetic = (pd.read_csv(folder / f"{name}.csv") for name in ("members", "control", "synthetic"))
    tables = {"ori": members, "syn": synthetic, "control": control}
    np.random.seed(0)
    everybody = {"n_attacks": len(members)}
    found = {
        "inference": InferenceEvaluator(**tables, aux_cols=KNOWN, secret=SECRET, **everybody).evaluate(n_jobs=1),
        "linkability": LinkabilityEvaluator(**tables, aux_cols=LINKED, **everybody).evaluate(n_jobs=1),
        "univariate": SinglingOutEvaluator(**tables, n_attacks=500).evaluate(mode="univariate"),
        "multivariate": SinglingOutEvaluator(**tables, n_cols=4, n_attacks=500).evaluate(mode="multivariate"),
    }
    for name, evaluator in found.items():
        results, risk = evaluator.results(), evaluator.risk()
        yield name, results.n_success, results.n_control, results.n_attacks_ori, risk.value, *risk.ci


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for name, *numbers in risks(Path(sys.argv[1])):
        print(name, *(f"{number:.4g}" for number in numbers))
