"""The picture of the README: what methods lose and what an attacker still learns, on Adult. Run by `make picture`."""

from pathlib import Path

import matplotlib

matplotlib.use("agg")

import anonnb
from anonnb import arena, methods, plots

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
    ax = plots.loss_against_risk(frame, risk=attack)
    half = f"{PEOPLE // 2:,} people of Adult, k = {K}, {DRAWS} draws"
    ax.set_title(f"{half}: left loses less, down gives less away", loc="left")
    ax.set_ylabel("incomes guessed: excess over outsiders (%)")
    ax.figure.savefig(Path(__file__).with_name("readme.png"), dpi=110, metadata={"Software": None})


if __name__ == "__main__":
    main()
