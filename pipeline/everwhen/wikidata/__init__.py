"""The Wikibase data model: time with precision and calendar, quantity and units, snaks, entities."""
