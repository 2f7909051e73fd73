"""Columns and cells of incomplete tables, which ``anonnb.tables.incomplete_table`` puts together.

``weighted_column`` has a column of value sets with a weight per possible value; ``cells`` says how people write and
read one weighted cell. ERID and Chase in ``anonnb.rules.incomplete`` compute on them.
"""
