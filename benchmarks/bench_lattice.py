"""Full-domain search beside anjana's, its profile, and what was demanded of it."""

from __future__ import annotations

from common import Bench, Call, Work, main
from peers import run_anjana
from tables import adult, give, loss, of_folder

from anonnb import load

K = 10
TABLES = ("Adult", "car", "survey")
SHARES = (0, 0.02, 0.05)  # of the rows may be suppressed


def table_of(data: str, rows: int | None):
    return adult(rows) if data == "Adult" else load(data)


def search(method: str, data: str = "Adult", rows: int | None = None, **options) -> Work:
    """One of our searches in the lattice of full-domain generalizations."""
    from anonnb import methods

    table = table_of(data, rows)

    def quality(release) -> dict[str, float]:
        proved = {"proved optimal": release.info["proved"]} if "proved" in release.info else {}
        return loss(table, release) | proved

    made = getattr(methods, method)(k=K, **options)
    return Work(lambda: made.anonymize(table), quality, rows=len(table))


def measure(bench: Bench) -> None:
    for data in bench.some(TABLES):
        table = table_of(data, bench.size(30_162))
        ours = {"method": "FullDomain", "measure": "ncp", "data": data, "rows": len(table)}
        for share in bench.some(SHARES):
            theirs = Call(
                "anjana",
                run_anjana.full_domain,
                k=K,
                share=share,
                peer="anjana",
                give=lambda folder, table=table: give(table, folder),
                judge=lambda folder, table=table: loss(table, of_folder(table, folder)),
            )
            subject = f"Full domain, k = {K}, {share:.0%} suppressed"
            bench.compare(subject, data, [Call("anonnb", search, **ours, max_suppressed=share), theirs])
    for name, options in bench.some((("FullDomain", {"measure": "ncp"}), ("Incognito", {}))):
        subject = f"{name}, k = {K}, 2% suppressed"
        bench.profile(subject, "Adult", Call("anonnb", search, method=name, max_suppressed=0.02, **options))
    demands(bench)


def demands(bench: Bench) -> None:
    for share in bench.some(SHARES):
        for criterion in ("discernibility", "ncp"):
            call = Call("anonnb", search, method="FullDomain", measure=criterion, max_suppressed=share)
            subject = f"FullDomain by {criterion}, {share:.0%} suppressed"
            bench.demand(subject, "Adult", call, s=5, least={"proved optimal": 1})
        for name, seconds in (("Incognito", 10), ("Samarati", 3)):
            call = Call("anonnb", search, method=name, max_suppressed=share)
            bench.demand(f"{name}, {share:.0%} suppressed", "Adult", call, s=seconds)


if __name__ == "__main__":
    main(measure, __doc__)
