"""Republication: a table that changes is published again and again (Xiao and Tao 2007).

``m_invariance`` is the method and what it knows of earlier releases; ``buckets`` divides rows by signature, balances
them with newcomers and counterfeits, deals the others, and cuts balanced buckets into groups of similar rows.
Notebook 27.
"""
