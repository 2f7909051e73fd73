"""Chase protection: further cells are hidden until Chase cannot bring the secret ones back (the SCIKD paper).

``chase_protection`` is the method, ``hiding`` finds the cells to hide, ``scikd`` is the level-wise search for one
object, ``_kernels`` the compiled one for many. Notebook 22.
"""
