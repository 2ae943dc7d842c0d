"""What code may do with compound values: a class for each shape, in terms of the cells that it is made of.

Each is the counterpart of a module of the same name in `asset.model`, which does the same in CPython.
"""

from asset.frontends.python.shapes.arrays import Arrays
from asset.frontends.python.shapes.bags import Bags
from asset.frontends.python.shapes.bounded_sets import BoundedSets
from asset.frontends.python.shapes.dicts import Dicts
from asset.frontends.python.shapes.heaps import Heaps, Refs
from asset.frontends.python.shapes.lists import Lists, Row
from asset.frontends.python.shapes.lowering import Lowering
from asset.frontends.python.shapes.maps import Maps
from asset.frontends.python.shapes.optionals import Optionals
from asset.frontends.python.shapes.plain_sets import PlainSets
from asset.frontends.python.shapes.queues import Queues
from asset.frontends.python.shapes.records import Records
from asset.frontends.python.shapes.scalars import Scalars
from asset.frontends.python.shapes.sets import Sets
from asset.frontends.python.shapes.tuples import Tuples
from asset.frontends.python.shapes.unions import Unions
from asset.ir import shapes

LOWERINGS: dict[type, type[Lowering]] = {
    shapes.ScalarShape: Scalars,
    shapes.ArrayShape: Arrays,
    shapes.TupleShape: Tuples,
    shapes.RecordShape: Records,
    shapes.SetShape: Sets,
    shapes.BagShape: Bags,
    shapes.MapShape: Maps,
    shapes.QueueShape: Queues,
    shapes.OptionalShape: Optionals,
    shapes.UnionShape: Unions,
    shapes.BoundedSetShape: BoundedSets,
    shapes.RefShape: Refs,
    shapes.HeapShape: Heaps,
}

LOCAL: dict[shapes.Collection, type[Lowering]] = {
    shapes.Collection.LIST: Lists,
    shapes.Collection.TUPLE: Row,
    shapes.Collection.SET: PlainSets,
    shapes.Collection.DICT: Dicts,
}
"""Those of local collections, by their kind."""

__all__ = ["LOCAL", "LOWERINGS", "Lowering"]
