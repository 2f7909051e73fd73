"""What several plots share: texts, graphs in layers, names beside points and lines, and the check of a finished figure.

The modules beside this folder call these; these call only ``style``, which itself calls ``texts``. ``defects`` is for
tests and for checking whether a figure can be read.
"""
