"""The tables of facts and world: columns with types and meanings, one module a stage; and tables that families share."""
