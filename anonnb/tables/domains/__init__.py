"""Domains that are declared: what a column may hold, said without looking at it.

``declared`` reads what a person gives to ``Table(domains=…)``; attributes keep it. ``shipped`` has the domains of the
tables that come with anonnb. Differentially private methods need them: a domain read off a table discloses its values.
"""
