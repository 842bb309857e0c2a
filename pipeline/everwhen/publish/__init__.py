"""The published dataset: layout, manifest, card and report."""
