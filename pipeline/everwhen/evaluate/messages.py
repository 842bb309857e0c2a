"""Prompts put together as messages of a chat.

The structure is that of ComplexTempQA's Appendix D: an instruction, the question and, where there is any, the context;
in few-shot prompts examples come before the question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from everwhen.evaluate.items import GoldItem
from everwhen.evaluate.prompts import Prompts

Message = Mapping[str, str]
"""A turn of a conversation: `role` and `content`."""


def build_messages(
    prompts: Prompts,
    item: GoldItem,
    shots: Sequence[GoldItem] = (),
    context: Sequence[str] = (),
    replies: Mapping[int, str] | None = None,
) -> list[Message]:
    """Build the messages of one prompt.

    The instruction begins the first message, since some models take no message of the role system. An example is a
    question with its answer in the next message, both without context.

    `replies` has, by item, how an example is answered where the prompts declare it.
    """
    if context:
        instruction, asked = prompts.instruction_with_context, prompts.context
    else:
        instruction, asked = prompts.instruction, prompts.question
    texts = []
    for shot in shots:
        texts.append(prompts.question.format(question=prompts.write_question(shot)))
        texts.append(prompts.write_answer(shot, (replies or {}).get(shot.item_id)))
    texts.append(asked.format(question=prompts.write_question(item), context="\n".join(context)))
    texts[0] = f"{instruction}\n\n{texts[0]}"
    return [{"role": ("user", "assistant")[turn % 2], "content": text} for turn, text in enumerate(texts)]
