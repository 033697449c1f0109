"""This module has the buffers and calls of one execution of a stack, forward and backward."""
import numpy as np

from . import _abi as abi
from . import _arrays
from . import _plan
from . import _schema as s

# An array of at most this many bytes is copied to a known buffer, which takes less time than telling the library its address.
STAGED = 1 << 14


class Run:
    """This is a stack for one number of steps and rows. One thread at a time uses it. plans: those to be used again."""

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
        self._is_zero, self._is_staged, self.is_small, self.backward = True, True, False, None
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

    def use_weights(self, weights):
        """Takes other weights of the same shapes."""
        if weights is self.weights:
            return
        self.weights = weights
        for calls, plans in ((self.calls, self.forward), (self.backward.calls, self.backward.plans) if self.backward else ((), ())):
            for call, plan, own in zip(calls, plans, weights):
                for name in plan.layer.weights:
                    call.bind(s.TENSORS[name][0], own.memory(name, plan.mds[name]))

    def arrays(self, number):
        """Returns the tensors of a layer by name, without weights."""
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
        """Returns about how much memory it has."""
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
        """Returns the output, in `out` if that is given and dense."""
        if self._y_is_staged:
            self._run_layers()
            if not self._is_staged:
                self._source.array = None  # the array is the caller's
            if out is None:
                return self.outputs[-1].copy()
            np.copyto(out, self.outputs[-1])
            return out
        y = out
        if out is None or not (out.flags.c_contiguous and out.flags.aligned):
            y = np.empty(self.outputs[-1].shape, np.float32)
        self._target.move_to(y)
        self._run_layers()
        self._source.array = self._target.array = None  # the arrays are the caller's
        if out is None or out is y:
            return y
        np.copyto(out, y)
        return out

    def _run_layers(self):
        for execute in self._executions:
            if execute():
                abi.fail()

    def step(self, x, state):
        """Returns y and the state. It is load(), execute() and state() of small arrays, without their questions."""
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

    def pass_on(self, number, diff):
        """What a layer's input is multiplied by multiplies its gradient, too: here nothing."""

    def state(self):
        return self.h_out.copy() if self.c is None else (self.h_out.copy(), self.c_out.copy())


class Nothing(Run):
    """This has no steps or no rows: y is empty, and states do not change. The library has no such tensors."""

    def _connect(self):
        self.forward, self.calls, self._executions, self._y_is_staged = [], [], [], True

    def execute(self, out=None):
        return self.outputs[-1].copy() if out is None else out

    def state(self):
        return self.h.copy() if self.c is None else (self.h.copy(), self.c.copy())


def make(layers, weights, use, plans=None):
    """Returns a Run for this number of steps and rows."""
    return (Run if use.steps and use.batch else Nothing)(layers, weights, use, plans)


class Gradients:
    """x, attention: arrays as forward has them; state: as net's states; weights: a dictionary for each layer."""
    __slots__ = ("x", "state", "attention", "weights")

    def __init__(self, x, state, attention, weights):
        self.x, self.state, self.attention, self.weights = x, state, attention, weights


class Idle:
    """These small runs of training wait for the next one of their shape. A new one takes 0.3 ms."""
    _MOST = 32

    def __init__(self):
        self._runs = {}

    def take(self, key):
        runs = self._runs.get(key)
        try:
            return runs.pop() if runs else None
        except IndexError:  # another thread took it
            return None

    def give(self, key, run):
        if sum(map(len, list(self._runs.values()))) >= self._MOST:
            self._runs.clear()
        self._runs.setdefault(key, []).append(run)


def _fill_diff_states(states, diff_state):
    """Fills the gradients of h, or of h and c, with the caller's; None stands for zeros."""
    given = diff_state if len(states) == 2 else (diff_state,)
    if diff_state is None:
        given = [None] * len(states)
    elif not isinstance(given, (tuple, list)) or len(given) != len(states):
        raise _arrays.no_pair(diff_state, "diff_state")
    for array, value, name in zip(states, given, ("diff_state h", "diff_state c")):
        _arrays.fill(array, value, name)


