"""What several plots share: texts, graphs in layers, names beside points and lines.

The modules beside this folder call these; these call only ``style``, which itself calls ``texts``.
"""
