"""Commands of the family IMPLIRET."""
