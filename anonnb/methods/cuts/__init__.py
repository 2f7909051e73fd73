"""Cuts: one recoding of each column, some of its values finer than others.

``k_optimize`` (Bayardo and Agrawal, ICDE 2005) searches all cuts with a bound, over the ``cell_counts`` of the table;
``specialization`` has TopDown (Fung, Wang and Yu, ICDE 2005) and BottomUp (Wang, Yu and Chakraborty, ICDM 2004), which
move a ``cut_state``. ``k_optimize_record`` and ``cut_record`` tell their steps.
Notebooks 12 and 15.
"""
