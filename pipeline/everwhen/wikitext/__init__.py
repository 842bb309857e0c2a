"""Wikitext of year pages: markup, dates and bullets."""
