"""Expectation suites, the independent answer check and the language lint."""
