"""Families of questions: each turns the world into items of its own kind and proves them."""
