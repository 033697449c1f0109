"""Problems of the judge become modules with the interface of PyTorch's nn.LSTM, nn.GRU and nn.RNN.

Each direction of the specification is a stack of its own. PyTorch's bidirectional modules concatenate after each layer, so they
serve one layer; more layers are two modules. Rows of different lengths are a PackedSequence, packed and padded again in each
execution. docs/coming_from.md has the conventions.
"""
import os
import sys

import numpy as np
import torch

if __package__:  # the package for Python has this file, too
    from tandem_rnn import torch_weights
    from . import pipe_program
else:
    import pipe_program
    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python/tandem_rnn"))
    import torch_weights

CELLS = {"lstm": torch.nn.LSTM, "lbr_gru": torch.nn.GRU, "vanilla_rnn": torch.nn.RNN}
DTYPES = {"f32": torch.float32, "bf16": torch.bfloat16}


def to_tensor(array, dtype):
    return torch.from_numpy(np.ascontiguousarray(array)).to(dtype)


def to_array(tensor):
    return tensor.detach().float().numpy()


class Lengths:
    """This says how many steps each row has, or that each has all (lengths is None)."""

    def __init__(self, problem, lengths):
        self.steps, self.lengths = problem["n_iter"], None
        if lengths is None:
            return
        if (lengths < 1).any():
            raise pipe_program.NotServed("PyTorch packs rows of one step or more")
        self.lengths = torch.from_numpy(lengths.astype(np.int64))

    def flip(self, sequence):
        """Returns T, N, C with the steps of each row in reverse order. Numbers behind a row's end stay."""
        if self.lengths is None:
            return sequence.flip(0)
        steps = torch.arange(self.steps)[:, None]
        places = torch.where(steps < self.lengths, self.lengths - 1 - steps, steps)
        return sequence.gather(0, places[:, :, None].expand_as(sequence))

    def run(self, module, sequence, start):
        """Returns the module's output, T, N, C with zeros behind a row's end, and its last states."""
        if self.lengths is None:
            return module(sequence, start)
        packed = torch.nn.utils.rnn.pack_padded_sequence(sequence, self.lengths, enforce_sorted=False)
        output, last = module(packed, start)
        return torch.nn.utils.rnn.pad_packed_sequence(output, total_length=self.steps)[0], last


class Stack:
    """These are the layers of some directions: a module of PyTorch with the problem's weights."""

    def __init__(self, kind, dtype, problem, inputs, dirs):
        self.problem, self.dirs, self.dtype = problem, dirs, dtype
        self.bidirectional = len(dirs) == 2
        self.projected = "weights_projection" in inputs
        self.has_bias = "bias" in inputs
        self.lengths = Lengths(problem, inputs.get("sequence_lengths"))
        options = {"bidirectional": self.bidirectional, "bias": self.has_bias, "dtype": dtype}
        if self.projected:
            options["proj_size"] = problem["dic"]
        if problem["cell"] == "vanilla_rnn":
            options["nonlinearity"] = problem["activation"]
        self.module = kind(problem["slc"], problem["dhc"], problem["n_layer"], **options)
        # A module of one direction runs forwards only.
        self.flipped = dirs == [1] or problem["direction"] == "right2left"
        self.module.train(problem["propagation"] != "forward_inference")
        names = ("weights_layer", "weights_iter", "bias", "weights_projection")
        with torch.no_grad():
            for l, d, suffix in self.cells():
                weights = {name: inputs[name][l, d] for name in names if name in inputs}
                for name, value in torch_weights.to_torch(problem["cell"], **weights).items():
                    getattr(self.module, name + suffix).copy_(torch.from_numpy(value))

    def cells(self):
        """Yields layer, direction and the end of PyTorch's names of weights."""
        for l in range(self.problem["n_layer"]):
            for d in self.dirs:
                yield l, d, f"_l{l}" + ("_reverse" if self.bidirectional and d == 1 else "")

    def set_states(self, inputs, grad):
        """Sets src_iter, and src_iter_c, as PyTorch takes them: layers * directions, N, channels."""
        p, names = self.problem, ["src_iter"]
        if p["cell"] == "lstm":
            names.append("src_iter_c")
        self.source_states = []
        for name in names:
            channels = p["dhc"] if name == "src_iter_c" else p["dic"]
            if name in inputs:
                state = to_tensor(inputs[name][:, self.dirs], self.dtype).reshape(-1, p["mb"], channels)
            else:
                state = torch.zeros(p["n_layer"] * len(self.dirs), p["mb"], channels, dtype=self.dtype)
            self.source_states.append(state.requires_grad_(grad))

    def run(self, source):
        """Returns dst_layer, from the states of set_states(); keeps the last states."""
        start = self.source_states[0] if len(self.source_states) == 1 else self.source_states
        if self.flipped:
            source = self.lengths.flip(source)
        output, last = self.lengths.run(self.module, source, start if torch.is_tensor(start) else tuple(start))
        self.last_states = [last] if torch.is_tensor(last) else list(last)
        return self.lengths.flip(output) if self.flipped else output

    def split(self, state):
        """Turns layers * directions, N, channels into L, D, N, channels."""
        return to_array(state).reshape(self.problem["n_layer"], len(self.dirs), *state.shape[1:])

    def add_gradients(self, l, d, suffix, outputs):
        """Adds the gradients of one layer's weights to outputs, in the specification's order."""
        names = ["weight_ih", "weight_hh"] + ["bias_ih", "bias_hh"] * self.has_bias
        names += ["weight_hr"] * self.projected
        theirs = {name: to_array(getattr(self.module, name + suffix).grad) for name in names}
        mine = torch_weights.gradients_from_torch(self.problem["cell"], **theirs)
        for name, gradient in mine.items():
            outputs["diff_" + name][l, d] += gradient


