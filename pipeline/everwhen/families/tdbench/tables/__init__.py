"""The tables of the family TDBench."""
