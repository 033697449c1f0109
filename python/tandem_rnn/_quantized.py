"""Inference in 8 bits (docs/numerics.md): s8 weights and u8 data, whose range samples tell (int8) or which each row tells (dynamic
quantization), or float32 data (weights of 8 bits)."""
import threading

import numpy as np

from . import _abi as abi
from . import _arrays
from . import _plan
from . import _run
from . import _schema as s


class _Range:
    """How a layer's bytes stand for numbers: byte = scale * (value + shift), where 0 is a byte itself.

    Inputs and states have the same scale. So that a large x leaves states more than a few bytes, x is divided by a power of
    two, `factor`, by which its weights are multiplied. (A factor for each channel was tried: what is rare in samples is cut off.)
    """

    def __init__(self, low, high, factor):
        self.factor = factor
        low, high = min(float(low), 0.0), max(float(high), 0.0)
        self.scale = np.float32(255 / max(high - low, 1e-6))
        self.shift = np.float32(np.rint(-low * self.scale) / self.scale)

    def to_bytes(self, values, target):
        # A NaN becomes 0, as in the library: of a NaN and a number fmax takes the number. What lies beyond a row's length may
        # be anything, and is no reason for a warning.
        with np.errstate(invalid="ignore", over="ignore"):
            target[...] = np.minimum(np.fmax(np.rint(self.scale * (values / self.factor + self.shift)), 0), 255)


class _Weights(_plan.Weights):
    """The weights of a layer and their scales: one for each gate and unit, and for each channel of a projection."""

    data_type = s.F32

    def __init__(self, layer, arrays, dynamic=False):
        super().__init__(layer, arrays)
        self._dynamic = dynamic
        largest = np.maximum(*(abs(self.arrays[name]).max(axis=(0, 1, 2)) for name in ("weights_layer", "weights_iter")))
        self._scales = {(s.QPARAMS_WEIGHTS, 1 << 3 | 1 << 4): self._to_127(largest)}
        if "weights_projection" in self.arrays:
            largest = abs(self.arrays["weights_projection"]).max(axis=(0, 1, 2))
            self._scales[s.QPARAMS_WEIGHTS_PROJECTION, 1 << 3] = self._to_127(largest)

    @staticmethod
    def _to_127(largest):
        return (127 / np.maximum(largest, 1e-6)).ravel().tolist()

    def quantize(self, attributes):
        # _Range and what it says of a sum of directions are of this reading, whatever the process has chosen.
        attributes.set("reading", s.READING_SPEC)
        if self._dynamic:
            attributes.set("dynamic_quantization", 1)
        for (which, mask), scales in self._scales.items():
            attributes.set_weights_qparams(which, mask, scales)

    def memory(self, name, md, attributes=None):
        if name in s.WEIGHTS:
            attributes = abi.Attributes()
            self.quantize(attributes)
        return super().memory(name, md, attributes)


class _WeightsOfBytes(_Weights):
    """The same, of u8 data."""

    data_type = s.U8

    def __init__(self, layer, arrays, of_data):
        self._of_data = of_data
        super().__init__(layer, {**arrays, "weights_layer": arrays["weights_layer"] * of_data.factor})

    def quantize(self, attributes):
        attributes.set_data_qparams(self._of_data.scale, self._of_data.shift)
        super().quantize(attributes)


class _FloatRun(_run.Run):
    def _make_plan(self, number):
        return _plan.Plan(self.layers[number], self.use, quantized=self.weights[number])


class _ByteRun(_FloatRun):
    def __init__(self, layers, weights, ranges, use):
        self._bytes = [np.empty((use.steps, use.batch, layer.slc), np.uint8) for layer in layers]
        self._ranges = ranges
        super().__init__(layers, weights, use)
        self._is_staged = True

    def arrays(self, number):
        return {**super().arrays(number), "src_layer": self._bytes[number]}

    def execute(self, out=None):
        source = self.x
        for call, data, of_data, output in zip(self.calls, self._bytes, self._ranges, self.outputs):
            of_data.to_bytes(source, data)
            call()
            source = output
        if out is None:
            return source.copy()
        np.copyto(out, source)
        return out


