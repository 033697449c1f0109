"""Samples choose the ranges that u8 data stand for: those with which the samples' outputs are least wrong."""
import numpy as np

from . import _arrays
from . import _bytes
from . import _plan
from . import _run

# The search tries these places next: x divided by half as much, all values in range or half the range, and the reverse.
_MOVES = ((1, 1), (1, 0), (0, 1), (-1, 0), (0, -1), (-1, -1))
# The search goes on while a range multiplies the error's square by less than this.
_GAIN = 0.9


def codings(net, samples):
    """Returns the coding of each layer; net: its float32 network."""
    if not samples:
        raise ValueError("samples: are none, but the ranges of numbers come from them")
    found = []
    for x in samples:
        x, _ = net._inputs(x, None)
        if not x.size:
            raise ValueError(f"samples: have shape {x.shape}, without an element")
        if not np.isfinite(x).all():
            raise ValueError("samples: have a NaN or an infinity, which is in no range of bytes")
        run = net._run((x.shape[0], x.shape[1], False), training=False)
        run.load(x, None, None, None)
        y = run.execute()
        found.append([_arrays.dense(x), *run.outputs[:-1], y])
    return [_best(net, number, *([tensors[n] for tensors in found] for n in (number, number + 1)))
            for number in range(len(net.layers))]


def _best(net, number, sources, targets):
    """Returns the coding of a layer, whose inputs and float32 outputs these are."""
    layer, arrays = net.layers[number]._replace(precision="float32"), net._now[0][number].arrays
    stored = list(targets)
    if layer.direction == "sum" or "weights_projection" in layer.weights:
        stored += [_stored(net, number, array) for array in sources]
    ends = min(0.0, *(array.min() for array in stored)), max(0.0, *(array.max() for array in stored))
    rows = _bytes.balancing_rows(arrays)
    searches = [_Search((layer, arrays), sources, targets, (ends, shape)) for shape in [np.ones_like(rows), rows][:1 + (rows != 1).any()]]
    return min((search.best() for search in searches), key=lambda found: found[0])[1]


class _Search:
    """The search has a layer, its inputs in the samples, its float32 outputs, and how the factors of x's channels differ."""

    def __init__(self, part, sources, targets, bounds):
        self._layer, self._arrays = part
        self._sources, self._targets, (self._stored, self._shape) = sources, targets, bounds
        scaled = [source / self._shape for source in sources]
        self._ends = min(array.min() for array in scaled), max(array.max() for array in scaled)

    def best(self):
        """Returns the least loss and its coding. It begins with x of at most 1 and all values in range."""
        place = (0, 0)
        losses = {place: self._loss(self._at(place))}
        while True:
            for move in _MOVES:
                other = (place[0] + move[0], place[1] + move[1])
                if other[1] >= 0 and other not in losses:
                    losses[other] = self._loss(self._at(other))
            best = min(losses, key=losses.get)
            if losses[best] >= _GAIN * losses[place]:
                return losses[place], self._at(place)
            place = best

    def _at(self, place):
        halvings, cut = place
        factor = _bytes.power_of_two(max(map(abs, self._ends)), np.ceil) * np.float32(2.0**-halvings)
        low = min(self._stored[0], float(self._ends[0] / factor))
        high = max(self._stored[1], float(self._ends[1] / factor))
        limit = max(-low, high) * 2.0**-cut
        low, high = max(low, -limit), min(high, limit)
        scale = np.float32(255 / max(high - low, _bytes.LEAST))
        shift = np.float32(np.rint(-low * scale) / scale)  # 0 is a byte itself then
        return _bytes.coding(self._arrays, factor * self._shape, (scale, shift))

    def _loss(self, coding):
        """Returns the sum of the squares of the changes in the samples' outputs."""
        weights, total = [_bytes.Weights(self._layer, self._arrays, coding)], 0.0
        for source, target in zip(self._sources, self._targets):
            run = _bytes.Run([self._layer], weights, _plan.Use(*source.shape[:2], False, False))
            run.load(source, None, None, None)
            total += float(np.square(run.execute() - target, dtype=np.float64).sum())
        return total


def _stored(net, number, source):
    """Returns numbers that a layer stores in bytes besides its output: h of each direction of a sum, a projection's input."""
    layer, weights = net.layers[number], net._now[0][number]
    if layer.direction == "sum":
        layer = layer._replace(direction="concat")
    if "weights_projection" in layer.weights:
        # The identity stands beside the matrix; no step reads its outputs.
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
