"""The tables of ComplexTempQA."""
