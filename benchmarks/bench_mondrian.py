"""Mondrian beside its peers, its growth when it cuts by loss, and where its time goes."""

from __future__ import annotations

from common import Bench, Call, Work, main
from peers import run_aijack, run_anonypy
from tables import adult, give, grown, loss, of_folder

from anonnb import load

K = 10
TABLES = ("Adult", "car", "gbsg2")


def table_of(data: str, rows: int | None):
    return adult(rows) if data == "Adult" else load(data)


def mondrian(k: int, data: str = "Adult", rows: int | None = None, grow: bool = False, **options) -> Work:
    """Ours, on a shipped table or, to see it grow, on Adult with further values and combinations."""
    from anonnb.methods import Mondrian

    table = grown(adult(), rows) if grow else table_of(data, rows)
    return Work(lambda: Mondrian(k, **options).anonymize(table), lambda release: loss(table, release), rows=len(table))


def local_suppression(k: int) -> Work:
    """Cells hidden inside Mondrian's regions."""
    from anonnb.methods import LocalSuppression

    table = adult()
    work = lambda: LocalSuppression(k).anonymize(table)  # noqa: E731
    return Work(work, lambda release: {"cells hidden": release.info["cost"]}, rows=len(table))


def measure(bench: Bench) -> None:
    rows = bench.size(30_162)
    for data in bench.some(TABLES):
        table = table_of(data, rows)
        peers = {"aijack": run_aijack.mondrian, "anonypy": run_anonypy.mondrian}
        calls = [
            Call("anonnb", mondrian, k=K, data=data, rows=rows),
            Call("anonnb, cut by loss", mondrian, k=K, data=data, rows=rows, cut="loss"),
        ]
        calls += [
            Call(
                name,
                job,
                k=K,
                peer=name,
                give=lambda folder, table=table: give(table, folder),
                judge=lambda folder, table=table: loss(table, of_folder(table, folder)),
            )
            for name, job in peers.items()
        ]
        bench.compare(f"Mondrian, k = {K}", data, calls)
    bench.scale(f"Mondrian cut by loss, k = {K}", "Adult, grown", mondrian, k=K, grow=True, cut="loss")
    bench.profile(f"Mondrian, k = {K}", "Adult", Call("anonnb", mondrian, k=K, rows=rows))
    bench.profile(f"Mondrian cut by loss, k = {K}", "Adult", Call("anonnb", mondrian, k=K, rows=rows, cut="loss"))
    demands(bench)


def demands(bench: Bench) -> None:
    subject = f"Mondrian, k = {K}"
    bench.demand(subject, "Adult", Call("anonnb", mondrian, k=K), s=0.1, most={"NCP": 0.050})
    by_loss = Call("anonnb", mondrian, k=K, cut="loss")
    bench.demand(f"{subject}, cut by loss", "Adult", by_loss, s=2, most={"NCP": 0.045})
    rows = bench.size(1_000_000)
    bench.demand(subject, "Adult, grown", Call("anonnb", mondrian, k=K, rows=rows, grow=True), s=5, MB=2048)
    million = Call("anonnb", mondrian, k=K, rows=rows, grow=True, cut="loss")
    bench.demand(f"{subject}, cut by loss", "Adult, grown", million, s=4, most={"NCP": 0.0064})
    hidden = Call("anonnb", local_suppression, k=K)
    bench.demand(f"LocalSuppression, k = {K}", "Adult", hidden, s=16, most={"cells hidden": 44_118})


if __name__ == "__main__":
    main(measure, __doc__)
