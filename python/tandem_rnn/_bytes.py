"""The numbers of a layer become bytes here, and a stack is executed in them (docs/numerics.md).

weights_layer and weights_iter share a scale for each gate and unit, as the specification has it. Neither shall be small beside
the other: x is divided by powers of two, `factor`, by which weights_layer is multiplied. No product changes.
"""
from typing import NamedTuple

import numpy as np

from . import _abi as abi
from . import _plan
from . import _run
from . import _schema as s

# Nothing overflows in float32 with factors from 2^-100 to 2^100. Scales above 2^100 have other numerics.
_EXPONENT, LEAST = 100, 2.0**-90


class Coding(NamedTuple):
    """A coding says which numbers the bytes of a layer stand for."""
    factor: np.ndarray  # slc: powers of two
    scales: np.ndarray  # gates, dhc: the scales of weights_layer, times factor, and of weights_iter
    projection_scales: np.ndarray  # dic, or none
    data: np.ndarray  # scale and shift of u8 data, byte = scale * (value + shift); none for float32 data

    def to_bytes(self, values, target):
        """Writes the u8 data of x."""
        scale, shift = self.data
        # A NaN becomes 0, as in the library, by fmax. Values beyond a row's length may be anything, and give no warning.
        with np.errstate(invalid="ignore", over="ignore"):
            target[...] = np.minimum(np.fmax(np.rint(scale * (values / self.factor + shift)), 0), 255)

    def to_numbers(self, weights):
        """Returns the weights that bytes stand for."""
        result = dict(weights)
        with np.errstate(over="ignore"):
            result["weights_layer"] = weights["weights_layer"] / self.scales / self.factor[:, None, None]
            result["weights_iter"] = weights["weights_iter"] / self.scales
            if self.projection_scales.size:
                result["weights_projection"] = weights["weights_projection"] / self.projection_scales
        return result


def saved_coding(tensors, number, weights, has_data):
    """Returns the coding in the tensors of a file that Weights.saved() filled; weights: those of the layer."""
    _, _, slc, gates, dhc = weights["weights_layer"].shape
    shapes = {"factor": (slc,), "scales": (gates, dhc)}
    if "weights_projection" in weights:
        shapes["projection_scales"] = weights["weights_projection"].shape[3:]
    if has_data:
        shapes["data"] = (2,)
    found = dict.fromkeys(Coding._fields, np.empty(0, np.float32))
    for name, shape in shapes.items():
        if f"{number}.{name}" not in tensors:
            raise ValueError(f"layer {number} has no {name}")
        array = found[name] = np.float32(tensors[f"{number}.{name}"])
        if array.shape != shape:
            raise ValueError(f"layer {number}: {name} has shape {array.shape}, but must have {shape}")
        if not np.isfinite(array).all() or (array[:1] if name == "data" else array).min() <= 0:
            raise ValueError(f"layer {number}: {name} has a number that is not above 0 and finite")
    for name in s.WEIGHTS:
        if name in weights and weights[name].dtype != np.int8:
            raise ValueError(f"layer {number}: {name} is {weights[name].dtype}, but must be int8")
    return Coding(**found)


def _largest(array):
    """Returns the largest weight of each column, over layers, directions and inputs."""
    return abs(array).max(axis=(0, 1, 2))


def _to_127(largest):
    return np.float32(127 / np.where(largest > 0, np.maximum(largest, LEAST), 127))


def coding(arrays, factor, data=()):
    """Returns the coding of a layer's weights, with a factor for all channels of x or for each, and of its data."""
    factor = np.broadcast_to(np.asarray(factor, np.float32), arrays["weights_layer"].shape[2])
    largest = np.maximum(_largest(arrays["weights_layer"] * factor[:, None, None]), _largest(arrays["weights_iter"]))
    projection = _to_127(_largest(arrays["weights_projection"])) if "weights_projection" in arrays else np.empty(0, np.float32)
    return Coding(factor, _to_127(largest), projection, np.asarray(data, np.float32))


def power_of_two(values, rounding=np.rint):
    """Returns the power of two that is next to each; 1 for 0."""
    values = np.asarray(values, np.float64)
    exponents = rounding(np.log2(np.where(values > 0, values, 1)))
    return np.float32(np.exp2(np.clip(exponents, -_EXPONENT, _EXPONENT)))


def balancing_rows(arrays):
    """Returns a factor for each channel of x: rows of weights_layer come between half the median and its double."""
    rows = abs(arrays["weights_layer"]).max(axis=(0, 1, 3, 4))
    there = rows > 0
    return 1 / power_of_two(rows / np.median(rows[there]), np.trunc) if there.any() else np.ones(len(rows), np.float32)


