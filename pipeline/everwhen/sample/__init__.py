"""The embedded sample world, and the writers that render it in the sources' wire formats."""
