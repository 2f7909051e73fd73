"""Files: how a table gets into memory and a result onto the disk.

``opening`` gives the bytes of a file or of standard input, ``reading`` takes CSV and Parquet as people send them and
says what is wrong with a file in one sentence; ``writing`` makes files that are either whole or absent, and
``spreadsheets`` keeps their cells from being run as formulas. It knows DataFrames but no Table: that is the next room.
"""
