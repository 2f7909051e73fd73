"""Chase protection: further cells are hidden until Chase cannot bring the secret ones back (the SCIKD paper).

``chase_protection`` is the method, ``scikd`` its level-wise search of which cells to hide, ``_kernels`` the compiled
part. Notebook 22.
"""
