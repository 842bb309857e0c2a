"""What can be asked about, derived from the facts.

A parameter with the name of a table is that table; `lists` are the entity lists in use. What else a parameter must have
is said where it is taken.
"""
