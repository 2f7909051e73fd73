"""Itemsets and association rules, and what published supports disclose.

``itemsets`` counts with bitsets, ``mining`` has the public functions, ``counting`` compares the rules of two tables
without listing them, ``channels`` finds the supports from which a small count follows (Atzori et al. 2008),
``deductions`` finds what else follows from them, ``fitting_tables`` what holds in every table that agrees with them,
``published_itemsets`` holds what SafeItemsets publishes. Notebooks 07, 19 and 32.
"""
