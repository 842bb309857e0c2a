"""Commands of the family TDBench."""
