"""Asks a model the questions of a dataset, by any OpenAI-compatible endpoint, and keeps every answer."""
