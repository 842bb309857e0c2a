"""Keys of declared tables: which are ambiguous, incomplete, in conflict, or not asked."""
