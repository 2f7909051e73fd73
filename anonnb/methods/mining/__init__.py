"""Mining: itemsets and trees are published instead of a table, and no small count follows from them.

``safe_itemsets`` withholds itemsets or changes counts, ``safe_tree`` prunes a tree (``pruning``,
``spans``), hides counts in it (``suppression``) or anonymizes the table of its leaves (``leaf_tables``). What may be
published is a ``MinedItemsets`` or ``MinedTree`` of ``rules.association`` and ``trees``, where attacks find them too.
Notebooks 19, 20.
"""
