"""Exporters put these operations between constants and an RNN of ONNX. They are computed in numpy, within a bound of memory."""
import math

import numpy as np

# ONNX has these numbers for the types that a result may have.
_TYPES = {1: np.float32, 2: np.uint8, 3: np.int8, 4: np.uint16, 5: np.int16, 6: np.int32, 7: np.int64, 9: np.bool_,
          10: np.float16, 11: np.float64, 12: np.uint32, 13: np.uint64}


class Room:
    """Results may have so many bytes, by the file's size: one four times as many, as f32 from bytes has, and all 12 times."""
    _LEAST = 1 << 16  # for a small file

    def __init__(self, size):
        self._one, self.left = 4 * size + self._LEAST, 12 * size + self._LEAST

    def grow(self, size):
        """Makes room for one more file of so many bytes."""
        self._one += 4 * size
        self.left += 12 * size

    def take(self, shape, itemsize):
        """Takes room for a result that is about to be made."""
        size = math.prod(int(n) for n in shape) * itemsize
        self.check(size)
        if size > self.left:
            raise ValueError("all results together are too large for such a file")
        self.left -= size

    def check(self, size):
        """Checks one result, or an array that is made of all of them at the end."""
        if size > self._one:
            raise ValueError(f"a result of {size} bytes is too large for such a file")


def _of_elements(function, count):
    def compute(room, _, *arrays):
        if len(arrays) != count:  # numpy would write to a third array
            raise ValueError(f"has {len(arrays)} inputs, but must have {count}")
        room.take(np.broadcast_shapes(*(array.shape for array in arrays)), np.result_type(*arrays).itemsize)
        return function(*arrays)
    return compute


def _divide(a, b):
    if a.dtype.kind == "f":
        return a / b
    return np.abs(a) // np.abs(b) * (np.sign(a) * np.sign(b))  # the quotient is rounded towards 0


def _cast(room, attributes, array):
    kind = np.dtype(_TYPES[attributes["to"]])
    room.take(array.shape, kind.itemsize)
    return array.astype(kind)


def _concat(room, attributes, *arrays):
    room.take((sum(array.size for array in arrays),), np.result_type(*arrays).itemsize)
    return np.concatenate(arrays, attributes["axis"])


def _constant_of_shape(room, attributes, shape):
    value = np.ravel(attributes.get("value", np.zeros(1, np.float32)))
    room.take(shape, value.itemsize)
    return np.full(tuple(shape), value[0])


def _dequantize(room, attributes, array, scale, zero_point=None):
    if attributes.get("block_size"):
        raise ValueError("scales of blocks are not understood")
    room.take(array.shape, 4)

    def along(values):  # there is one for the tensor, or one for each place of an axis
        if values.size == 1:
            return values.reshape(())
        shape = [1] * array.ndim
        shape[attributes.get("axis", 1)] = -1
        return values.reshape(shape)
    result = array.astype(np.float32)
    if zero_point is not None:
        result -= along(zero_point).astype(np.float32)
    result *= along(scale)
    return result


def _dropout(_, __, array, ratio=None, is_training=None):
    if is_training is not None and np.any(is_training):
        raise ValueError("drops numbers, because the model is one for training")
    return array


def _expand(room, _, array, shape):
    shape = np.broadcast_shapes(array.shape, tuple(shape))
    room.take(shape, array.itemsize)
    return np.broadcast_to(array, shape)


