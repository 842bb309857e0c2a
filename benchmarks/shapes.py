"""How many published answers the scorers recognise in each of twenty shapes, and which wrong ones they take as right.

    python benchmarks/shapes.py build/demo/dataset/demo

Scores each item of each family twice a shape: with its own answer, and with one that is wrong: another option, or the
answer of another item of its kind. Exit code 1 if an own answer is not right, or a wrong one is.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping

from everwhen.evaluate.declaration import Evaluation
from everwhen.evaluate.gold import read_gold
from everwhen.evaluate.items import Gold
from everwhen.evaluate.predictions import Prediction
from everwhen.evaluate.scorer import ScoreRequest
from everwhen.evaluate.tables import score_all
from everwhen.families import load_evaluations
from everwhen.validate.manifest import load_manifest

SHAPES = (
    *("{}", "{}.", "\n {} \n", "**{}**", "`{}`"),
    *("The answer is {}.", "Answer: {}", "**Answer:** {}", "### Final Answer\n{}", "\\boxed{{{}}}"),
    "<think>Is it 1066? No, that was Hastings.</think>\n{}",
    "<reasoning>Let me see.</reasoning>{}",
    "<|channel|>analysis<|message|>Not 1066.<|end|><|start|>assistant<|channel|>final<|message|>{}",
    *("{}<|im_end|>", "{}</s>", "{} [1]"),
    *("{}\n\nSources: [1] an encyclopedia", "{}\n\nConfidence: 95%"),
    '{{"answer": "{}"}}',
    '```json\n{{"answer": "{}"}}\n```',
)
"""How models write an answer. Lists are joined by semicolons."""
NO_ANSWER = "No answer"
"""What answers a question of which nothing is right."""
GOOD = frozenset(("right", "coarse", "correct", "partial"))
"""Outcomes and classes of right answers; that no dates are beside them is no matter here."""


def list_answers(gold: Gold) -> tuple[dict[int, str], dict[int, str]]:
    """List by item its own answer, and one that may be wrong."""
    kinds = [name for name in ("answer_type", "unit", "declaration", "asked") if name in gold.table.column_names]
    rows = gold.table.select(["item_id", "answer", "options", *kinds]).to_pylist()
    rows.sort(key=lambda row: ([str(row[name]) for name in kinds], row["item_id"]))
    own = {row["item_id"]: "; ".join(row["answer"]) or NO_ANSWER for row in rows}
    other = {}
    for row, following in zip(rows, [*rows[1:], rows[0]], strict=True):
        options = [option for option in row["options"] or () if option not in row["answer"]]
        values = [value for value in following["answer"] if value not in row["answer"]]
        other[row["item_id"]] = (options or values or [NO_ANSWER])[0]
    return own, other


def find_right(evaluation: Evaluation, gold: Gold, texts: Mapping[int, str], shape: str) -> set[int]:
    """Find the items whose response is right."""
    if '"answer"' in shape:
        texts = {item: json.dumps(text, ensure_ascii=False)[1:-1] for item, text in texts.items()}
    predictions = {item: Prediction(item, shape.format(text), None, "") for item, text in texts.items()}
    if evaluation.scorer is None:
        scored = score_all(gold, predictions, evaluation.scheme)
    else:
        scored = evaluation.scorer.score(gold, predictions, ScoreRequest())
    ids = scored.table["item_id"].to_pylist()
    return {item for item, verdict in zip(ids, scored.verdicts, strict=True) if verdict.outcome in GOOD}


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset")
    parser.add_argument("--examples", type=int, default=3, help="how many exceptions of a shape are shown")
    args = parser.parse_args()
    exceptions = 0
    for family in load_manifest(args.dataset)["families"]:
        evaluation = load_evaluations()[family]
        gold = read_gold(args.dataset, family, evaluation)
        own, other = list_answers(gold)
        plainly_right = find_right(evaluation, gold, other, "{}")
        wrong = {item: text for item, text in other.items() if item not in plainly_right}
        print(f"{family}: {len(own):,} own and {len(wrong):,} wrong answers in {len(SHAPES)} shapes")
        for shape in SHAPES:
            lost = sorted(own.keys() - find_right(evaluation, gold, own, shape))
            lucky = sorted(find_right(evaluation, gold, wrong, shape))
            print(f"  {shape!r}: {len(lost)} own ones not right, {len(lucky)} wrong ones right", flush=True)
            for item in lost[: args.examples]:
                print(f"    {item}: {own[item]!r} is not right")
            for item in lucky[: args.examples]:
                print(f"    {item}: {other[item]!r} is right, where {own[item]!r} is")
            exceptions += len(lost) + len(lucky)
    return int(exceptions > 0)


if __name__ == "__main__":
    sys.exit(main())
