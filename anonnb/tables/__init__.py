"""Tables: the one representation that everything else computes on.

An ``attribute`` has an ordered domain (``hierarchy`` and ``labels`` say how its values generalize); ``encoding`` makes
one of a column; a ``table`` holds codes into domains; a column of ``value_sets`` has cells that may be general; a
``release`` is a table of such columns. ``published_cells`` reads the cells of foreign releases, ``incomplete_table``
has weighted cells, ``matching`` finds which people fit which published row, ``technique`` names what a release did,
``datasets`` holds the tables that come with the package, ``learning`` what the scikit-learn estimators share.
"""
