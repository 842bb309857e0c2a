"""English: surface forms, articles, numbers and the lint of questions."""
