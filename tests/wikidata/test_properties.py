import doctest

from everwhen.sample.dump import derive_statement_id
from everwhen.sample.world import Snak, Statement
from everwhen.wikidata import properties
from everwhen.wikidata.properties import Property


def test_a_property_is_its_number_with_its_label() -> None:
    assert doctest.testmod(properties).failed == 0


def test_a_property_and_its_number_give_one_statement_id() -> None:
    named, bare = (Statement(Snak(p, "item", "value", "Q5"), "normal", ()) for p in (Property.INSTANCE_OF, 31))
    assert derive_statement_id(1, named) == derive_statement_id(1, bare)
