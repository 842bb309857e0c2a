{% from "macros.sql" import list_references %}
-- Requests with references and evidence.
FROM {judged}
|> SELECT number, reason, record, answer, {{ list_references() }} AS references,
    sort_array(matches.row_id) AS evidence, sql
