"""TDBench: questions from any table of what held from when to when, each answered by a query."""
