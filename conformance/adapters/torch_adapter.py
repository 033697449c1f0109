#!/usr/bin/env python3
"""PyTorch's nn.LSTM, nn.GRU and nn.RNN on the CPU, judged over a pipe: ./tandem check --impl=torch

Each direction of the specification is a stack of its own. PyTorch's bidirectional modules
concatenate after each layer, so they serve one layer; more layers are two modules.
Conventions: docs/coming_from.md.
"""
try:
    import numpy as np
    import torch
except ImportError as error:
    raise SystemExit(
        f"PyTorch is missing ({error}); install it with: "
        "apt-get install -y --no-install-recommends python3-torch"
    ) from None
import pipe_program

MODULES = {"lstm": torch.nn.LSTM, "lbr_gru": torch.nn.GRU, "vanilla_rnn": torch.nn.RNN}
# The specification's gates in PyTorch's order: i, f, c~, o stay; u, r, o become r, u, o.
GATES = {"lstm": [0, 1, 2, 3], "lbr_gru": [1, 0, 2], "vanilla_rnn": [0]}


def why_not(problem):
    """What the problem asks for that PyTorch does not have, or None."""
    names = {t["name"] for t in problem["inputs"] + problem["outputs"]}
    if problem["cell"] not in MODULES:
        return "PyTorch has no " + problem["cell"]
    if any(t["type"] != "f32" for t in problem["inputs"] + problem["outputs"]):
        return "the adapter serves f32 only"
    if "weights_peephole" in names:
        return "PyTorch has no peephole"
    if problem["cell"] == "vanilla_rnn":
        if problem["activation"] == "logistic":
            return "PyTorch has no logistic RNN"
        if problem["activation"] == "relu" and problem["alpha"] != 0:
            return "PyTorch's relu has slope 0"
    if problem["sic"] != problem["dic"]:
        return "the state that goes in has as many channels as the one that comes out"
    if "weights_projection" in names and problem["dic"] >= problem["dhc"]:
        return "PyTorch's proj_size is smaller than hidden_size"
    return None


class Stack:
    """The layers of some directions: a module of PyTorch with the problem's weights."""

    def __init__(self, problem, inputs, dirs):
        self.problem, self.dirs = problem, dirs
        self.bidirectional = len(dirs) == 2
        self.projected = "weights_projection" in inputs
        self.has_bias = "bias" in inputs
        options = {"bidirectional": self.bidirectional, "bias": self.has_bias}
        if self.projected:
            options["proj_size"] = problem["dic"]
        if problem["cell"] == "vanilla_rnn":
            options["nonlinearity"] = problem["activation"]
        self.module = MODULES[problem["cell"]](
            problem["slc"], problem["dhc"], problem["n_layer"], **options
        )
        # A module of one direction runs forwards only.
        self.flipped = dirs == [1] or problem["direction"] == "right2left"
        self.module.train(problem["propagation"] != "forward_inference")
        with torch.no_grad():
            for l, d, suffix in self.cells():
                for name, value in self.to_torch(inputs, l, d).items():
                    getattr(self.module, name + suffix).copy_(torch.from_numpy(value))

    def cells(self):
        """Layer, direction and the end of PyTorch's names of weights."""
        for l in range(self.problem["n_layer"]):
            for d in self.dirs:
                yield l, d, f"_l{l}" + ("_reverse" if self.bidirectional and d == 1 else "")

    def to_torch(self, inputs, l, d):
        """Weights of one layer and direction by PyTorch's names."""
        cell = self.problem["cell"]
        gates = GATES[cell]

        def matrix(weights):  # inputs, gates, dhc to gates * dhc, inputs
            ordered = weights[l, d][:, gates]
            return ordered.reshape(len(weights[l, d]), -1).T.copy()

        result = {
            "weight_ih": matrix(inputs["weights_layer"]),
            "weight_hh": matrix(inputs["weights_iter"]),
        }
        if self.projected:
            result["weight_hr"] = inputs["weights_projection"][l, d].T.copy()
        if self.has_bias:
            bias = inputs["bias"][l, d]
            result["bias_ih"] = bias[gates].ravel()
            # PyTorch has two biases. Only that of the last gate of GRU is not the same as one.
            hidden = 0 * bias[gates]
            if cell == "lbr_gru":
                hidden[2] = bias[3]
            result["bias_hh"] = hidden.ravel()
        return result

    def states(self, inputs, grad):
        """src_iter, and src_iter_c, as PyTorch takes them: layers * directions, N, channels."""
        p, names = self.problem, ["src_iter"]
        if p["cell"] == "lstm":
            names.append("src_iter_c")
        states = []
        for name in names:
            channels = p["dhc"] if name == "src_iter_c" else p["dic"]
            if name in inputs:
                state = torch.from_numpy(inputs[name][:, self.dirs].copy())
                state = state.reshape(-1, p["mb"], channels)
            else:
                state = torch.zeros(p["n_layer"] * len(self.dirs), p["mb"], channels)
            states.append(state.requires_grad_(grad))
        return states

    def run(self, source, inputs, grad=False):
        """dst_layer; keeps the states for results() and gradients()."""
        self.source_states = self.states(inputs, grad)
        start = self.source_states[0] if len(self.source_states) == 1 else self.source_states
        if self.flipped:
            source = source.flip(0)
        output, last = self.module(source, start if torch.is_tensor(start) else tuple(start))
        self.last_states = [last] if torch.is_tensor(last) else list(last)
        return output.flip(0) if self.flipped else output

    def split(self, state):
        """layers * directions, N, channels to L, D, N, channels."""
        return state.detach().reshape(self.problem["n_layer"], len(self.dirs), *state.shape[1:])

    def to_tandem(self, l, d, suffix, outputs):
        """The gradients of one layer's weights, in the specification's order, into outputs."""
        p, gates = self.problem, GATES[self.problem["cell"]]

        def gradient(name):
            return getattr(self.module, name + suffix).grad.numpy()

        back = [gates.index(g) for g in range(len(gates))]
        for mine, theirs in (("layer", "weight_ih"), ("iter", "weight_hh")):
            transposed = gradient(theirs).T.reshape(-1, len(gates), p["dhc"])
            outputs["diff_weights_" + mine][l, d] += transposed[:, back]
        if self.projected:
            outputs["diff_weights_projection"][l, d] += gradient("weight_hr").T
        if self.has_bias:
            bias = gradient("bias_ih").reshape(-1, p["dhc"])[back]
            if p["cell"] == "lbr_gru":
                bias = [*bias, gradient("bias_hh").reshape(-1, p["dhc"])[2]]
            outputs["diff_bias"][l, d] += bias


