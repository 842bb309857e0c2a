"""Questions in words: a grammar writes them, and a reader reads their conditions back."""
