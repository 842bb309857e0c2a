"""How the documents of IMPLIRET are composed: a grammar, posts and dialogues around statements, and the statements."""
