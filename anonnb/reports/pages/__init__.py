"""The parts of a report's page that a notebook does not have by itself.

``code`` folds the cells, ``figures`` gives every picture a number, a caption and words that stand for it, ``contents``
gives headings their addresses and lists them. ``reports.html`` puts them together.
"""
