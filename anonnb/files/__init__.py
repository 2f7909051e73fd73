"""Files: how a table gets into memory and a result onto the disk.

``reading`` takes CSV and Parquet as people send them and says what is wrong with a file in one sentence; ``writing``
makes files that are either whole or not there. It knows DataFrames, no Table: that is the next room.
"""
