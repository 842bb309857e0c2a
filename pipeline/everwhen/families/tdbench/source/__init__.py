"""The rows of declared tables, read from files, databases and our world."""
