-- What scores are tabulated by. `length` is that of the text, in words.
SELECT item_id, task, 'level ' || level AS level, form, CASE WHEN is_refusal THEN 'no answer' ELSE 'answer' END AS refusal,
    CASE WHEN words < 1000 THEN 'under 1,000 words' WHEN words < 4000 THEN '1,000 to 3,999 words'
        WHEN words < 16000 THEN '4,000 to 15,999 words' ELSE '16,000 words and more' END AS length
FROM items
