"""The checks that ship with the questions: SQL files, and what renders the SQL of each template."""
