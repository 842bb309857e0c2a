-- Prices of purchases, and what sets and pools have of them.
CREATE TABLE ranked_prices AS
    SELECT pool, set_id, base_price, price, row_number() OVER (PARTITION BY set_id ORDER BY price) - 1 AS slot, count(*) OVER (PARTITION BY set_id) AS tuples
    FROM implied WHERE category = 'arithmetic';

-- A range of prices that begins at a whole ten and is so wide holds a pool, if the nth price of each set lies in the nth of its equal slots, the last of which has its end.
-- From and to which price a pool goes is not published: some range must do.
CREATE TABLE slotted_pools AS
    WITH slots AS (
        SELECT pool, tuples, slot, min(price) AS least, max(price) AS greatest FROM ranked_prices GROUP BY ALL),
    pools AS (
        SELECT pool, tuples, min(least(base_price, price)) AS least, max(greatest(base_price, price)) AS greatest FROM ranked_prices GROUP BY ALL),
    bounded AS (
        SELECT p.pool, p.tuples, p.greatest - w.width AS least_lowest, 10 * (least(p.least * p.tuples, min(s.least * p.tuples - s.slot * w.width)) // (10 * p.tuples)) AS lowest,
            max(s.greatest * p.tuples - (s.slot + 1) * w.width) FILTER (s.slot < p.tuples - 1) AS above
        FROM pools p JOIN slots s USING (pool, tuples) JOIN (SELECT 10 * unnest(range(1, 1000)) AS width) w ON w.width >= p.greatest - p.least
        GROUP BY p.pool, p.tuples, p.least, p.greatest, w.width)
    SELECT DISTINCT pool FROM bounded WHERE lowest >= least_lowest AND lowest * tuples > above;

SELECT item_id, "group", 'price' AS name, to_json(price) AS actual, to_json(implied_price) AS expected
FROM placed WHERE "group" = 'arithmetic' AND price IS DISTINCT FROM implied_price
UNION ALL
SELECT item_id, "group", 'ratio', to_json([base_price::VARCHAR, price::VARCHAR, direction, percent::VARCHAR, factor::VARCHAR]),
    to_json('the dearer less than 3 times the cheaper: by percent below 2, by a factor from 2, lower or higher')
FROM (SELECT *, least(base_price, price) AS cheaper, greatest(base_price, price) AS dearer FROM placed WHERE "group" = 'arithmetic')
WHERE NOT coalesce(cheaper > 0 AND cheaper < dearer AND dearer < 3 * cheaper AND direction = CASE WHEN price < base_price THEN 'lower' ELSE 'higher' END
    AND CASE WHEN dearer < 2 * cheaper THEN percent > 0 AND factor IS NULL ELSE percent IS NULL AND factor >= 2 END, false)
UNION ALL
SELECT item_id, "group", 'tens', to_json([base_price, price]), to_json('whole tens of dollars')
FROM placed WHERE "group" = 'arithmetic' AND NOT coalesce(base_price % 10 = 0 AND price % 10 = 0, false)
UNION ALL
SELECT p.item_id, p."group", 'slots', to_json(p.price), to_json('one price of a set in each of equal slots')
FROM placed p ANTI JOIN slotted_pools s USING (pool) WHERE p."group" = 'arithmetic'
UNION ALL
SELECT p.item_id, p."group", 'directions', to_json(d.lower || ' of ' || d.tuples || ' lower'), to_json('a third of a set at least, and no more than two')
FROM placed p JOIN (
    SELECT set_id, count(*) FILTER (direction = 'lower') AS lower, count(*) AS tuples FROM implied WHERE category = 'arithmetic' GROUP BY set_id) d USING (set_id)
WHERE NOT (3 * d.lower >= d.tuples AND 3 * (d.tuples - d.lower) >= d.tuples)
UNION ALL
SELECT item_id, "group", 'models', to_json([model, other_model]), to_json('two years from 2013 to 2024, none after the post, the later of the dearer')
FROM placed WHERE "group" = 'arithmetic' AND style = 'multi' AND NOT coalesce(least(model, other_model) >= 2013 AND greatest(model, other_model) <= 2024
    AND (greatest(model, other_model) <= year(message_date) OR year(message_date) < 2014)
    AND model <> other_model AND (model > other_model) = (price > base_price), false);
