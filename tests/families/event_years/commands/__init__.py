"""Commands of the family."""
