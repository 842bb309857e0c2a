"""Sets of tuples, drawn by hashes: what is implied, and by what."""
