-- Each row with the scopes that ask its declaration: the columns of both, key and answer. A row without a value in a
-- column that a scope names or asks for is in none.
FROM {rows}
|> JOIN {askings} USING (declaration)
|> EXTEND inline(array(struct(
    transform(key_columns, name -> try_element_at(fields, name)) AS key,
    transform(asked, name -> try_element_at(fields, name)) AS answers)))
-- Spark 4.3 would move a filter with lambdas below the join, to a side without these columns; the generator holds it.
|> WHERE forall(key, value -> value IS NOT NULL) AND forall(answers, value -> value IS NOT NULL)
|> EXTEND array_join(answers, '{{ separator }}') AS answer
|> DROP answers
