"""Mondrian beside its peers on Adult, its growth up to a million rows, and where its time goes."""

from __future__ import annotations

from collections.abc import Callable

from common import Bench, Call, Work, main
from tables import adult, resampled

K = 10


def mondrian(k: int, rows: int | None = None, grow: bool = False, **options) -> Work:
    """Ours, on Adult or, to see it grow, on Adult resampled."""
    from anonnb.methods import Mondrian

    table = resampled(rows) if grow else adult(rows)
    return Work(lambda: Mondrian(k, **options).anonymize(table), lambda release: loss(table, release), rows=len(table))


def local_suppression(k: int, rows: int | None = None, grow: bool = False) -> Work:
    """Cells hidden inside Mondrian's regions."""
    from anonnb.methods import LocalSuppression

    table = resampled(rows) if grow else adult(rows)
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
    return partition_work(table, lambda: Mondrian(frame, table.quasi, table.decision).partition(k))


def partition_work(table, partition: Callable) -> Work:
    """A peer's partition, measured as ours is: lists of row numbers become a release."""
    import numpy as np

    from anonnb import Release
    from anonnb.valuesets import Column

    def released(parts) -> dict:
        groups = np.full(len(table), -1)
        for number, members in enumerate(parts):
            groups[np.asarray(members)] = number
        count = int(groups.max()) + 1
        columns = {
            name: Column.of_groups(table.attributes[name], table.codes(name), groups, count) for name in table.quasi
        }
        return loss(table, Release(table, columns, np.arange(len(table))))

    return Work(partition, released, rows=len(table))


def loss(table, release) -> dict[str, float]:
    from anonnb import utility

    sizes = release.group_sizes
    return {"NCP": utility.ncp(table, release), "classes": release.n_groups, "smallest class": int(sizes.min())}


def measure(bench: Bench) -> None:
    rows = bench.size(30_162)
    bench.compare(
        f"Mondrian, k = {K}",
        "Adult",
        [
            Call("anonnb", mondrian, k=K, rows=rows),
            Call("anonnb, cut by loss", mondrian, k=K, rows=rows, cut="loss"),
            Call("anonypy", anonypy, k=K, rows=rows),
        ],
    )
    bench.scale(f"Mondrian, k = {K}", "Adult, resampled", mondrian, k=K, grow=True)
    bench.scale(f"Mondrian cut by loss, k = {K}", "Adult, resampled", mondrian, k=K, grow=True, cut="loss")
    bench.scale(f"LocalSuppression, k = {K}", "Adult, resampled", local_suppression, k=K, grow=True)
    bench.profile(f"Mondrian, k = {K}", "Adult", Call("anonnb", mondrian, k=K, rows=rows))
    bench.profile(f"Mondrian cut by loss, k = {K}", "Adult", Call("anonnb", mondrian, k=K, rows=rows, cut="loss"))
    demands(bench)


def demands(bench: Bench) -> None:
    subject = f"Mondrian, k = {K}"
    bench.demand(subject, "Adult", Call("anonnb", mondrian, k=K), s=0.1, most={"NCP": 0.050})
    by_loss = Call("anonnb", mondrian, k=K, cut="loss")
    bench.demand(f"{subject}, cut by loss", "Adult", by_loss, s=2, most={"NCP": 0.045})
    million = Call("anonnb", mondrian, k=K, rows=bench.size(1_000_000), grow=True)
    bench.demand(subject, "Adult, resampled", million, s=5, MB=2048)
    hidden = Call("anonnb", local_suppression, k=K)
    bench.demand(f"LocalSuppression, k = {K}", "Adult", hidden, s=16, most={"cells hidden": 44_118})


if __name__ == "__main__":
    main(measure, __doc__)
