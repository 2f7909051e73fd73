"""Files: how a table gets into memory. This room reads; :mod:`anonnb.publishing` writes.

``opening`` returns the bytes of a file or of standard input, ``reading`` accepts CSV and Parquet as people send them
and says what is wrong with a file in one sentence, and ``text_table`` reads a published file as plain text. They know
DataFrames but no Table, which comes in the next room.
"""
