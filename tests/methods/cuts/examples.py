"""The chapter's example, shared by the tests of both directions."""

import anonnb
from anonnb.methods.cuts.specialization import snapshot

SURVEY = anonnb.load("survey")
FIGURE_11D = {
    ("divorced", "any_sex", "35", 0, 4),
    ("divorced", "any_sex", "40", 16, 1),
    ("married", "any_sex", "35", 8, 2),
    ("married", "any_sex", "50", 2, 7),
    ("single", "any_sex", "40", 6, 20),
}


def as_figure(frame):
    return set(frame[["Marital_status", "Sex", "Hours", "Y", "N"]].itertuples(index=False, name=None))


def check_trace(table, release):
    """What the trace tells of every step is what the tables show."""
    trace = release.info["trace"]
    for step in trace["step"]:
        shown = snapshot(release, step)
        assert shown["rows"].min() == trace["degree"][step]
        assert len(shown) == trace["classes"][step]
        assert shown["rows"].sum() == len(table)
    assert release.group_sizes.min() == trace["degree"].iloc[-1]
