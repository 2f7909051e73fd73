"""Files: how a table gets into memory and a result onto the disk.

``opening`` gives the bytes of a file or of standard input, ``reading`` takes CSV and Parquet as people send them and
says what is wrong with a file in one sentence; ``writing`` makes files that are either whole or not there, and
``spreadsheets`` such in which nothing is run. It knows DataFrames, no Table: that is the next room.
"""
