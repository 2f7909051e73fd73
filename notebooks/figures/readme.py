"""The picture of the README: what methods lose and what an attacker still learns, on Adult. Run by `make picture`."""

from pathlib import Path

import matplotlib

matplotlib.use("agg")

import anonnb
from anonnb import arena, methods, plots
from anonnb.core.wording import percent

K, DRAWS, PEOPLE = 10, 20, 12_000


def main() -> None:
    chosen = {
        "Mondrian": methods.Mondrian(k=K),
        "Mondrian, loss cuts": methods.Mondrian(k=K, cut="loss"),
        "full domain": methods.FullDomain(k=K, max_suppressed=0.02, measure="ncp"),
        "top-down": methods.TopDown(k=K),
        "local suppression": methods.LocalSuppression(k=K),
        "OKA clusters": methods.OKA(k=K),
        "tree-preserving": methods.TreePreserving(k=K),
    }
    attack, table = "HomogeneityAttack", anonnb.load("adult")
    frame = arena.compare(table, chosen, [attack], ["NCP"], draws=DRAWS, people=PEOPLE, jobs=2)
    plain = arena.summary(frame, [attack]).loc["original"].iat[0, 0]
    ax = plots.loss_against_risk(frame[frame["method"] != "original"], risk=attack)
    setting = f"{PEOPLE // 2:,} people of Adult, k = {K}, {DRAWS} draws"
    ax.set_title(f"{setting}; unprotected, the excess is {percent(plain, 0)}", loc="left")
    ax.set_ylabel("incomes guessed: excess over outsiders (%)")
    ax.figure.savefig(Path(__file__).with_name("readme.png"), dpi=110, metadata={"Software": None})


if __name__ == "__main__":
    main()
