"""The checks that ship with TimE: SQL that derives every answer again, and reads every text back."""