def _gather(room, attributes, array, indices):
    axis = attributes.get("axis", 0)
    room.take((array.size // max(array.shape[axis], 1), indices.size), array.itemsize)
    return np.take(array, indices, axis)


def _tile(room, _, array, repeats):
    room.take((array.size, *repeats), array.itemsize)
    return np.tile(array, repeats)


def _reshape(_, attributes, array, shape):
    copies = not attributes.get("allowzero", 0)
    return array.reshape([array.shape[n] if size == 0 and copies else size for n, size in enumerate(shape)])


def _axes(attributes, axes):
    """The axes are an attribute up to opset 12, then an input."""
    found = attributes.get("axes") if axes is None else axes
    return None if found is None else tuple(int(axis) for axis in found)


def _slice(_, attributes, array, starts=None, ends=None, axes=None, steps=None):
    if starts is None:  # attributes have them up to opset 9
        starts, ends = attributes["starts"], attributes["ends"]
    places = [slice(None)] * array.ndim
    for n, axis in enumerate(_axes(attributes, axes) or range(len(starts))):
        places[axis] = slice(starts[n], ends[n], 1 if steps is None else steps[n])
    return array[tuple(places)]


def _split(_, attributes, array, sizes=None):
    axis, count = attributes.get("axis", 0), attributes["outputs"]
    sizes = attributes.get("split") if sizes is None else sizes
    if sizes is None:
        sizes = [-(-array.shape[axis] // count)] * (count - 1)
    elif len(sizes) != count or sum(sizes) != array.shape[axis]:
        raise ValueError(f"parts of {sizes} are not {count} parts of {array.shape[axis]}")
    return np.split(array, np.cumsum(sizes[:count - 1], dtype=int), axis)


def _where(room, _, condition, *arrays):
    room.take(np.broadcast_shapes(condition.shape, *(array.shape for array in arrays)), np.result_type(*arrays).itemsize)
    return np.where(condition, *arrays)


# Each operation takes (room, attributes, inputs), with None for an input that is left out, and returns its result or a list.
OPERATIONS = {
    "Add": _of_elements(np.add, 2), "Cast": _cast, "Concat": _concat, "ConstantOfShape": _constant_of_shape,
    "DequantizeLinear": _dequantize, "Div": _of_elements(_divide, 2), "Dropout": _dropout, "Equal": _of_elements(np.equal, 2), "Expand": _expand,
    "Gather": _gather, "Identity": lambda _, __, array: array, "Mul": _of_elements(np.multiply, 2),
    "Neg": _of_elements(np.negative, 1), "Reshape": _reshape,
    "Shape": lambda _, attributes, array: np.array(array.shape[attributes.get("start", 0):attributes.get("end")], np.int64),
    "Sigmoid": _of_elements(lambda array: 1 / (1 + np.exp(-array)), 1), "Slice": _slice, "Split": _split,
    "Squeeze": lambda _, attributes, array, axes=None: np.squeeze(array, _axes(attributes, axes)),
    "Sub": _of_elements(np.subtract, 2), "Tanh": _of_elements(np.tanh, 1), "Tile": _tile,
    "Transpose": lambda _, attributes, array: np.transpose(array, attributes.get("perm")),
    "Unsqueeze": lambda _, attributes, array, axes=None: np.expand_dims(array, _axes(attributes, axes)),
    "Where": _where,
}

# Not all inputs of these operations pass their numbers on. Each has those that do; the others say the shape of the result.
CARRIED = {"ConstantOfShape": slice(0), "EyeLike": slice(0), "Expand": slice(1), "RandomNormalLike": slice(0),
           "RandomUniformLike": slice(0), "Reshape": slice(1), "Shape": slice(0), "Size": slice(0), "Slice": slice(1),
           "Split": slice(1), "Squeeze": slice(1), "Tile": slice(1), "Unsqueeze": slice(1), "Where": slice(1, 3)}

# These operations make zeros of zeros, whatever the shape.
KEEP_ZEROS = {"Abs", "Add", "Cast", "Concat", "Expand", "Identity", "Mul", "Neg", "Relu", "Reshape", "Slice", "Split", "Sqrt",
              "Squeeze", "Sub", "Tanh", "Tile", "Transpose", "Unsqueeze", "Where"}


def compute(room, operation, attributes, arrays):
    """Returns the results of a node. Raises ValueError with a reason."""
    if operation not in OPERATIONS:
        raise ValueError(f"is computed by {operation}, which from_onnx does not know")
    try:
        with np.errstate(all="ignore"):
            left, results = room.left, OPERATIONS[operation](room, attributes, *arrays)
        results = results if isinstance(results, list) else [results]
        if room.left == left and not np.may_share_memory(results[0], arrays[0]):
            room.take(results[0].shape, results[0].itemsize)  # the result is a copy, no larger than its source
    except Exception as error:  # of any class: the file chooses what the node does
        raise ValueError(f"is computed by {operation}, which cannot be done ({error})") from error
    return results
