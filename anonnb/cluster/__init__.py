"""Tables larger than memory and jobs larger than a machine, on Dask (the extra ``cluster``).

``Table.from_parquet`` and ``Table.from_dask`` give a ClusterTable: its rows stay on the workers as small codes.
Mondrian anonymizes it there, and what comes out is a ClusterRelease that publishes and measures itself.
"""

try:
    import dask.dataframe  # noqa: F401
    import distributed  # noqa: F401
except ImportError as error:
    raise ImportError(
        f"tables on a cluster need Dask, and {error.name or 'dask'} is missing: "
        "install the extra 'cluster' (pip install -e \".[cluster]\" in the project's folder)"
    ) from error

from anonnb.cluster import measures, mondrian  # noqa: F401  what they register makes methods and reports take cluster tables
from anonnb.cluster.clients import ClusterError, local
from anonnb.cluster.release import ClusterRelease
from anonnb.cluster.table import ClusterTable

__all__ = ["ClusterError", "ClusterRelease", "ClusterTable", "local"]
