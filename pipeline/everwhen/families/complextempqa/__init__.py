"""ComplexTempQA: attribute, comparison and counting questions, bound from templates and rendered."""
