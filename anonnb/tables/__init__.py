"""Tables: the one representation that everything else computes on.

An ``attribute`` has an ordered domain; ``hierarchies`` and ``labels`` say how its values generalize, a
``declared_domain`` what it may hold. ``encoding`` makes an attribute of a column; a ``table`` holds codes into domains;
a column of ``value_sets`` has cells that may be general; a ``release`` is a table of such columns,
perhaps with ``grouped_secrets``. ``published_cells`` reads the cells of foreign releases, ``incomplete_table``
and ``weighted_column`` have weighted cells, ``matching`` finds which people fit which published row, ``technique``
names what a release did, ``datasets`` holds the tables that come with the package, ``table_estimator`` what the
scikit-learn estimators share.
"""
