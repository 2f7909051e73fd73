"""Attacks on a person's secret: what the published rows that could be theirs say about it.

``secret_attack`` is their base: every sensitive column in turn, missing values, the best constant guess. The others are
one attack each; ``assignments`` serves the deFinetti attack. Notebooks 35 to 37.
"""
