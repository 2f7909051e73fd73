"""Mondrian beside its peers, its growth when it cuts by loss, and where its time goes."""

from __future__ import annotations

from common import Bench, Call, Work, main
from peers import run_aijack
from tables import adult, give, grown, loss, of_folder, of_partition

K = 10


def mondrian(k: int, rows: int | None = None, grow: bool = False, **options) -> Work:
    """Ours, on Adult or, to see it grow, on Adult with further values and combinations."""
    from anonnb.methods import Mondrian

    table = grown(adult(), rows) if grow else adult(rows)
    return Work(lambda: Mondrian(k, **options).anonymize(table), lambda release: loss(table, release), rows=len(table))


def local_suppression(k: int) -> Work:
    """Cells hidden inside Mondrian's regions."""
    from anonnb.methods import LocalSuppression

    table = adult()
    work = lambda: LocalSuppression(k).anonymize(table)  # noqa: E731
    return Work(work, lambda release: {"cells hidden": release.info["cost"]}, rows=len(table))


def anonypy(k: int, rows: int | None = None) -> Work:
    """Only the partition: anonypy's own table of results takes longer still."""
    from anonypy.mondrian import Mondrian

    table = adult(rows)
    frame = table.frame[[*table.quasi, table.decision]].copy()
    for name in frame:
        if table.attributes[name].kind == "nominal":
            frame[name] = frame[name].astype("category")
    partition = lambda: Mondrian(frame, table.quasi, table.decision).partition(k)  # noqa: E731
    return Work(partition, lambda parts: loss(table, of_partition(table, parts)), rows=len(table))


def measure(bench: Bench) -> None:
    rows = bench.size(30_162)
    table = adult(rows)
    aijack = Call(
        "aijack",
        run_aijack.mondrian,
        k=K,
        peer="aijack",
        give=lambda folder: give(table, folder),
        judge=lambda folder: loss(table, of_folder(table, folder)),
    )
    bench.compare(
        f"Mondrian, k = {K}",
        "Adult",
        [
            Call("anonnb", mondrian, k=K, rows=rows),
            Call("anonnb, cut by loss", mondrian, k=K, rows=rows, cut="loss"),
            aijack,
            Call("anonypy", anonypy, k=K, rows=rows),
        ],
    )
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
