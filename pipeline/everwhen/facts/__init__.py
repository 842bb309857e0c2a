"""Facts: wire formats to typed tables."""
