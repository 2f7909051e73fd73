"""Where the work runs: a given scheduler, the client in use, or a cluster on this machine, started when it is needed.

All that follows is the same graph of tasks on any of them. Nothing listens beyond this machine unless a scheduler
elsewhere is named, and there is no dashboard.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

import dask
from dask.delayed import Delayed
from distributed import Client, KilledWorker, LocalCluster, default_client
from distributed.client import FutureCancelledError
from distributed.comm import CommClosedError
from distributed.scheduler import NoWorkerError

from anonnb.core.atomic_files import temporary_folder

FAN = 8  # results that one step of a reduction puts together

_shared = ExitStack()  # keeps the clients that were made here until Python ends
_connected: dict[str, Client] = {}
atexit.register(_shared.close)


class ClusterError(RuntimeError):
    """The cluster could not finish the work: a worker keeps dying, or the scheduler is gone.

    >>> raise ClusterError("the cluster lost its last worker")
    Traceback (most recent call last):
    ...
    anonnb.cluster.clients.ClusterError: the cluster lost its last worker
    """


@contextmanager
def local(workers: int | None = None, memory: str | int = "auto", *, processes: bool = True) -> Iterator[Client]:
    """Start a cluster on this machine for the time of a ``with`` block.

    It writes to a private temporary folder that is removed in the end, or by the next cluster if this Python is killed.

    Parameters
    ----------
    memory:
        The limit of each worker, such as ``"2GB"``; what exceeds it goes to the temporary folder.
    processes:
        False runs the workers as threads, which starts faster but shares one Python.

    Examples
    --------
    >>> with local(workers=1, processes=False) as client:
    ...     client.submit(sum, [1, 2]).result()
    3
    """
    with temporary_folder("cluster") as folder:
        # workers that are threads need no address; all the others stay on this machine
        address = {"host": "127.0.0.1"} if processes else {}
        settings = {
            "temporary-directory": os.fspath(folder),
            # a job without any worker left must end with an error instead of waiting for ever
            "distributed.scheduler.no-workers-timeout": "300s",
        }
        with (
            dask.config.set(settings),
            LocalCluster(
                n_workers=workers or os.cpu_count(),
                threads_per_worker=1,
                processes=processes,
                memory_limit=memory,
                local_directory=os.fspath(folder),
                dashboard_address="127.0.0.1:0",
                worker_dashboard_address="127.0.0.1:0",
                scheduler_kwargs={"dashboard": False},
                **address,
            ) as cluster,
            Client(cluster) as client,
        ):
            yield client


def client_of(scheduler: str | Client | None) -> Client:
    """Return the client to work with; for None the one in use or, if there is none, one of a new local cluster."""
    if isinstance(scheduler, Client):
        return scheduler
    if scheduler is not None:
        if scheduler in _connected and _connected[scheduler].status == "running":
            return _connected[scheduler]
        try:
            _connected[scheduler] = _shared.enter_context(Client(scheduler, set_as_default=False))
            return _connected[scheduler]
        except (OSError, ValueError, TypeError) as error:
            raise ClusterError(f"no scheduler answers at {scheduler!r}; give its address: 'tcp://host:8786'") from error
    try:
        return default_client()
    except ValueError:
        return _shared.enter_context(local())


@contextmanager
def explained() -> Iterator[None]:
    """Turn what Dask raises when a cluster fails into one sentence; errors of the tasks themselves pass through."""
    try:
        yield
    except KilledWorker as error:
        raise ClusterError(
            f"workers died {error.allowed_failures + 1} times over the same task, most likely for want of memory; "
            "give them more memory, or smaller regions with region_rows="
        ) from error
    except (NoWorkerError, CommClosedError, FutureCancelledError) as error:
        raise ClusterError(f"the cluster is gone or has no workers left ({error}); start it again") from error


def computed(client: Client, *wanted: Delayed) -> list:
    """Return the results of some tasks."""
    with explained():
        return client.gather(client.compute(list(wanted)))


def reduced(merge: Callable[[list], object], parts: Sequence[Delayed]) -> Delayed:
    """``merge`` applied to a few parts at a time until one is left; the order of the parts is kept."""
    parts, merging = list(parts), dask.delayed(merge, pure=False)
    while len(parts) > 1:
        parts = [merging(parts[start : start + FAN]) for start in range(0, len(parts), FAN)]
    return parts[0]
