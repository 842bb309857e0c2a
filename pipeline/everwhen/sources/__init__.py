"""Sources: what is fetched from the network, and what lies in files already."""
