"""Tables larger than memory and jobs larger than a machine, on Dask (the extra ``cluster``).

``Table.from_parquet`` and ``Table.from_dask`` give a ClusterTable: its rows stay on the workers as small codes.
Mondrian anonymizes it there, and what comes out is a ClusterRelease that publishes and measures itself.
"""

from anonnb.core.extras import needs

needs(__name__, "cluster", "dask", "distributed", "pyarrow")

from anonnb.cluster import measures, mondrian  # noqa: E402  what they register makes methods and reports take cluster tables
from anonnb.cluster.clients import ClusterError, local  # noqa: E402
from anonnb.cluster.release import ClusterRelease  # noqa: E402
from anonnb.cluster.table import ClusterTable  # noqa: E402

__all__ = ["ClusterError", "ClusterRelease", "ClusterTable", "local"]
