"""Rendering: the texts and the rows of questions, from bindings."""
