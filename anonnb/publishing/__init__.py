"""Publishing: from a table that somebody brings to a file that keeps its promises, with its papers.

``own_table`` turns a file into a Table with the help of ``table_opening``, which guesses roles, and of the project file
(``project``, ``project_text``). ``release_files`` writes a release after ``verification`` has read it back as text and
recounted what is promised (``recounting``, ``two_files``). ``manifest`` records what was published, and ``documents``
writes the officer's page. Users arrive through ``release.publish``, the command line, notebook 50 and the
explorer.
"""
