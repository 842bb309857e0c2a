{#- The keys to which a rejected record may belong, with the first such record, and whether it surely does. Keys and
records are joined by the values that are known, of each set of known columns by itself: no key is compared with every
record. Capitals and accents do not matter. Of our world, a record of which a value is not known belongs to no key. -#}
WITH lost AS (
    SELECT list_transform({{ columns | pick }}, lambda value: strip_accents(lower(value))) AS known,
        min({{ columns | pick }}) AS named, min(line) AS line, arg_min(reason, line) AS reason FROM rejects
    WHERE {{ "reason NOT IN ('%s')" % harmless | join("', '") if declaration.rejected == "key" else "false" }}
        {{ "AND " ~ columns | known if declaration.source.is_world }}
    GROUP BY known),
shapes AS (SELECT DISTINCT list_transform(known, lambda value: value IS NOT NULL) AS is_known FROM lost),
keys AS (SELECT {{ columns | pick }} AS key FROM rows UNION SELECT named FROM lost),
masked AS (
    SELECT key, list_transform(key, lambda value: strip_accents(lower(value))) AS reading,
        list_transform(reading, lambda value, place: CASE WHEN is_known[place] THEN value END) AS known
    FROM keys CROSS JOIN shapes WHERE list_count(key) = {{ columns | length }})
SELECT key, {{ place | literal }} || min(line) || ': ' || arg_min(reason, line) AS record, bool_or(known = reading) AS is_sure
FROM masked JOIN lost USING (known) GROUP BY key
