"""Binding: relations of the world, and the slots and answers of all questions but comparisons."""
