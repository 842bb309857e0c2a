"""Sources: fetched from the network, or read from files."""