def forward(problem, stacks, source):
    """Returns dst_layer."""
    outputs = [stack.run(source) for stack in stacks]
    result = torch.cat(outputs, 2) if len(outputs) == 2 else outputs[0]
    if problem["direction"] == "bidirectional_sum":
        halves = result.split(problem["dic"], 2)
        result = halves[0] + halves[1]
    return result


def backward(inputs, stacks, result):
    """Computes gradients, by autograd, in the objects that they belong to."""
    ends, gradients = [result], [to_tensor(inputs["diff_dst_layer"], result.dtype)]
    for stack in stacks:
        for end, name in zip(stack.last_states, ("diff_dst_iter", "diff_dst_iter_c")):
            if name in inputs:
                ends.append(end)
                gradients.append(to_tensor(inputs[name][:, stack.dirs], result.dtype).reshape(end.shape))
    torch.autograd.backward(ends, gradients)


def all_gradients(problem, inputs, stacks, source):
    """Returns all diff tensors."""
    outputs = {}
    for tensor in problem["outputs"]:
        outputs[tensor["name"]] = inputs.get(tensor["name"], np.zeros(tensor["dims"], np.float32))
    outputs["diff_src_layer"] = to_array(source.grad)
    for stack in stacks:
        for state, name in zip(stack.source_states, ("diff_src_iter", "diff_src_iter_c")):
            if name in outputs:
                outputs[name][:, stack.dirs] = stack.split(state.grad)
        for l, d, suffix in stack.cells():
            stack.add_gradients(l, d, suffix, outputs)
    return outputs


class Modules:
    """These are classes by the specification's cells, which take nn.LSTM's arguments and have its parameters.

    The modules compute in type, f32 or bf16. set_threads(count) sets the number of threads; 0 lets PyTorch choose.
    """

    def __init__(self, classes, type="f32", set_threads=lambda count: None):
        self.classes, self.type, self.dtype, self.set_threads = classes, type, DTYPES[type], set_threads

    def why_not(self, problem):
        """Returns what the problem asks for but PyTorch does not have, or None."""
        tensors = problem["inputs"] + problem["outputs"]
        names = {t["name"] for t in tensors}
        if problem["cell"] not in self.classes:
            return "PyTorch has no " + problem["cell"]
        # Gradients are f32 in the specification. Those of autograd have the type of the tensor that they belong to.
        typed = [t for t in tensors if t["name"] != "sequence_lengths"]
        if any(t["type"] != self.type for t in typed if not t["name"].startswith("diff_")):
            return f"all tensors of this module are {self.type}"
        if "weights_peephole" in names:
            return "PyTorch has no peephole"
        if problem["cell"] == "vanilla_rnn":
            if problem["activation"] not in ("relu", "tanh"):
                return f"PyTorch has no {problem['activation']} RNN"
            if problem["activation"] == "relu" and problem["alpha"] != 0:
                return "PyTorch's relu has slope 0"
        if problem["sic"] != problem["dic"]:
            return "the state that goes in has as many channels as the one that comes out"
        if "weights_projection" in names and problem["dic"] >= problem["dhc"]:
            return "PyTorch's proj_size is smaller than hidden_size"
        return None

    def make_stacks(self, problem, inputs, grad):
        both = list(range(problem["n_dir"]))
        groups = [both] if problem["n_layer"] == 1 else [[d] for d in both]
        stacks = [Stack(self.classes[problem["cell"]], self.dtype, problem, inputs, group) for group in groups]
        for stack in stacks:
            stack.set_states(inputs, grad)
        return stacks

    def run(self, problem, inputs):
        self.set_threads(problem["threads"])
        # Backward computes the forward pass again: it does not keep autograd's graph from before.
        training = problem["propagation"] != "forward_inference"
        source = to_tensor(inputs["src_layer"], self.dtype).requires_grad_(training)
        stacks = self.make_stacks(problem, inputs, training)
        with torch.set_grad_enabled(training):
            result = forward(problem, stacks, source)
        if problem["propagation"] == "backward":
            backward(inputs, stacks, result)
            return all_gradients(problem, inputs, stacks, source)
        outputs = {"dst_layer": to_array(result)}
        for name, index in (("dst_iter", 0), ("dst_iter_c", 1)):
            if any(t["name"] == name for t in problem["outputs"]):
                parts = [stack.split(stack.last_states[index]) for stack in stacks]
                outputs[name] = np.concatenate(parts, 1)
        return outputs

    def prepare(self, problem, inputs):
        """Returns one execution for bench, with the modules and their weights made before."""
        training = problem["propagation"] != "forward_inference"
        source = to_tensor(inputs["src_layer"], self.dtype).requires_grad_(training)
        stacks = self.make_stacks(problem, inputs, training)

        def execute():
            self.set_threads(problem["threads"])
            with torch.set_grad_enabled(training):
                start = pipe_program.clock(problem["threads"])
                result = forward(problem, stacks, source)
                if problem["propagation"] == "backward":  # forward is not counted
                    start = pipe_program.clock(problem["threads"])
                    backward(inputs, stacks, result)
                return pipe_program.clock(problem["threads"]) - start

        return execute
