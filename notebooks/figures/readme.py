"""The picture of the README: what methods lose and what an attacker still learns, on Adult. Run by `make picture`."""

from pathlib import Path

import matplotlib

matplotlib.use("agg")

import anonnb
from anonnb import arena, methods, plots

K = 10


def main() -> None:
    table = anonnb.load("adult")
    chosen = {
        "Mondrian": methods.Mondrian(k=K),
        "Mondrian, loss cuts": methods.Mondrian(k=K, cut="loss"),
        "full domain": methods.FullDomain(k=K, max_suppressed=0.02, measure="ncp"),
        "top-down": methods.TopDown(k=K),
        "local suppression": methods.LocalSuppression(k=K),
        "OKA clusters": methods.OKA(k=K),
        "tree-preserving": methods.TreePreserving(k=K),
    }
    frame = arena.compare(table, chosen, ["HomogeneityAttack"], control=True)
    ax = plots.loss_against_risk(frame, risk="HomogeneityAttack")
    ax.set_title(f"Half of Adult, {(len(table) + 1) // 2:,} people, k = {K}: useful is left, safe is down", loc="left")
    ax.set_ylabel("incomes read off, excess over a control (%)")
    ax.figure.savefig(Path(__file__).with_name("readme.png"), dpi=110, metadata={"Software": None})


if __name__ == "__main__":
    main()
