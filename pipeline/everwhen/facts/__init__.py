"""Facts: wire formats to typed tables; imports core, temporal, tables, catalog, wikidata, wikitext."""
