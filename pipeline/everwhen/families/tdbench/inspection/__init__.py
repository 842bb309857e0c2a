"""What declared tables are like, as `everwhen tdbench check` prints it."""
