"""One case explained."""

import pandas as pd
import pytest

from anonnb import Table
from anonnb.attacks.explaining import explain


def test_a_single_case_is_explained(clinic):
    _, release = clinic
    case = explain(release, 4)
    assert repr(case) == "age = 45: 3 rows fit, saying cold (2), flu (1)"
    assert case.candidates["cost"].tolist() == [10, 90, 100]
    assert explain(release, 0).secrets.to_dict() == {"flu": 3}
    stranger = Table(pd.DataFrame({"age": [35], "ill": ["flu"]}), quasi=["age"])
    assert repr(explain(release, 0, table=stranger)) == "age = 35: no published row fits"
    with pytest.raises(ValueError, match="row 6 is not in the table; its rows are 0 to 5"):
        explain(release, 6)
