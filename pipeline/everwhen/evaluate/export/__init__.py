"""Exports of a dataset: rows for every program, and tasks for harnesses whose answers our scorer scores."""
