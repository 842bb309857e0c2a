"""Comparisons: who is compared with whom, in which blocks, and how many pairs and triples of each are asked."""
