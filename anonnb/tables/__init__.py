"""Tables: the one representation that everything else computes on.

An ``attribute`` has an ordered domain (``hierarchy`` and ``labels`` tell how its values generalize); a ``table`` is
codes into domains; a column of ``value_sets`` is a column of cells that may be general; a ``release`` is a table of
such columns. ``published_cells`` reads the cells of foreign releases, ``incomplete_table`` has weighted cells,
``matching`` finds who fits which published row, ``technique`` names what a release did, ``datasets`` holds the tables
that come with the package, ``learning`` what the estimators for scikit-learn share.
"""
