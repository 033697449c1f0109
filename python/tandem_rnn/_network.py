"""This module has the networks of the package: stacks of one kind of cell."""
from collections.abc import Mapping

import numpy as np

from . import _arrays
from . import _gates
from . import _plan
from . import _quantized
from . import _run
from . import _saved
from . import _schema as s
from . import _stream
from . import _threads

OPTIONS = ("peephole", "dic", "activation", "alpha", "beta", "activations", "clip", "input_forget")  # some cells have these


def _check_size(name, value, least=1):
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise ValueError(f"{name}: is {value!r}, but must be {'a positive integer' if least else 'an integer, 0 or more'}")


class Network:
    """A network is a stack of layers of one cell, each with one direction or two. It is thread safe; executions leave the GIL.

    slc: channels of x. dhc: channels of a cell's state. layers: how many. direction: left2right, right2left, concat or
    sum (both directions, as docs/glossary.md has them); a layer above the first gets the whole output of the one below.
    batch_first: x, y and attention are (N, T, ...) in place of (T, N, ...). precision: in which type the weights are
    multiplied, float32, bfloat16 or float16 (whose largest number is 65504); all arrays are float32 in any case. weights: a dictionary for each layer, by
    the specification's names and with its dims (weights_layer: 1, D, slc, gates, dhc); None draws small ones.
    backend: "optimized", or "reference", which is made to be read and slow. reproducible: bfloat16 has the same bits on each
    processor with a fused multiply-add, too, and may be slower; the other types always have (docs/numerics.md).
    """

    cell = ""

    def __init__(self, slc, dhc, layers=1, *, direction="left2right", bias=True, batch_first=False,
                 precision="float32", weights=None, backend="optimized", reproducible=False, seed=0, **more):
        for name, value in (("slc", slc), ("dhc", dhc), ("layers", layers)):
            _check_size(name, value)
        for name, value, known in (("direction", direction, _plan.DIRECTIONS), ("precision", precision, _plan.PRECISIONS),
                                   ("backend", backend, ("optimized", "reference"))):
            if value not in tuple(known):
                raise ValueError(f"{name}: is {value!r}, but must be one of {', '.join(known)}")
        for name in more:
            if name not in OPTIONS:
                raise TypeError(f"{name}: is no option of {type(self).__name__}; help(tandem_rnn.{type(self).__name__}) has them")
        self._batch_first = batch_first
        self.layers = self._layers((int(slc), int(dhc), int(layers)), direction, bias, (precision, backend, bool(reproducible)), **more)
        self._slc, self._plans, self._idle = int(slc), _plan.Plans(), _run.Idle()
        self._is_special = batch_first or self.cell.endswith("augru")
        self._first_state = None
        if weights is None:
            random = np.random.default_rng(seed)
            size = dhc**-0.5
            weights = [{name: random.uniform(-size, size, layer.shape(name)) for name in layer.weights}
                       for layer in self.layers]
        self.set_weights(weights)
        _threads.keepers.add(self)

    def _layers(self, sizes, direction, bias, how, peephole=False, dic=None, activation="tanh", alpha=0.0,
                beta=0.0, **gates):
        slc, dhc, count = sizes
        for name, is_given, cell in (("peephole", peephole, "lstm"), ("dic", dic is not None, "lstm"),
                                     ("activation", activation != "tanh", "vanilla_rnn"),
                                     ("alpha", alpha != 0, "vanilla_rnn"), ("beta", beta != 0, "vanilla_rnn")):
            if is_given and self.cell != cell:
                raise ValueError(f"{name}: is given, but {self.cell} has no such option, only {cell}")
        if dic is not None:
            _check_size("dic", dic)
        for name, value in (("alpha", alpha), ("beta", beta)):
            if not isinstance(value, (int, float, np.integer, np.floating)):
                raise TypeError(f"{name}: is {value!r}, but must be a number")
        gates = _gates.make(self.cell, **gates)
        names = ["weights_layer", "weights_iter"] + ["weights_peephole"] * peephole
        names += ["weights_projection"] * (dic is not None) + ["bias"] * bool(bias)
        result = []
        for _ in range(count):
            result.append(_plan.Layer(self.cell, direction, activation, float(alpha), float(beta), slc, dhc, dic or dhc, tuple(names),
                                      *how, gates))
            slc = result[-1].dlc
        return tuple(result)

    @property
    def batch_first(self):
        return self._batch_first

    @property
    def first_state(self):
        """A call without a state begins one row with this one, which a model may have learned. None stands for zeros."""
        return self._first_state

    @first_state.setter
    def first_state(self, state):
        self._first_state = None
        if state is not None:
            found, is_lstm = self.zero_state(1), self.cell == "lstm"
            if is_lstm and (not isinstance(state, (tuple, list)) or len(state) != 2):
                raise _arrays.no_pair(state, "first_state")
            for target, given in zip(found, state) if is_lstm else ((found, state),):
                _arrays.fill(target, given, "first_state")
            self._first_state = found
        self._is_special = state is not None or self.batch_first or self.cell.endswith("augru")
        self._now = self._now[0], {}, {}, []  # later weights begin with zeros

    def _state(self, state, x):
        """Returns the state of a call for x (T, N, channels): the given one, or the first one."""
        return self.initial_state(x.shape[1]) if state is None and self._first_state is not None else state

    def __repr__(self):
        first = self.layers[0]
        return f"{type(self).__name__}(slc={first.slc}, dhc={first.dhc}, layers={len(self.layers)}, direction={first.direction!r})"

    @property
    def weights(self):
        """This has a dictionary of read-only float32 arrays for each layer; set_weights() changes them."""
        return [dict(weights.arrays) for weights in self._now[0]]

    def set_weights(self, weights):
        """Copies other weights of the same shapes: a dictionary for each layer."""
        if not isinstance(weights, (list, tuple)) or not all(isinstance(part, Mapping) for part in weights):
            raise TypeError("weights: are not a list with a dictionary for each layer")
        if len(weights) != len(self.layers):
            raise ValueError(f"weights: are those of {len(weights)} layers, but the network has {len(self.layers)}")
        for number, (layer, given) in enumerate(zip(self.layers, weights)):
            if set(given) != set(layer.weights):
                raise ValueError(f"weights of layer {number}: are {', '.join(sorted(map(str, given)))}, but must be "
                                 f"{', '.join(layer.weights)}")
        self._take_weights(tuple(_plan.Weights(layer, given) for layer, given in zip(self.layers, weights)))

    def _take_weights(self, weights):
        """Takes weights, a _plan.Weights for each layer."""
        # These are the weights; runs of them that wait, by their shape; runs of small arrays also by the shape of x, where a call
        # asks no more questions; and the stack that streams share, once there is one. It is one tuple: a call that has it never
        # mixes runs of other weights in.
        self._now = weights, {}, {}, []

    def __call__(self, x, state=None, lengths=None, out=None, attention=None):
        """Returns y and state: the outputs of all steps, and the states after the last one.

        x: (T, N, slc), float32; y: (T, N, D dic for concat, else dic), in `out` if that is given, which may
        overlap with x. A state is h, and (h, c)
        for LSTM: h (layers D, N, dic), c (layers D, N, dhc), the direction fastest; None stands for first_state. lengths: (N,)
        integers, how many steps each row has; outputs of later ones are 0, and the states are those after the row's last
        step. attention: (T, N, 1), for AUGRU only. Arrays are numpy's or anything with DLPack, in any layout.
        """
        if x.__class__ is np.ndarray and x.dtype is _arrays.FLOAT32 and lengths is None and out is None and attention is None:
            runs = self._now[2].get(x.shape)
            if runs:
                try:
                    run = runs.pop()
                except IndexError:  # another thread took it
                    return self._call(x, state, lengths, out, attention)
                result = run.step(x, state)
                runs.append(run)
                return result
        return self._call(x, state, lengths, out, attention)

    def _call(self, x, state, lengths, out, attention):
        x, attention = self._inputs(x, attention)
        if out is not None:
            out = self._output(out, x)
        weights, pools, small, _ = self._now
        key = (x.shape[0], x.shape[1], lengths is not None)
        runs = pools.get(key)
        if runs is None:
            if sum(run.bytes() for kept in list(pools.values()) for run in kept) > _plan.KEPT_BYTES:
                pools.clear()
                small.clear()
            runs = pools.setdefault(key, [])
        try:
            run = runs.pop()
        except IndexError:
            run = self._run(key, training=False, weights=weights)
        run.load(x, self._state(state, x), lengths, attention)
        y = run.execute(out)
        state = run.state()
        runs.append(run)
        if run.is_small and lengths is None and not self._is_special:
            small[x.shape] = runs
        return (y.transpose(1, 0, 2) if self.batch_first else y), state

    def record(self, x, state=None, lengths=None, attention=None):
        """Computes as a call, for training: returns a Tape with y and state, which goes backward. Shapes: help(net.__call__)"""
        x, attention = self._inputs(x, attention)
        return self._record(_arrays.dense(x).copy(), state, lengths, attention)

    def _record(self, x, state=None, lengths=None, attention=None):
        """Does record() with an array that nobody else writes, because backward reads it: dense, (T, N, slc)."""
        key, idle = (x.shape[0], x.shape[1], lengths is not None), self._idle
        run = idle.take(key)
        if run is None:
            run = self._run(key, training=True)
        else:
            run.use_weights(self._now[0])
        run.load(x, self._state(state, x), lengths, attention)
        return Tape(self, run, x, lambda: idle.give(key, run))

    def quantize(self, samples=None, weights_only=False):
        """Returns the network in 8 bits, for inference: a Quantized, which is called as this one.

        Weights are s8, with a scale for each gate and unit. Without samples, each row of x and of the states becomes bytes by its
        own range in each step (dynamic quantization); with weights_only they stay float32. All cells have both. samples: an x, or
        a list of them, as they will come, with the largest values. With samples, x and each layer's outputs are bytes, too. Their
        ranges are those with which the samples' outputs are least wrong. Values outside are cut off. A UserWarning says where y
        of the samples departs by more than 5 %. LSTM without peephole and GRU have it.
        """
        return _quantized.Quantized(self, samples, weights_only)

    def stream(self):
        """Returns the states of one row: y = voice(x), x: (slc,) or (steps, slc). help(tandem_rnn.Stream)

        The steps have the same bits as one call of the network on all of them. The weights stay those that the network has now. A
        ValueError says that the network is not left2right.
        """
        return _stream.Stream(self)

    def stream_group(self, rows):
        """Returns states of so many rows: y = desk(x, rows) makes one step of those named. help(tandem_rnn.StreamGroup)"""
        return _stream.StreamGroup(self, rows)

    def _stack(self):
        weights, _, _, stacks = self._now
        if not stacks:
            stacks.append(_stream.Stack(self.layers, weights, self._first_state))
        return stacks[0]

    def save(self, path):
        """Writes a safetensors file that from_safetensors(path) reads, as C++ and JavaScript do (docs/saved_networks.md)."""
        _saved.write(path, self, self.weights, self._metadata())

    def _metadata(self):
        first = self.layers[0]
        return {"cell": self.cell, "direction": first.direction, "activation": first.activation, "alpha": repr(first.alpha),
                "beta": repr(first.beta), "precision": first.precision, "batch_first": repr(self.batch_first),
                **first.gates.metadata()}

    def __getstate__(self):
        """Copies and pickles have the weights, but nothing that was made of them."""
        kept = {name: value for name, value in self.__dict__.items() if name not in ("_now", "_plans", "_idle")}
        return {**kept, "weights": self.weights}

    def __setstate__(self, state):
        weights = state.pop("weights")
        self.__dict__.update(state, _plans=_plan.Plans(), _idle=_run.Idle())
        self.set_weights(weights)
        _threads.keepers.add(self)

    def _forget(self):
        """Drops objects that later calls would use again."""
        weights, _, _, stacks = self._now
        self._now, self._plans, self._idle = (weights, {}, {}, stacks), _plan.Plans(), _run.Idle()

    def zero_state(self, batch):
        """Returns a new state of zeros for so many rows."""
        _check_size("batch", batch, least=0)
        layer, rows = self.layers[0], len(self.layers) * self.layers[0].directions
        h = np.zeros((rows, batch, layer.dic), np.float32)
        return (h, np.zeros((rows, batch, layer.dhc), np.float32)) if self.cell == "lstm" else h

    def initial_state(self, batch):
        """Returns a new state for so many rows before their first step: first_state, or zeros."""
        if self._first_state is None:
            return self.zero_state(batch)
        _check_size("batch", batch, least=0)
        repeated = [part.repeat(batch, axis=1) for part in (self._first_state if self.cell == "lstm" else (self._first_state,))]
        return tuple(repeated) if self.cell == "lstm" else repeated[0]

    def implementation(self, steps=1, batch=1):
        """Returns the library's name of the implementation that executes x of this size."""
        return _plan.Plan(self.layers[0], _plan.Use(steps, batch, False, False)).implementation()

    def _run(self, key, training, weights=None):
        return _run.make(self.layers, weights or self._now[0], _plan.Use(*key, training), self._plans if training else None)

    def _turned(self, array):
        return array.transpose(1, 0, 2) if self.batch_first else array

    def _inputs(self, x, attention):
        # Shapes are compared before an array is turned: a message names the caller's layout.
        x = _arrays.checked(x, "x", (None, None, self._slc))
        if self.cell.endswith("augru"):
            if attention is None:
                raise ValueError(f"attention: an {self.cell} needs it, with shape ({x.shape[0]}, {x.shape[1]}, 1)")
            attention = self._turned(_arrays.checked(attention, "attention", (*x.shape[:2], 1)))
        elif attention is not None:
            raise ValueError(f"attention: is given, but {self.cell} has none")
        return self._turned(x), attention

    def _output(self, out, x):
        steps, batch = x.shape[:2]
        shape = (batch, steps) if self.batch_first else (steps, batch)
        return self._turned(_arrays.writable(out, "out", (*shape, self.layers[-1].dlc)))


