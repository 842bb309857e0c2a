"""World: facts to what can be asked about."""
