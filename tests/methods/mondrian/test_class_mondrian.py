import numpy as np
import pandas as pd
import pytest

from anonnb import Infeasible, Table, load
from anonnb.methods import ClassMondrian, Mondrian


@pytest.mark.parametrize(("name", "options"), [("survey", {}), ("hayes-roth", {"strict": False, "summary": "region"})])
def test_equals_mondrian_run_on_each_class(name, options):
    table = load(name)
    release = ClassMondrian(k=4, **options).anonymize(table)
    decision = table.codes(table.decision)
    for value in np.unique(decision):
        rows = np.flatnonzero(decision == value)
        alone = Mondrian(k=4, **options).anonymize(table.take(rows))
        for column in table.quasi:
            assert release.frame.iloc[rows][column].astype(str).tolist() == alone.frame[column].astype(str).tolist()


def test_small_classes_are_not_published():
    frame = pd.DataFrame({"x": range(7), "d": list("aaabbbc")})
    table = Table(frame, quasi="x", decision="d")
    release = ClassMondrian(k=2).anonymize(table)
    assert release.suppressed.tolist() == [6]
    assert release.frame["x"].tolist() == ["[0–2]"] * 3 + ["[3–5]"] * 3
    assert ClassMondrian(k=3, summary="mean").anonymize(table).frame["x"].tolist() == [1.0] * 3 + [4.0] * 3
    with pytest.raises(Infeasible, match="no class of 'd' can be published"):
        ClassMondrian(k=4).anonymize(table)
