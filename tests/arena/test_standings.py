"""What the frame of the arena says at a glance."""

import anonnb
from anonnb import arena


def test_the_shortlist_keeps_to_methods_that_promise_k_and_publish_true_cells():
    names = ["Mondrian", "Samarati", "OKA", "GCCG", "PRAM", "M3AR"]
    frame = arena.compare(anonnb.load("survey"), names, ["HomogeneityAttack"], k=[3, 5], draws=3)
    chosen = arena.shortlist(frame).set_index("k")
    fair = frame[frame["method"].isin(names[:4])]
    for k, part in fair[fair["name"] == "NCP"].groupby("k"):
        risk = fair[(fair["kind"] == "attack") & (fair["k"] == k)].groupby("method")["excess high"].max()
        first, second = chosen.loc[k].iloc[0], chosen.loc[k].iloc[1]
        assert first["method"] == part.set_index("method")["value"].idxmin()
        assert first["why"].startswith("loses least")
        assert risk.idxmin() in (first["method"], second["method"])
        assert chosen.loc[k, "method"].nunique() == 3
        assert chosen.loc[k, "why"].str.contains(r"NCP [\d.]+ % \([\d.]+ % to [\d.]+ %\); excess at most").all()
    assert arena.shortlist(frame[frame["method"] == "original"]).empty
