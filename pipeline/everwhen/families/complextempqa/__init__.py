"""ComplexTempQA: attributes, comparisons and counts of events and entities (Gruber et al.).

`template` says what can be asked, `stage` runs the steps, in this order:

| room | what happens |
|---|---|
| `bind` | relations of the world fill the slots of templates, and answers are derived |
| `screen` | what makes answers unbalanced, or what the scorer would not recognize, is not asked |
| `compare` | blocks of subjects, and the pairs and triples of each that are compared |
| `render` | the texts of questions, and their rows |
| `checks` | the SQL that proves a dataset; it shares no code with the other rooms |

`plan` forecasts what a build will ask. `evaluation` scores responses. `suites` and `tables` say what each column holds.
"""
