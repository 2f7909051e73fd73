"""Decision rules by covering: MLEM2 (Grzymala-Busse), imprecise rules (Inuiguchi et al. 2019), and LERS.

``encoding`` turns a table or release into features, ``concepts`` runs the compiled search (``_search``) for one concept
after the other, ``mlem2``, ``imprecise`` and ``from_release`` decide which concepts; ``rule`` and ``rule_set`` hold the
result, ``satisfying`` finds the rows of its conditions, ``lers`` classifies with it, ``widening`` makes its conditions
imprecise. ``mlem2_record`` tells the steps of MLEM2 from the record of its search. Notebooks 04 to 06.
"""
