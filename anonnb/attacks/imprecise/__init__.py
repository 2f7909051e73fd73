"""The attacks of Inuiguchi, Ichida and Torra: some values of a person are known, and all rows that can take them meet.

``shallow`` intersects what the rows say, ``deep`` searches among them, with compiled ``_row_choices``. Notebooks 30
and 31.
"""
