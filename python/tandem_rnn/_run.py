"""The buffers and calls of one execution of a stack, forward and backward."""
import numpy as np

from . import _abi as abi
from . import _arrays
from . import _plan
from . import _schema as s

# An array of at most so many bytes is copied to a buffer whose address the library knows already, which takes less time
# than telling it another address.
STAGED = 1 << 14


class Run:
    """A stack for one number of steps and rows. One thread at a time uses it. plans: those to be used again."""

    def __init__(self, layers, weights, use, plans=None):
        self.layers, self.weights, self.use, self.plans = layers, weights, use, plans
        first = layers[0]
        steps, batch = use.steps, use.batch
        states = (len(layers) * first.directions, batch)
        self.x = np.empty((steps, batch, first.slc), np.float32)
        self.h, self.h_out = (np.zeros((*states, first.dic), np.float32) for _ in range(2))
        self.c = self.c_out = None
        if first.cell == "lstm":
            self.c, self.c_out = (np.zeros((*states, first.dhc), np.float32) for _ in range(2))
        self.lengths = np.empty(batch, np.int32)
        self.attention = np.empty((steps, batch, 1), np.float32)
        self.outputs = [np.empty((steps, batch, layer.dlc), np.float32) for layer in layers]
        self._is_zero, self._is_staged, self.is_small = True, True, False
        self._connect()

    def _connect(self):
        """Makes the calls, on these buffers."""
        numbers = range(len(self.layers))
        self.forward = [self._make_plan(n) for n in numbers]
        self.calls = [_plan.call(self.forward[n], self.weights[n], self.arrays(n)) for n in numbers]
        self._source = self.calls[0].memories[s.TENSORS["src_layer"][0]]
        self._target = self.calls[-1].memories[s.TENSORS["dst_layer"][0]]
        self._executions = [call.execute for call in self.calls]
        self._y = self.outputs[-1]
        self._is_staged, self._y_is_staged = self.x.nbytes <= STAGED, self._y.nbytes <= STAGED
        self.is_small = self._is_staged and self._y_is_staged

    def arrays(self, number):
        """The tensors of a layer by name, without weights."""
        directions = self.layers[0].directions
        part = slice(number * directions, (number + 1) * directions)
        result = {"src_layer": self.outputs[number - 1] if number else self.x, "dst_layer": self.outputs[number],
                  "src_iter": self.h[part][np.newaxis], "dst_iter": self.h_out[part][np.newaxis],
                  "sequence_lengths": self.lengths, "augru_attention": self.attention}
        if self.c is not None:
            result.update(src_iter_c=self.c[part][np.newaxis], dst_iter_c=self.c_out[part][np.newaxis])
        return result

    def _make_plan(self, number):
        make = self.plans.get if self.plans is not None else _plan.Plan
        return make(self.layers[number], self.use)

    def bytes(self):
        """About how much memory it has."""
        return sum(plan.bytes for plan in self.forward) + sum(array.nbytes for array in (self.x, *self.outputs))

    def load(self, x, state, lengths, attention):
        if self._is_staged:
            self.x[...] = x
        else:
            self._source.move_to(_arrays.dense(x))
        self._fill(state)
        if lengths is not None:
            self.lengths[...] = _arrays.checked_lengths(lengths, self.use.steps, self.use.batch)
        if attention is not None:
            _arrays.fill(self.attention, attention, "attention")

    def execute(self, out=None):
        """The output, in `out` if that is given and dense."""
        if self._y_is_staged:
            self._run_layers()
            if not self._is_staged:
                self._source.array = None  # the caller's
            if out is None:
                return self.outputs[-1].copy()
            np.copyto(out, self.outputs[-1])
            return out
        y = out
        if out is None or not (out.flags.c_contiguous and out.flags.aligned):
            y = np.empty(self.outputs[-1].shape, np.float32)
        self._target.move_to(y)
        self._run_layers()
        self._source.array = self._target.array = None  # the caller's
        if out is None or out is y:
            return y
        np.copyto(out, y)
        return out

    def _run_layers(self):
        for execute in self._executions:
            if execute():
                abi.fail()

    def step(self, x, state):
        """y, and the state: load(), execute() and state() of small arrays without their questions."""
        self.x[...] = x
        if state is not None:
            self._fill(state)
        elif not self._is_zero:
            self._fill(None)
        for execute in self._executions:
            if execute():
                abi.fail()
        if self.c is None:
            return self._y.copy(), self.h_out.copy()
        return self._y.copy(), (self.h_out.copy(), self.c_out.copy())

    def _fill(self, state):
        self._is_zero = state is None
        if self.c is None:
            _arrays.fill(self.h, state, "state")
        else:
            try:
                h, c = state if state is not None else (None, None)
            except (TypeError, ValueError):
                raise _arrays.no_pair(state, "state") from None
            _arrays.fill(self.h, h, "state h")
            _arrays.fill(self.c, c, "state c")

    def state(self):
        return self.h_out.copy() if self.c is None else (self.h_out.copy(), self.c_out.copy())