class Backward:
    """These are calls of backward of a run that was made for training, and buffers that stay. Results are new arrays each time.

    The run has it, and it does not have the run, so that both go when nobody needs them.
    """

    def __init__(self, run):
        directions = run.layers[0].directions
        self._diff_states = [np.empty_like(run.h_out)] + ([np.empty_like(run.c_out)] if run.c is not None else [])
        self._diff_before = [np.empty_like(array) for array in self._diff_states]
        self._diff_attention = np.empty_like(run.attention)
        # These are the gradients of x, of the outputs between layers, and of y.
        self._between = between = [np.empty_like(array) for array in (run.x, *run.outputs)]
        self._shapes = [{name: layer.shape(name) for name in layer.weights} for layer in run.layers]
        self.plans = [run.plans.get(layer, run.use, run.forward[number]) for number, layer in enumerate(run.layers)]
        self.calls = []
        for number, layer in enumerate(run.layers):
            arrays, part = run.arrays(number), slice(number * directions, (number + 1) * directions)
            arrays.update({"diff_" + name: np.empty(layer.shape(name), np.float32) for name in layer.weights})
            arrays.update(diff_src_layer=between[number], diff_dst_layer=between[number + 1], diff_augru_attention=self._diff_attention)
            for name, before, after in zip(("iter", "iter_c"), self._diff_before, self._diff_states):
                arrays.update({"diff_src_" + name: before[part][np.newaxis], "diff_dst_" + name: after[part][np.newaxis]})
            workspace = run.calls[number].memories[s.ARG_WORKSPACE]
            self.calls.append(_plan.call(self.plans[number], run.weights[number], arrays, workspace))

    def __call__(self, run, diff_y, diff_state):
        """Returns the gradients, with the weights that the run had."""
        moved, result = [], []
        _fill_diff_states(self._diff_states, diff_state)

        def move(number, tensor, array):
            moved.append(self.calls[number].memories[s.TENSORS[tensor][0]])
            moved[-1].move_to(array)

        move(-1, "diff_dst_layer", _arrays.dense(diff_y))
        diff_x = np.empty(run.x.shape, np.float32)
        move(0, "diff_src_layer", diff_x)
        for number, shapes in enumerate(self._shapes):
            result.append({name: np.empty(shape, np.float32) for name, shape in shapes.items()})
            for name, array in result[-1].items():
                move(number, "diff_" + name, array)
        for number in reversed(range(len(self.calls))):
            self.calls[number]()
            run.pass_on(number, self._between[number])
        for memory in moved:
            memory.array = None  # the array is the caller's
        before = [array.copy() for array in self._diff_before]
        attention = self._diff_attention.copy() if run.layers[0].cell.endswith("augru") else None
        return Gradients(diff_x, before[0] if run.c is None else tuple(before), attention, result)


def _no_gradients(run, diff_state):
    """Returns the gradients of a run of no steps or no rows: zeros."""
    states = [np.zeros_like(run.h_out)] + ([np.zeros_like(run.c_out)] if run.c is not None else [])
    _fill_diff_states(states, diff_state)
    return Gradients(np.zeros_like(run.x), states[0] if run.c is None else tuple(states),
                     np.zeros_like(run.attention) if run.layers[0].cell.endswith("augru") else None,
                     [{name: np.zeros(layer.shape(name), np.float32) for name in layer.weights} for layer in run.layers])


def backward(run, diff_y, diff_state):
    """Returns the gradients of a run that was made for training and executed, with the weights that it had."""
    if isinstance(run, Nothing):
        return _no_gradients(run, diff_state)
    if run.backward is None:
        run.backward = Backward(run)
    return run.backward(run, diff_y, diff_state)
