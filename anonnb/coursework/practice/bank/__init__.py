"""The exercises, a module per notebook: ``methods_1/nb13`` holds those of notebook 13. Folders are parts of the course.

A module defines a function per exercise with ``@exercise("13.1")``; see ``practice.exercise``.
"""
