"""What is accepted as an answer, beside the label that a row has."""

from everwhen.tables.accepted_answers import describe_accepted_answers

ACCEPTED_ANSWERS = describe_accepted_answers(
    "complextempqa",
    answer="an item id such as Q30, whose number is in `answer_entity`",
    scope="of a description its form, in questions whose `descriptions` have entity and form as `key`; else null",
    kinds="alias or description",
)