class Quantized:
    """What net.quantize(samples) gives: inference in 8 bits. x, y and states are float32 as of the network. Thread safe."""

    def __init__(self, net, samples=None, weights_only=False):
        self.net, self.layers = net, tuple(layer._replace(precision="float32") for layer in net.layers)
        self._runs, self._lock = {}, threading.Lock()
        self._ranges = None
        if samples is None:
            self._weights = [_Weights(*parts, not weights_only) for parts in zip(self.layers, net.weights)]
        elif weights_only:
            raise ValueError("samples: are given, but weights_only leaves the numbers as they are")
        else:
            self._take_ranges(samples)

    def _take_ranges(self, samples):
        net, names = self.net, self.net.layers[0].weights
        if net.cell not in ("lstm", "gru") or "weights_peephole" in names:
            raise ValueError(f"quantize: 8 bits are for LSTM without peephole and for GRU, not for {net.cell}"
                             + " with peephole" * ("weights_peephole" in names) + ", unless samples are left out")
        self._ranges = _ranges(net, samples if isinstance(samples, (list, tuple)) else [samples])
        self._weights = [_WeightsOfBytes(*parts) for parts in zip(self.layers, net.weights, self._ranges)]

    def __call__(self, x, state=None, lengths=None, out=None, attention=None):
        """y, state: as the network returns them; see help(net.__call__)."""
        x, attention = self.net._inputs(x, attention)
        if out is not None:
            out = self.net._output(out, x)
        use = _plan.Use(x.shape[0], x.shape[1], lengths is not None, False)
        with self._lock:
            run = self._runs.pop(use, None) or self._new_run(use)
            run.load(x, state, lengths, attention)
            y, state = run.execute(out), run.state()
            self._runs[use] = run
            if len(self._runs) > 32:
                self._runs.pop(next(iter(self._runs)))
        return self.net._turned(y), state

    def __getstate__(self):
        return {name: value for name, value in self.__dict__.items() if name not in ("_runs", "_lock")}

    def __setstate__(self, state):
        self.__dict__.update(state, _runs={}, _lock=threading.Lock())

    def zero_state(self, batch):
        """A new state of zeros for so many rows."""
        return self.net.zero_state(batch)

    def _new_run(self, use):
        if self._ranges is None:
            return _FloatRun(self.layers, self._weights, use)
        return _ByteRun(self.layers, self._weights, self._ranges, use)

    def implementation(self, steps=1, batch=1):
        """What executes x of this size, as the library names it."""
        return _plan.Plan(self.layers[0], _plan.Use(steps, batch, False, False), quantized=self._weights[0]).implementation()


def _ranges(net, samples):
    """Of each layer, the range of its inputs, divided by a factor, and of its outputs in the samples."""
    if not samples:
        raise ValueError("samples: are none, but the ranges of numbers come from them")
    found = []
    for x in samples:
        x, _ = net._inputs(x, None)
        if not np.isfinite(x).all():
            raise ValueError("samples: have a NaN or an infinity, which is in no range of bytes")
        run = net._run((x.shape[0], x.shape[1], False), training=False)
        run.load(x, None, None, None)
        y = run.execute()
        found.append([_arrays.dense(x), *run.outputs[:-1], y])
    result = []
    for number in range(len(net.layers)):
        sources, targets = ([tensors[n] for tensors in found] for n in (number, number + 1))
        largest = max(abs(array).max() for array in sources)
        factor = np.float32(2.0 ** np.ceil(np.log2(max(largest, 1e-6))))
        all_values = [array / factor for array in sources] + targets
        if net.layers[number].direction == "sum" or "weights_projection" in net.layers[number].weights:
            all_values += [_stored(net, number, array) for array in sources]
        result.append(_Range(min(a.min() for a in all_values), max(a.max() for a in all_values), factor))
    return result


def _stored(net, number, source):
    """What a layer stores in bytes besides its output: h of each direction of a sum, where they may cancel, and what a projection
    reads."""
    layer, weights = net.layers[number], net._now[0][number]
    if layer.direction == "sum":
        layer = layer._replace(direction="concat")
    if "weights_projection" in layer.weights:
        # Beside the matrix the identity, whose outputs no step reads.
        more = layer._replace(dic=layer.dic + layer.dhc)
        arrays = {name: array if array.shape == more.shape(name) else np.zeros(more.shape(name), np.float32)
                  for name, array in weights.arrays.items()}
        arrays["weights_iter"][:, :, :layer.dic] = weights.arrays["weights_iter"]
        arrays["weights_projection"][..., :layer.dic] = weights.arrays["weights_projection"]
        arrays["weights_projection"][..., layer.dic:] = np.eye(layer.dhc)
        layer, weights = more, _plan.Weights(more, arrays)
    run = _run.Run([layer], [weights], _plan.Use(*source.shape[:2], False, False))
    run.load(source, None, None, None)
    return run.execute()
