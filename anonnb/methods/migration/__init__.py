"""Migration: rows move between groups, and the association rules of the table survive (Truong et al. 2023).

``migration`` has UM3AR and M3AR, ``exchanges`` M3AR's search (``_partners`` on large tables). ``budgets`` says how far
each rule may change, ``watch`` and ``ledger`` keep the rules' counts while rows move, ``groups`` is the partition. The
release is made by ``clustering.clusters``. Notebook 17.
"""
