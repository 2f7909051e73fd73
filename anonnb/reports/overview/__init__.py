"""What the index of a batch shows of it as a whole, drawn from recorded tables alone.

``rivals`` draws the one picture, risk against usefulness; ``verdicts`` counts how many of the papers' results hold;
``arena`` draws every method against every attack. ``reports.index`` puts them on the page.
"""
