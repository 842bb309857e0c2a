-- What each question asks for, and the entities that it names, described or by their names. Shortcuts read it.
SELECT question_id AS item_id, to_json({'property': property, 'hops': hops})::VARCHAR AS asks, property, wording,
    question_entity AS entities, answer_entity AS answer_entities,
    list_transform(descriptions, lambda d: d.entity) AS described,
    list_concat(question_country_entity, answer_country_entity) AS countries
FROM items
