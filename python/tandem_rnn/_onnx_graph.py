"""The graphs of an ONNX model say who makes a value. Values that depend on constants alone are computed."""
import collections
import functools
import os

import numpy as np

from ._files import open_file
from ._onnx_operations import CARRIED, KEEP_ZEROS, Room, compute

_CONSTANTS = {"value": None, "value_float": np.float32, "value_floats": np.float32, "value_int": np.int64,
              "value_ints": np.int64}


class Maker:
    """The maker of a value is a node, a constant tensor, or the caller (neither)."""
    __slots__ = ("node", "tensor", "operation")

    def __init__(self, node=None, tensor=None):
        self.node, self.tensor, self.operation = node, tensor, operation_of(node) if node else ""

    @property
    def is_caller(self):
        return self.node is None and self.tensor is None


class Scope:
    """A scope has the values of a graph, and of those around it. is_fed: whether its inputs come from the caller."""

    def __init__(self, graph, outer=None, is_fed=True):
        self.graph, self.outer, self._makers = graph, outer, {}
        fed = Maker() if is_fed else None
        for value in graph.input:
            self._makers[value.name] = fed, 0
        for tensor in graph.sparse_initializer:
            self._makers[tensor.values.name] = Maker(tensor=tensor), 0
        for tensor in graph.initializer:
            self._makers[tensor.name] = Maker(tensor=tensor), 0
        for node in filter(lambda node: node.output, graph.node):
            maker = Maker(node)
            self._makers.update((name, (maker, number)) for number, name in enumerate(node.output) if name)

    def find(self, name):
        """Returns (the scope and the maker of a value, which of its results this is); the caller's if nobody makes it."""
        scope = self
        while scope is not None and name not in scope._makers:
            scope = scope.outer
        return (scope, *scope._makers[name]) if scope else (self, Maker(), 0)

    @functools.cached_property
    def uses(self):
        """Counts the readers of each value: in the graph, in those nested in it, and outside as its results."""
        found = collections.Counter(value.name for value in self.graph.output)
        for node in self.graph.node:
            if operation_of(node) not in ("Shape", "Size"):
                found.update(node.input)
            for _, nested in graphs_of(node):
                found.update(Scope(nested, self).uses)
        return found

    def size_of(self, name, axis):
        """Returns the size of an axis of a value, None if the model does not say it."""
        for value in (*self.graph.input, *self.graph.value_info):
            dims = value.type.tensor_type.shape.dim
            if value.name == name and axis < len(dims) and dims[axis].HasField("dim_value"):
                return dims[axis].dim_value
        return self.outer.size_of(name, axis) if self.outer else None


def operation_of(node):
    """Returns the node's operation, with the domain if that is not ONNX's."""
    return node.op_type if node.domain in ("", "ai.onnx") else f"{node.domain}.{node.op_type}"


def graphs_of(node):
    """Yields (attribute's name, graph) of those in a node."""
    for attribute in node.attribute:
        for graph in [attribute.g] if attribute.HasField("g") else attribute.graphs:
            yield attribute.name, graph


def _made_of(scope, maker, carried_only):
    """Yields the makers of a node's inputs, and of its graphs' outputs. carried_only: of inputs whose numbers it passes on."""
    if maker.node is None:
        return
    places = CARRIED.get(maker.operation, slice(None)) if carried_only else slice(None)
    found = [scope.find(name)[:2] for name in maker.node.input[places] if name]
    for _, graph in graphs_of(maker.node):
        inner = Scope(graph, scope, is_fed=False)
        found.extend(inner.find(value.name)[:2] for value in graph.output)
    yield from ((where, other) for where, other in found if other is not None)


def _ancestors(scope, name, carried_only, known=()):
    """Returns (scope, maker) of a value and of all that it is made of; each after its own inputs. It stops at makers in known."""
    seen, order, stack = set(), [], [(*scope.find(name)[:2], False)]
    while stack:
        scope, maker, is_left = stack.pop()
        if is_left:
            order.append((scope, maker))
        elif maker is not None and maker not in seen:
            seen.add(maker)
            stack.append((scope, maker, True))
            if maker not in known:
                stack.extend((*found, False) for found in _made_of(scope, maker, carried_only))
    return order


