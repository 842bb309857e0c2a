"""What answers score on a published dataset; reads its folder through DuckDB."""
