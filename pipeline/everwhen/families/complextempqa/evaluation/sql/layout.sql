-- Questions in the field layout of ComplexTempQA's own release: the metadata of the paper's Appendix B under the keys of its JSON.
SELECT question_id AS id, question, answer, type, rating, [timeframe."start"::VARCHAR, timeframe."end"::VARCHAR] AS timeframe,
    question_entity, answer_entity, question_country_entity, answer_country_entity, is_unnamed::INT AS is_unnamed, hops
FROM items ORDER BY question_id
