"""Screening: bindings that are not asked, because answers are unbalanced or the scorer does not recognize them."""
