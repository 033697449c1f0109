"""Executions with dropout and zoneout, of masks that the caller has drawn (docs/rnn_masks.md)."""
from typing import NamedTuple

import numpy as np

from . import _abi as abi
from . import _network
from . import _plan
from . import _run


class Masks(NamedTuple):
    """between: for each layer above the first, by what its input is multiplied, (T, N, channels), which is as fast as without; None
    stands for ones. inside: for each layer the primitive's masks by name, with its dims."""
    between: list
    inside: list

    def kind(self):
        """What a run must be made for."""
        return (bool(self.between), *self.inside[0])


class Masked(_run.Run):
    """A Run with masks."""

    def __init__(self, layers, weights, use, plans=None):
        has_between, *inside = use.masks
        sizes = use.steps, use.batch
        self._inside = [{name: np.empty(layer.shape(name, *sizes), np.float32) for name in inside} for layer in layers]
        self._between = self._inputs = None
        if has_between:
            self._between, self._inputs = ([None] + [np.empty((*sizes, layer.slc), np.float32) for layer in layers[1:]] for _ in range(2))
        super().__init__(layers, weights, use, plans)

    def load_masks(self, masks):
        for own, given in zip(self._inside, masks.inside):
            for name, array in own.items():
                array[...] = given[name]
        for number, mask in enumerate(masks.between):
            self._between[1 + number][...] = mask

    def arrays(self, number):
        result = super().arrays(number)
        result.update(self._inside[number])
        if number and self._between:
            result["src_layer"] = self._inputs[number]
        return result

    def _run_layers(self):
        for number, execute in enumerate(self._executions):
            if number and self._between:
                np.multiply(self.outputs[number - 1], self._between[number], out=self._inputs[number])
            if execute():
                abi.fail()

    def pass_on(self, number, diff):
        """Makes the gradient of a layer's input that of the output below it."""
        if number and self._between:
            np.multiply(diff, self._between[number], out=diff)


def _run_of(net, x, lengths, masks, training):
    use = _plan.Use(x.shape[0], x.shape[1], lengths is not None, training, masks.kind())
    return (Masked if use.steps and use.batch else _run.Nothing)(net.layers, net._now[0], use, net._plans if training else None)


def _load(run, net, x, state, lengths, masks):
    run.load(x, net._state(state, x), lengths, None)
    if isinstance(run, Masked):
        run.load_masks(masks)


def infer(net, x, state, lengths, masks):
    """y, state: as a call of the network. x: (T, N, slc)."""
    run = _run_of(net, x, lengths, masks, training=False)
    _load(run, net, x, state, lengths, masks)
    return run.execute(), run.state()


def record(net, x, state, lengths, masks):
    """A Tape, as net._record()."""
    key, idle = (x.shape[0], x.shape[1], lengths is not None, masks.kind()), net._idle
    run = idle.take(key)
    if run is None:
        run = _run_of(net, x, lengths, masks, training=True)
    else:
        run.use_weights(net._now[0])
    _load(run, net, x, state, lengths, masks)
    return _network.Tape(net, run, x, lambda: idle.give(key, run))
