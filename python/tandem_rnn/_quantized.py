"""Inference in 8 bits (docs/numerics.md) has s8 weights and u8 data. The range of the data comes from samples (int8) or from each
row (dynamic quantization). Or it has float32 data (weights of 8 bits)."""
import threading
import warnings

import numpy as np

from . import _bytes
from . import _gates
from . import _plan
from . import _ranges
from . import _saved
from . import _stream
from . import _threads

KINDS = ("dynamic", "weights_only", "samples")

# A departure of this size is worth a warning.
_MUCH = 0.05


class Quantized:
    """net.quantize(samples) returns this: inference in 8 bits. x, y and states are float32. It is thread safe."""

    def __init__(self, net, samples=None, weights_only=False):
        if samples is not None and weights_only:
            raise ValueError("samples: are given, but weights_only leaves the numbers as they are")
        kind = "samples" if samples is not None else "weights_only" if weights_only else "dynamic"
        _check_weights(net)
        if samples is None:
            codings = [_bytes.coding(part, _bytes.balancing_factor(part)) for part in net.weights]
        else:
            samples = samples if isinstance(samples, (list, tuple)) else [samples]
            _check_cell(net)
            codings = _ranges.codings(net, samples)
        self._take(net, kind, codings)
        if samples is not None:
            self._warn(samples)

    def _take(self, net, kind, codings):
        self.net, self.layers = net, tuple(layer._replace(precision="float32") for layer in net.layers)
        self._kind, self._runs, self._lock, self._streamed = kind, {}, threading.Lock(), None
        self._weights = [_bytes.Weights(*parts, kind == "dynamic") for parts in zip(self.layers, net.weights, codings)]
        _threads.keepers.add(self)

    def _warn(self, samples):
        """Warns if bytes throughout are not enough for the samples."""
        error = size = 0.0
        for x in samples:
            y = self.net(x)[0].astype(np.float64)
            error += np.square(self(x)[0] - y).sum()
            size += np.square(y).sum()
        if error > _MUCH**2 * size:
            warnings.warn(f"quantize: in 8 bits, y of the samples departs by {100 * np.sqrt(error / size) if size else np.inf:.0f} % "
                          "(root of the mean square, of that of y); without samples, or with weights_only, more is kept",
                          stacklevel=4)

    def __call__(self, x, state=None, lengths=None, out=None, attention=None):
        """Returns y and state as the network does; see help(net.__call__)."""
        x, attention = self.net._inputs(x, attention)
        if out is not None:
            out = self.net._output(out, x)
        use = _plan.Use(x.shape[0], x.shape[1], lengths is not None, False)
        with self._lock:
            run = self._runs.pop(use, None) or self._new_run(use)
            run.load(x, self.net._state(state, x), lengths, attention)
            y, state = run.execute(out), run.state()
            self._runs[use] = run  # now it is the last one that was used
        return self.net._turned(y), state

    def _new_run(self, use):
        run = _bytes.make(self.layers, self._weights, use)
        kept = {use: run.bytes() for use, run in self._runs.items()}
        while kept and sum(kept.values()) + run.bytes() > _plan.KEPT_BYTES:
            oldest = next(iter(kept))
            del kept[oldest], self._runs[oldest]
        return run

    def save(self, path):
        """Writes a file as the network's save() does, with weights as bytes. Networks read from it have the same bits."""
        _saved.write(path, self.net, [own.saved() for own in self._weights], {**self.net._metadata(), "quantization": self._kind})

    def __getstate__(self):
        return {name: value for name, value in self.__dict__.items() if name not in ("_runs", "_lock", "_streamed")}

    def __setstate__(self, state):
        self.__dict__.update(state, _runs={}, _lock=threading.Lock(), _streamed=None)
        _threads.keepers.add(self)

    def _forget(self):
        """Drops objects that later calls would use again."""
        with self._lock:
            self._runs.clear()

    def stream(self):
        """Returns the states of one row, for one step at a time: see help(net.stream)."""
        return _stream.Stream(self)

    def stream_group(self, rows):
        """Returns the states of so many rows that come and go: see help(net.stream_group)."""
        return _stream.StreamGroup(self, rows)

    def _stack(self):
        self._streamed = self._streamed or _stream.Stack(self.layers, self._weights, self.net.first_state)
        return self._streamed

    def zero_state(self, batch):
        """Returns a new state of zeros for so many rows."""
        return self.net.zero_state(batch)

    def initial_state(self, batch):
        """Returns a new state for so many rows before their first step: the network's first_state, or zeros."""
        return self.net.initial_state(batch)

    def implementation(self, steps=1, batch=1):
        """Returns the library's name of the implementation that executes x of this size."""
        return _plan.Plan(self.layers[0], _plan.Use(steps, batch, False, False), quantized=self._weights[0]).implementation()


def _check_weights(net):
    if not all(np.isfinite(array).all() for part in net.weights for array in part.values()):
        raise ValueError("weights: have a NaN or an infinity, which no byte stands for")


def _check_cell(net):
    if net.layers[0].gates != _gates.Gates():
        raise ValueError("quantize: 8 bits throughout are for the specification's gates, but the network has activations, clip or "
                         "input_forget; leave samples out")
    has_peephole = "weights_peephole" in net.layers[0].weights
    if net.cell not in ("lstm", "gru") or has_peephole:
        raise ValueError(f"quantize: 8 bits are for LSTM without peephole and for GRU, not for {net.cell}"
                         + " with peephole" * has_peephole + ", unless samples are left out")


def read(layers, tensors, metadata, network):
    """Reads what save() wrote. layers: the bytes of each layer's weights; network: makes one of float weights."""
    kind = metadata["quantization"]
    if kind not in KINDS:
        raise ValueError(f"quantization: is {kind!r}, but must be one of {', '.join(KINDS)}")
    codings = [_bytes.saved_coding(tensors, number, part, kind == "samples") for number, part in enumerate(layers)]
    net = network([found.to_numbers(part) for found, part in zip(codings, layers)])
    _check_weights(net)
    if kind == "samples":
        _check_cell(net)
    result = Quantized.__new__(Quantized)
    result._take(net, kind, codings)
    return result
