"""M3AR keeps rules unless it is forced, and does not guard against new ones."""

from anonnb.methods.migration.migration import M3AR
from tests.methods.migration.tables import check_shape, settings_of, skewed_table


def test_m3ar_keeps_rules_unless_forced_and_does_not_guard_against_new_ones():
    new = 0
    for seed in range(30):
        table, options = skewed_table(seed), settings_of(seed)
        release = M3AR(**options, seed=seed).anonymize(table)
        check_shape(table, release, options["k"])
        if release.info["forced"] == 0:
            assert release.info["lost_rules"] == 0
            new += release.info["new_rules"]
    assert new > 0