class Nothing(Run):
    """Of no steps or no rows: y is empty, and states stay what they are. The library has no such tensors."""

    def _connect(self):
        self.forward, self.calls, self._executions, self._y_is_staged = [], [], [], True

    def execute(self, out=None):
        return self.outputs[-1].copy() if out is None else out

    def state(self):
        return self.h.copy() if self.c is None else (self.h.copy(), self.c.copy())


def make(layers, weights, use, plans=None):
    """A Run for this number of steps and rows."""
    return (Run if use.steps and use.batch else Nothing)(layers, weights, use, plans)


class Gradients:
    """x, attention: as the arrays of forward; state: as net's states; weights: a dictionary for each layer."""
    __slots__ = ("x", "state", "attention", "weights")

    def __init__(self, x, state, attention, weights):
        self.x, self.state, self.attention, self.weights = x, state, attention, weights


def backward(run, diff_y, diff_state):
    """The gradients of a run that was made for training and executed, with the weights that it had."""
    diff_states = [np.zeros_like(run.h_out)] + ([np.zeros_like(run.c_out)] if run.c is not None else [])
    if diff_state is not None:
        given = diff_state if run.c is not None else (diff_state,)
        if not isinstance(given, (tuple, list)) or len(given) != len(diff_states):
            raise _arrays.no_pair(diff_state, "diff_state")
        for array, value, name in zip(diff_states, given, ("diff_state h", "diff_state c")):
            _arrays.fill(array, value, name)
    if isinstance(run, Nothing):
        return Gradients(np.zeros_like(run.x), diff_states[0] if run.c is None else tuple(diff_states),
                         np.zeros_like(run.attention) if run.layers[0].cell.endswith("augru") else None,
                         [{name: np.zeros(layer.shape(name), np.float32) for name in layer.weights} for layer in run.layers])
    diff_before = [np.zeros_like(array) for array in diff_states]
    diff_attention = np.empty_like(run.attention)
    directions, result = run.layers[0].directions, []
    for number in reversed(range(len(run.layers))):
        layer, arrays = run.layers[number], run.arrays(number)
        part = slice(number * directions, (number + 1) * directions)
        diff_x = np.empty_like(arrays["src_layer"])
        gradients = {name: np.empty(layer.shape(name), np.float32) for name in layer.weights}
        arrays.update({"diff_" + name: array for name, array in gradients.items()})
        arrays.update(diff_src_layer=diff_x, diff_dst_layer=_arrays.dense(diff_y), diff_augru_attention=diff_attention)
        for name, before, after in zip(("iter", "iter_c"), diff_before, diff_states):
            arrays.update({"diff_src_" + name: before[part][np.newaxis], "diff_dst_" + name: after[part][np.newaxis]})
        workspace = run.calls[number].memories[s.ARG_WORKSPACE]
        plan = run.plans.get(layer, run.use, run.forward[number])
        _plan.call(plan, run.weights[number], arrays, workspace)()
        result.append(gradients)
        diff_y = diff_x
    attention = diff_attention if run.layers[0].cell.endswith("augru") else None
    return Gradients(diff_y, diff_before[0] if run.c is None else tuple(diff_before), attention, result[::-1])
