"""Who is in a release, and who may be a control."""

import numpy as np
import pandas as pd
import pytest

from anonnb import Release, Table
from anonnb.attacks.matching.members import check_outsiders, members


def table(labels):
    return Table(pd.DataFrame({"zip": np.arange(len(labels))}, index=list(labels)), quasi=["zip"])


def test_members_are_those_whose_rows_were_published():
    everybody = table("abcd")
    release = Release(everybody, {}, np.array([2, 0]))
    assert members(release).tolist() == ["a", "c"]
    check_outsiders(table("bd"), [release])
    with pytest.raises(ValueError, match="row 'c' of the control is also in the release"):
        check_outsiders(table("bdc"), [release])


def test_without_links_everybody_may_be_a_member():
    like = table("abcd")
    release = Release.from_frame(like.frame, like)
    assert members(release).tolist() == list("abcd")
