"""Questions: templates bind slots, derive answers, and are rendered to text."""
