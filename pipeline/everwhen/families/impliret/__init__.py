"""IMPLIRET: retrieval of facts that documents only imply (Taghavi et al. 2025, arXiv:2506.14407)."""
