"""TDBench: questions from any table of what held from when to when, each answered by a query (Kim et al.).

`stage` runs the steps: declarations are loaded and their rows read, items are bound, their texts are written.

| room | what happens |
|---|---|
| `declaration` | the models of a declaration: its source, times, words and joins |
| `source` | declarations and records are read from files, and records become rows with days |
| `keys` | which keys of a table are ambiguous, incomplete, in conflict, or not asked |
| `bind` | rows and scopes become questions with answers |
| `texts` | items are put into words |
| `inspection` | what `everwhen tdbench check` says of a table |
| `requests` | what `everwhen tdbench answer` answers |
| `checks` | the SQL that proves a dataset; it shares no code with the other rooms |

`declarations` has the tables that everwhen brings. `evaluation` scores responses. `suites` and `tables` say what each
column holds.
"""
