"""Declared domains: what a column may hold, stated without looking at the data.

``declared`` reads what is given to ``Table(domains=…)``; attributes keep it. ``shipped`` has the domains of the tables
that come with anonnb. Differentially private methods need them: a domain read off a table discloses its values.
"""
