"""The committed results of ``make bench``, read and judged; the measuring is done by the scripts in benchmarks/.

``records`` reads the table and sums it up: ratios to peers, growth, limits. ``fits`` fits the exponents of every
method, attack, measure and inducer and holds them against ``promises.csv``; ``goals`` does so with ``targets.csv``.
"""

from anonnb.core.lazy import lazy_names

_HOME = {
    "BETTER": "records",
    "broken_promises": "fits",
    "exponents": "fits",
    "promised": "fits",
    "promises": "fits",
    "SECTIONS": "records",
    "comparisons": "records",
    "exponent": "records",
    "growth": "records",
    "limits": "records",
    "machine": "records",
    "results": "records",
    "targets": "goals",
}
__all__ = list(_HOME)

__getattr__, __dir__ = lazy_names(__name__, _HOME)