class Tape:
    """This is an execution for training. It has y and state as a call returns them."""

    def __init__(self, net, run, x, give_back):
        """give_back() makes a small run free, which has copies of x and y."""
        self._net, self._run, self._give_back = net, run, give_back if run.is_small else None
        if not run.is_small:
            run.x = x
        y = run.execute()
        if not run.is_small:
            run.outputs[-1] = y
            y.flags.writeable = False  # backward reads it
        self.y, self.state = net._turned(y), run.state()

    def __del__(self):
        give_back = self.__dict__.get("_give_back")
        if give_back is not None:
            give_back()

    def backward(self, diff_y=None, diff_state=None):
        """Returns the gradients of a loss with the gradients diff_y and diff_state; None if it does not depend on them."""
        y = self.y
        diff_y = np.zeros_like(y) if diff_y is None else _arrays.checked(diff_y, "diff_y", y.shape)
        result = _run.backward(self._run, self._net._turned(diff_y), diff_state)
        result.x = self._net._turned(result.x)
        if result.attention is not None:
            result.attention = self._net._turned(result.attention)
        return result


class LSTM(Network):
    """This is LSTM; peephole: with weights_peephole; dic: channels after a projection, None without one.

    y, (h, c) = LSTM(slc=80, dhc=256)(x). The gates are in the order i, f, c~, o.

    activations: the functions of the gates i, f and o, of c~, and of c in h = o * function(c), in place of
    ("logistic", "tanh", "tanh"). Each is a name of help(tandem_rnn.RNN), or a tuple of it and its numbers, such as
    ("hard_sigmoid", 0.2, 0.5). clip: pre-activations of gates are limited to [-clip, clip]; 0: they are not.
    input_forget: f is 1 - i, and its weights have no effect.
    """
    cell = "lstm"

    def __init__(self, slc, dhc, layers=1, *, peephole=False, dic=None, activations=None, clip=0.0, input_forget=False, **more):
        super().__init__(slc, dhc, layers, peephole=peephole, dic=dic, activations=activations, clip=clip,
                         input_forget=input_forget, **more)