def balancing_factor(arrays):
    """Returns a factor for each channel of x: rows of weights_layer become about equally large, columns as weights_iter's."""
    factor = balancing_rows(arrays)
    ours, others = _largest(arrays["weights_layer"] * factor[:, None, None]), _largest(arrays["weights_iter"])
    there = (ours > 0) & (others > 0)
    if not there.any():
        return factor
    # A common scale makes the steps of the smaller one coarser, by the ratio of both. The sum of the squares is to be least.
    ratios = np.log2(ours[there].astype(np.float64) / others[there])
    shifts = np.arange(np.floor(-ratios.max()), np.ceil(-ratios.min()) + 1)
    losses = [(4.0**abs(ratios + shift)).sum() for shift in shifts]
    return power_of_two(factor * np.exp2(shifts[int(np.argmin(losses))]))


class Weights(_plan.Weights):
    """These are a layer's weights for inference in 8 bits. is_dynamic: float32 data becomes bytes by the range of each row."""

    def __init__(self, layer, arrays, found, is_dynamic=False):
        self.coding, self._is_dynamic = found, is_dynamic
        self.data_type = s.U8 if found.data.size else s.F32
        super().__init__(layer, {**arrays, "weights_layer": arrays["weights_layer"] * found.factor[:, None, None]})

    def plan(self, layer, use):
        return _plan.Plan(layer, use, quantized=self)

    def quantize(self, attributes):
        """Tells the attributes how 8 bits stand for numbers."""
        # _ranges has measured a sum of directions in this reading, whatever the process has chosen.
        attributes.set("reading", s.READING_SPEC)
        if self.coding.data.size:
            attributes.set_data_qparams(*self.coding.data)
        if self._is_dynamic:
            attributes.set("dynamic_quantization", 1)
        attributes.set_weights_qparams(s.QPARAMS_WEIGHTS, 1 << 3 | 1 << 4, self.coding.scales.ravel().tolist())
        if self.coding.projection_scales.size:
            attributes.set_weights_qparams(s.QPARAMS_WEIGHTS_PROJECTION, 1 << 3, self.coding.projection_scales.tolist())

    @property
    def reads_x(self):
        """Returns whether the primitive reads a layer's input as it is: floats, by factors of 1."""
        return not self.coding.data.size and bool((self.coding.factor == 1).all())

    def preparation(self, source, target):
        """Returns a call that turns a layer's input into that of its primitive, and returns 0. target: of self.data_type."""
        found = self.coding
        inverse = 1 / found.factor

        def quantize():
            found.to_bytes(source, target)
            return 0

        def divide():
            with np.errstate(over="ignore", invalid="ignore"):
                np.multiply(source, inverse, out=target)
            return 0

        return quantize if found.data.size else divide

    def saved(self):
        """Returns the tensors of a file, by name: weights as bytes, and the coding."""
        scales = {"weights_projection": self.coding.projection_scales}
        result = {name: np.int8(np.clip(np.rint(array * scales.get(name, self.coding.scales)), -128, 127)) if name in s.WEIGHTS
                  else array for name, array in self.arrays.items()}
        return {**result, **{name: array for name, array in self.coding._asdict().items() if array.size}}

    def memory(self, name, md, attributes=None):
        if name in s.WEIGHTS:
            attributes = abi.Attributes()
            self.quantize(attributes)
        return super().memory(name, md, attributes)


class Run(_run.Run):
    """This is a stack of such weights, for one number of steps and rows."""

    def __init__(self, layers, weights, use):
        self._bytes = [np.empty((use.steps, use.batch, layer.slc if own.coding.data.size else 0), np.uint8)
                       for layer, own in zip(layers, weights)]
        super().__init__(layers, weights, use)

    def _connect(self):
        super()._connect()
        self._executions = []
        for number, call in enumerate(self.calls):
            own, source, target = self.weights[number], self.outputs[number - 1] if number else self.x, self._bytes[number]
            self._executions += [] if own.reads_x else [own.preparation(source, target if target.size else source)]
            self._executions.append(call.execute)
            self._is_staged |= number == 0 and not own.reads_x

    def arrays(self, number):
        found = super().arrays(number)
        return {**found, "src_layer": self._bytes[number]} if self._bytes[number].size else found

    def bytes(self):
        return super().bytes() + sum(array.nbytes for array in self._bytes)

    def _make_plan(self, number):
        return self.weights[number].plan(self.layers[number], self.use)


def make(layers, weights, use):
    """Returns a Run for this number of steps and rows."""
    return (Run if use.steps and use.batch else _run.Nothing)(layers, weights, use)
