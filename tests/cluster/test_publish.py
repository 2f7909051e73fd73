"""What a release on a cluster writes: the folder appears whole or not at all, whatever happens to the workers."""

import os
import signal
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from distributed import get_worker
from hypothesis import given
from hypothesis import strategies as st

from anonnb import Table, privacy
from anonnb.cluster import ClusterError, clients, local, writing
from anonnb.methods import Mondrian
from anonnb.privacy.base import SensitiveModel
from tests.cluster.test_mondrian import ROLES, people


@pytest.fixture
def threads():
    with local(workers=2, processes=False) as client:
        yield client


@pytest.fixture(scope="module")
def processes():
    with local(workers=2, memory="1GB") as client:
        yield client


def spread(rows: int = 400, region_rows: int = 90, **options):
    frame = dd.from_pandas(people(rows), npartitions=3, sort=False)
    return Table.from_dask(frame, identifier="name", region_rows=region_rows, **ROLES, **options)


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.slow
def test_what_is_written_is_what_one_machine_publishes(threads, tmp_path):
    folder = Mondrian(5).anonymize(spread()).publish(tmp_path / "people.parquet")
    alone = Mondrian(5).anonymize(Table(people(400), identifier="name", **ROLES)).published()
    written = pd.read_parquet(folder)
    assert list(written) == list(alone) == ["age", "job", "zip", "ill", "rich"]
    assert written.groupby(["age", "job", "zip"], observed=True).size().min() >= 5
    both = [frame.astype(str).sort_values(list(frame)).reset_index(drop=True) for frame in (written, alone)]
    pd.testing.assert_frame_equal(*both)
    assert [file.name for file in tmp_path.iterdir()] == ["people.parquet"]
    assert sorted(file.name for file in folder.iterdir())[:2] == ["part-00000.parquet", "part-00001.parquet"]


def test_columns_of_single_values_keep_their_type(threads, tmp_path):
    rng = np.random.default_rng(0)
    days = pd.to_datetime("2020-01-01") + pd.to_timedelta(rng.integers(0, 3, 300), unit="D")
    frame = pd.DataFrame(
        {"n": rng.integers(0, 3, 300), "day": days, "pay": rng.integers(0, 9, 300), "t": ["a", None] * 150}
    )
    table = Table.from_dask(
        dd.from_pandas(frame, npartitions=2), quasi=["n", "day"], sensitive=["pay", "t"], region_rows=50
    )
    written = pd.read_parquet(Mondrian(2).anonymize(table).publish(tmp_path / "a.parquet"))
    assert written["n"].dtype == "int64"
    assert written["day"].dtype.kind == "M"
    assert written["pay"].dtype == "int64"
    assert written["t"].isna().sum() == 150
    assert sorted(written["pay"]) == sorted(frame["pay"])


def test_where_it_cannot_publish_is_said(threads, tmp_path):
    release = Mondrian(5).anonymize(spread(100))
    with pytest.raises(ValueError, match=r"cannot publish to 'people.csv': .* a folder \*.parquet"):
        release.publish(tmp_path / "people.csv")
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        release.publish(tmp_path / "nowhere" / "people.parquet")
    (tmp_path / "people.parquet").mkdir()
    with pytest.raises(FileExistsError, match="exists already; remove it or choose another name"):
        release.publish(tmp_path / "people.parquet")


def test_an_error_while_writing_leaves_nothing(threads, tmp_path, monkeypatch):
    release = Mondrian(5).anonymize(spread(200))
    write = writing.write

    def full_disk(part, whole, name, *rest):
        if name != "part-00000.parquet":
            raise OSError("no space left on the device")
        return write(part, whole, name, *rest)

    monkeypatch.setattr(writing, "write", full_disk)
    with pytest.raises(OSError, match="no space left"):
        release.publish(tmp_path / "people.parquet")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_half_a_file_of_a_killed_worker_is_not_published(threads, tmp_path, monkeypatch):
    release = Mondrian(5).anonymize(spread(200))
    write = writing.write

    def killed_once(part, whole, name, folder, exact):
        Path(folder, f".{name}.half.tmp").write_bytes(b"half")
        return write(part, whole, name, folder, exact)

    monkeypatch.setattr(writing, "write", killed_once)
    folder = release.publish(tmp_path / "people.parquet")
    assert sorted(files(folder)) == [f"part-{number:05d}.parquet" for number in range(len(release.parts))]


