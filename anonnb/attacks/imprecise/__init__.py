"""The attacks of Inuiguchi, Ichida and Torra: some values of a person are known, and the rows that fit are compared.

``shallow`` intersects what the rows say, with compiled ``_row_bits`` and ``_intersecting`` where there are many cases;
``deep`` searches among them, with compiled ``_row_choices``. Notebooks 30 and 31.
"""