def forward(problem, inputs, source, grad=False):
    """The stacks and dst_layer."""
    both = list(range(problem["n_dir"]))
    groups = [both] if problem["n_layer"] == 1 else [[d] for d in both]
    stacks = [Stack(problem, inputs, group) for group in groups]
    outputs = [stack.run(source, inputs, grad) for stack in stacks]
    result = torch.cat(outputs, 2) if len(outputs) == 2 else outputs[0]
    if problem["direction"] == "bidirectional_sum":
        halves = result.split(problem["dic"], 2)
        result = halves[0] + halves[1]
    return stacks, result


def backward(problem, inputs, stacks, source, result):
    """All diff tensors, by autograd."""
    ends, gradients = [result], [torch.from_numpy(inputs["diff_dst_layer"])]
    for stack in stacks:
        for end, name in zip(stack.last_states, ("diff_dst_iter", "diff_dst_iter_c")):
            if name in inputs:
                ends.append(end)
                gradients.append(torch.from_numpy(inputs[name][:, stack.dirs]).reshape(end.shape))
    torch.autograd.backward(ends, gradients)
    outputs = {}
    for tensor in problem["outputs"]:
        outputs[tensor["name"]] = inputs.get(tensor["name"], np.zeros(tensor["dims"], np.float32))
    outputs["diff_src_layer"] = source.grad.numpy()
    for stack in stacks:
        for state, name in zip(stack.source_states, ("diff_src_iter", "diff_src_iter_c")):
            if name in outputs:
                outputs[name][:, stack.dirs] = stack.split(state.grad)
        for l, d, suffix in stack.cells():
            stack.to_tandem(l, d, suffix, outputs)
    return outputs


def run(problem, inputs):
    if problem["threads"]:
        torch.set_num_threads(problem["threads"])
    source = torch.from_numpy(inputs["src_layer"])
    if problem["propagation"] == "forward_inference":
        with torch.no_grad():
            stacks, result = forward(problem, inputs, source)
    else:
        # Backward computes the forward pass again: it does not keep autograd's graph from before.
        source.requires_grad_()
        stacks, result = forward(problem, inputs, source, grad=True)
    if problem["propagation"] == "backward":
        return backward(problem, inputs, stacks, source, result)
    outputs = {"dst_layer": result.detach().numpy()}
    for i, name in enumerate(("dst_iter", "dst_iter_c")):
        if i < len(stacks[0].last_states):
            parts = [stack.split(stack.last_states[i]) for stack in stacks]
            outputs[name] = torch.cat(parts, 1).numpy()
    return outputs


DESCRIPTION = {"name": "pytorch", "version": torch.__version__}

if __name__ == "__main__":
    pipe_program.serve(DESCRIPTION, why_not, run)