@pytest.mark.parametrize("summary", ["set", "region"])
def test_rows_are_in_the_order_of_their_content(threads, tmp_path, summary):
    """Also where a sensitive column stands between quasi-identifiers: the order is that of a release in memory."""
    frame = people(400)[["age", "ill", "zip", "rich", "job"]]
    parts = dd.from_pandas(frame, npartitions=3, sort=False)
    release = Mondrian(5, summary=summary).anonymize(Table.from_dask(parts, region_rows=90, **ROLES))
    folder = release.publish(tmp_path / "people.parquet")
    for number in range(len(release.parts)):
        part, written = release.part(number), pd.read_parquet(folder / f"part-{number:05d}.parquet")
        assert list(written) == list(frame)
        order = part.content_order(list(frame))
        expected = pd.DataFrame({name: part.columns[name].texts()[order] for name in frame})
        pd.testing.assert_frame_equal(written.astype(str), expected.astype(str))


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from([1, 2, None])), min_size=1, max_size=12))
def test_classes_are_counted_in_any_order_of_the_rows(rows):
    table = pa.table({"a": [a for a, _ in rows], "b": pa.array([b for _, b in rows], pa.int64())})
    assert writing._smallest_class(table) == min(Counter(rows).values())


COUNTED = [({"smallest": 4}, "a class has 4 rows as written"), ({"rows": 1}, "rows were written")]


@pytest.mark.parametrize(("change", "message"), COUNTED)
def test_what_was_written_is_counted_again(threads, tmp_path, monkeypatch, change, message):
    release = Mondrian(5).anonymize(spread(200))
    write = writing.write
    monkeypatch.setattr(writing, "write", lambda *arguments: write(*arguments)._replace(**change))
    with pytest.raises((ValueError, RuntimeError), match=message):
        release.publish(tmp_path / "people.parquet")
    assert list(tmp_path.iterdir()) == []


# ---- workers that die -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Deadly(SensitiveModel):
    """Satisfied by every group; but a worker that judges some kills itself, once if there is a marker to leave."""

    marker: str | None = None
    column: str | None = None

    def _judge(self, table, name, reference):
        return lambda counts: kill_this_worker(self.marker) or np.ones(len(counts.sizes), dtype=bool)


def kill_this_worker(marker: str | None) -> None:
    try:
        get_worker()
    except ValueError:  # the test itself, not a worker
        return
    if marker is not None:
        if Path(marker).exists():
            return
        Path(marker).touch()
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.slow
def test_a_worker_killed_in_the_middle_changes_nothing(processes, tmp_path):
    method = Mondrian(5, require=[Deadly(str(tmp_path / "killed"))])
    table = spread()
    release = method.anonymize(table)
    assert (tmp_path / "killed").exists()
    folder = release.publish(tmp_path / "people.parquet")
    calm = Mondrian(5).anonymize(table).publish(tmp_path / "calm.parquet")
    assert files(folder) == files(calm)


@pytest.mark.slow
def test_a_worker_killed_while_publishing_changes_nothing(processes, tmp_path):
    release = Mondrian(5).anonymize(spread())
    expected = privacy.report(release)
    pids = list(processes.run(os.getpid).values())
    os.kill(pids[0], signal.SIGKILL)  # half of the release is gone: it is computed again
    folder = release.publish(tmp_path / "people.parquet")
    assert len(pd.read_parquet(folder)) == 400
    pd.testing.assert_frame_equal(privacy.report(release), expected)
    assert [file.name for file in tmp_path.iterdir()] == ["people.parquet"]


@pytest.mark.slow
def test_the_number_of_workers_does_not_matter(tmp_path):
    contents = []
    for workers in (1, 2, 4):
        with local(workers=workers, processes=False):
            folder = Mondrian(5).anonymize(spread()).publish(tmp_path / f"{workers}.parquet")
        contents.append(files(folder))
    assert contents[0] == contents[1] == contents[2]


@pytest.mark.slow
def test_a_given_scheduler_gives_the_same_files(processes, threads, tmp_path):
    address = processes.scheduler.address
    near = Mondrian(5).anonymize(spread(scheduler=threads)).publish(tmp_path / "near.parquet")
    far = Mondrian(5).anonymize(spread(scheduler=address)).publish(tmp_path / "far.parquet")
    clients._connected.pop(address).close()  # its scheduler goes away before this Python does
    assert files(near) == files(far)


@pytest.mark.slow
def test_workers_that_die_again_and_again_end_in_a_clear_error(tmp_path):
    with dask.config.set({"distributed.scheduler.allowed-failures": 1}), local(workers=1, memory="1GB"):
        table = spread(region_rows=1000)
        with pytest.raises(
            ClusterError, match="workers died 2 times over the same task, most likely for want of memory"
        ):
            Mondrian(5, require=[Deadly()]).anonymize(table).publish(tmp_path / "people.parquet")
    assert list(tmp_path.iterdir()) == []