class Constants:
    """Computes values that depend on constants alone, for the RNN of this name. The model is `size` bytes in a folder.

    known: results by their makers, which are not computed again.
    """

    def __init__(self, name, folder, size, known=None):
        self.name, self._folder, self._room = name, folder and os.path.abspath(folder), Room(size)
        self._external, self._arrays, self._kept = set(), known or {}, 0

    def _bytes_of(self, tensor):
        """Reads a tensor that lies in another file beside the model."""
        if self._folder is None:
            raise ValueError("lies in another file; give the model's path")
        entries = {entry.key: entry.value for entry in tensor.external_data}
        place = os.path.normpath(os.path.join(self._folder, entries.get("location", "")))
        if os.path.commonpath((place, self._folder)) != self._folder:  # links in it are its owner's, as in a cache of models
            raise ValueError(f"lies in {place}, which is not in the model's folder")
        with open_file(place) as (file, whole):
            if place not in self._external:
                self._external.add(place)
                self._room.grow(whole)
            offset = int(entries.get("offset", 0))
            size = int(entries.get("length", whole - offset))
            if offset < 0 or size < 0 or offset + size > whole:
                raise ValueError(f"lies behind the end of {place}")
            self._room.take((size,), 1)
            file.seek(offset)
            return file.read(size)

    def _array_of(self, tensor):
        from onnx import TensorProto, numpy_helper
        if not isinstance(tensor, TensorProto):
            raise ValueError("is sparse, which from_onnx does not know")
        if any(size < 0 for size in tensor.dims):
            raise ValueError(f"has dims {list(tensor.dims)}")
        if tensor.data_location == TensorProto.EXTERNAL:
            tensor = TensorProto(dims=tensor.dims, data_type=tensor.data_type, raw_data=self._bytes_of(tensor))
        array = numpy_helper.to_array(tensor)
        self._room.take(array.shape, array.itemsize)
        return array

    def _attributes(self, node):
        from onnx import TensorProto, helper
        found = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
        return {name: self._array_of(value) if isinstance(value, TensorProto) else value for name, value in found.items()}

    def _compute(self, scope, maker):
        """Returns the results of a maker whose inputs are known."""
        if maker.tensor is not None:
            return [self._array_of(maker.tensor)]
        attributes = {**self._attributes(maker.node), "outputs": len(maker.node.output)}
        if maker.operation == "Constant":
            return [np.asarray(attributes[name], kind) for name, kind in _CONSTANTS.items() if name in attributes]
        arrays = []
        for name in maker.node.input:
            _, other, number = scope.find(name) if name else (None, None, 0)
            if other and other not in self._arrays:
                raise ValueError("is made of itself")
            arrays.append(self._arrays[other][number] if other else None)
        return compute(self._room, maker.operation, attributes, arrays)

    def _know(self, scope, maker):
        """Computes the results of a maker whose inputs are known, once."""
        if maker in self._arrays:
            return
        try:
            results = self._compute(scope, maker)
            if maker.node and len(results) < len(maker.node.output):
                raise ValueError(f"has {len(maker.node.output)} outputs, but {maker.operation} makes {len(results)}")
            self._arrays[maker] = results
        except OSError:
            raise
        except Exception as error:  # of any class: the file chooses what is read and computed
            what = maker.node.output[0] if maker.node else getattr(maker.tensor, "name", "a tensor")
            reason = str(error) if isinstance(error, ValueError) else f"is damaged ({type(error).__name__}: {error})"
            raise ValueError(f"{self.name}: {what} {reason}") from error

    def array(self, scope, name):
        """Returns a value as an array; None if the caller's inputs have a part in it. ValueError: it cannot be computed."""
        makers = _ancestors(scope, name, carried_only=False, known=self._arrays)
        if any(maker.is_caller for _, maker in makers):
            return None
        for where, maker in makers:
            self._know(where, maker)
        _, maker, number = scope.find(name)
        return self._arrays[maker][number]

    def check_size(self, arrays):
        """Makes sure that the weights of all networks so far, which make copies, are not larger than the file may say."""
        try:
            self._kept += sum(array.nbytes for array in arrays)
            self._room.check(self._kept)
        except ValueError as error:
            raise ValueError(f"{self.name}: {error}") from None

    def is_constant(self, scope, name):
        """Returns whether no number of the caller, and no size of its arrays, is in a value. Its shape may be the caller's."""
        return not any(maker.is_caller or maker.operation in ("Shape", "Size")
                       for _, maker in _ancestors(scope, name, carried_only=True))

    def is_zero(self, scope, name):
        """Returns whether a value without a number of the caller is 0, whatever its shape; None if there is such a number."""
        makers = _ancestors(scope, name, carried_only=True)
        if any(maker.is_caller for _, maker in makers):
            return None
        try:
            found = self.array(scope, name)
        except ValueError:
            found = None
        if found is not None:
            return not np.any(found)
        zeros = set()
        for where, maker in makers:
            if self._makes_zeros(where, maker, zeros):
                zeros.add(maker)
        return makers[-1][1] in zeros

    def _makes_zeros(self, scope, maker, zeros):
        """Returns whether a maker's results are 0, if the results of the makers in `zeros` are."""
        if maker.operation in KEEP_ZEROS:
            return all(other in zeros for _, other in _made_of(scope, maker, carried_only=True))
        try:
            if maker.operation == "ConstantOfShape":
                return not np.any(self._attributes(maker.node).get("value", 0))
            self._know(scope, maker)
        except (KeyError, ValueError):
            return False
        return not any(np.any(array) for array in self._arrays[maker])
