"""everwhen: temporal questions at Wikidata scale."""
