"""Rows of any size for the nine domains of TDBench, with the truth about them."""