class GRU(Network):
    """This is GRU, whose reset gate comes before the linear layer. Its gates are u, r, o. y, h = GRU(slc=80, dhc=256)(x).

    activations: the functions of u and r, and of o, in place of ("logistic", "tanh"). help(tandem_rnn.LSTM) has their form, and clip.
    """
    cell = "gru"

    def __init__(self, slc, dhc, layers=1, *, activations=None, clip=0.0, **more):
        super().__init__(slc, dhc, layers, activations=activations, clip=clip, **more)


class LBRGRU(Network):
    """GRU with the linear layer before the reset gate is PyTorch's, and Keras's with reset_after. Its bias has u, r, o, u'.

    activations and clip are those of GRU.
    """
    cell = "lbr_gru"

    def __init__(self, slc, dhc, layers=1, *, activations=None, clip=0.0, **more):
        super().__init__(slc, dhc, layers, activations=activations, clip=clip, **more)


class RNN(Network):
    """This is the vanilla RNN. It has one of these activations of x:

    tanh, logistic, relu (alpha is the slope below 0), thresholded_relu (x above alpha, else 0), hard_sigmoid
    (alpha x + beta, limited to 0 and 1), softsign (x / (1 + |x|)), softplus (log(1 + e^x)), elu (alpha (e^x - 1) below 0),
    affine (alpha x + beta), scaled_tanh (alpha tanh(beta x)). clip: x is limited to [-clip, clip] before it; 0: it is not.
    """
    cell = "vanilla_rnn"

    def __init__(self, slc, dhc, layers=1, *, activation="tanh", alpha=0.0, beta=0.0, clip=0.0, **more):
        if activation not in tuple(s.ACTIVATIONS):
            raise ValueError(f"activation: is {activation!r}, but must be one of {', '.join(s.ACTIVATIONS)}")
        super().__init__(slc, dhc, layers, activation=activation, alpha=alpha, beta=beta, clip=clip, **more)


class _WithAttention(Network):
    def __init__(self, slc, dhc, **more):
        super().__init__(slc, dhc, 1, **more)


class AUGRU(_WithAttention):
    """This is GRU whose update gate is weighted by attention: one layer, left to right. y, h = net(x, attention=a)."""
    cell = "augru"


class LBRAUGRU(_WithAttention):
    """This is AUGRU with the linear layer before the reset gate."""
    cell = "lbr_augru"


CELLS = {kind.cell: kind for kind in (LSTM, GRU, LBRGRU, RNN, AUGRU, LBRAUGRU)}
assert set(CELLS) == set(s.CELLS)
