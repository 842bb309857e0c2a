"""Reports on an evaluated run: for the terminal, and as one page of HTML."""
