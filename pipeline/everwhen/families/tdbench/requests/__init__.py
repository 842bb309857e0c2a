"""Requests: questions on a declared table that a file asks for, answered by the code that judges a build's."""
