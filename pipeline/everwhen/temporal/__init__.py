"""Time as closed intervals of days with uncertain bounds, Allen's relations between them, and dates in words."""
