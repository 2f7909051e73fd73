"""Mondrian and full-domain search beside their peers, growth of Mondrian by loss, and where the time goes."""

from __future__ import annotations

from common import Bench, Call, Work
from peers import jobs
from tables import give, loss, of_folder, table_of

K = 10
SHARES = (0, 0.02, 0.05)  # of the rows may be suppressed


def method(name: str = "Mondrian", data: str = "Adult", rows: int | None = None, k: int = K, **options) -> Work:
    """Ours, on a shipped table or, to see it grow, on Adult with further values and combinations."""
    from anonnb import methods

    table, made = table_of(data, rows), getattr(methods, name)(k=k, **options)

    def quality(release) -> dict[str, float]:
        facts = {"proved": "proved optimal", "cost": "cells hidden"}
        return loss(table, release) | {facts[key]: release.info[key] for key in facts if key in release.info}

    return Work(lambda: made.anonymize(table), quality, rows=len(table))


def by_loss(rows: int) -> Work:
    return method(data="Adult, grown", rows=rows, cut="loss")


def peer(name: str, table, **options) -> Call:
    """A method of another library, which gets the table as a file; what it leaves there is judged as ours is."""
    judge = lambda folder: loss(table, of_folder(table, folder))  # noqa: E731
    given = {"give": lambda folder: give(table, folder), "judge": judge, "k": K, **options}
    return Call(name, getattr(jobs, name), peer=name, **given)


def measure(bench: Bench) -> None:
    rows, subject = bench.size(30_162), f"Mondrian, k = {K}"
    for data in bench.some(("Adult", "car", "gbsg2")):
        of, table = {"data": data, "rows": rows}, table_of(data, rows)
        ours = [Call("anonnb", method, **of), Call("anonnb, cut by loss", method, **of, cut="loss")]
        bench.compare(subject, data, [*ours, peer("aijack", table), peer("anonypy", table)])
    bench.scale(f"Mondrian cut by loss, k = {K}", "Adult, grown", by_loss)
    bench.profile(subject, "Adult", Call("anonnb", method, rows=rows))
    bench.profile(f"Mondrian cut by loss, k = {K}", "Adult", Call("anonnb", method, rows=rows, cut="loss"))
    bench.demand(subject, "Adult", Call("anonnb", method), s=0.1, most={"NCP": 0.050})
    cut, grown = f"{subject}, cut by loss", {"data": "Adult, grown", "rows": bench.size(1_000_000)}
    bench.demand(cut, "Adult", Call("anonnb", method, cut="loss"), s=2, most={"NCP": 0.045})
    bench.demand(subject, "Adult, grown", Call("anonnb", method, **grown), s=5, MB=2048)
    bench.demand(cut, "Adult, grown", Call("anonnb", method, cut="loss", **grown), s=4, most={"NCP": 0.0064})
    hidden = Call("anonnb", method, name="LocalSuppression")
    bench.demand(f"LocalSuppression, k = {K}", "Adult", hidden, s=16, most={"cells hidden": 44_118})
    full_domain(bench)


def full_domain(bench: Bench) -> None:
    for data in bench.some(("Adult", "car", "survey")):
        table = table_of(data, bench.size(30_162))
        for share in bench.some(SHARES):
            of = {"name": "FullDomain", "measure": "ncp", "data": data, "rows": len(table), "max_suppressed": share}
            calls = [Call("anonnb", method, **of), peer("anjana", table, share=share)]
            bench.compare(f"Full domain, k = {K}, {share:.0%} suppressed", data, calls)
    for name, options in bench.some((("FullDomain", {"measure": "ncp"}), ("Incognito", {}))):
        call = Call("anonnb", method, name=name, max_suppressed=0.02, **options)
        bench.profile(f"{name}, k = {K}, 2% suppressed", "Adult", call)
    for share in bench.some(SHARES):
        for criterion in ("discernibility", "ncp"):
            call = Call("anonnb", method, name="FullDomain", measure=criterion, max_suppressed=share)
            subject = f"FullDomain by {criterion}, {share:.0%} suppressed"
            bench.demand(subject, "Adult", call, s=5, least={"proved optimal": 1})
        for name, seconds in (("Incognito", 10), ("Samarati", 3)):
            call = Call("anonnb", method, name=name, max_suppressed=share)
            bench.demand(f"{name}, {share:.0%} suppressed", "Adult", call, s=seconds)
    subject, grown = f"LocalRecoding, k = {K}", {"data": "Adult, grown", "rows": bench.size(1_000_000)}
    bench.demand(subject, "Adult", Call("anonnb", method, name="LocalRecoding"), s=3, most={"NCP": 0.0777})
    bench.demand(subject, "Adult, grown", Call("anonnb", method, name="LocalRecoding", **grown), s=20, MB=2048)
