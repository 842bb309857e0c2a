"""The rule parsers of IMPLIRET: what a text says, by regular expressions that share nothing with what writes it."""
