"""What templates/ declares: models and loaders."""
