"""judge()'s argument becomes an answerer of the pipe protocol: why_not(problem), run(problem, inputs), and a description."""
import sys

import numpy as np

from . import _gates
from . import _network


def _refusal(problem):
    typed = [t for t in problem["inputs"] + problem["outputs"] if t["name"] != "sequence_lengths"]
    return "all tensors are f32" if any(t["type"] != "f32" for t in typed) or problem["fpmath"] != "strict" else None


class Function:
    """This answers by a function f(problem, inputs), which returns outputs and refuses a problem with NotImplementedError."""
    lengths = gates = False
    profile = None

    def __init__(self, function):
        self._function, self.name = function, getattr(function, "__name__", type(function).__name__)
        self._last = None, None

    def why_not(self, problem):
        if _refusal(problem):
            return _refusal(problem)
        # The protocol asks without data, so the function sees zeros.
        key = [(name, value) for name, value in problem.items() if name != "workspace"]
        if self._last[0] != key:
            self._last = key, self._ask(problem)
        return self._last[1]

    def _ask(self, problem):
        try:
            self._function(problem, {t["name"]: np.zeros(t["dims"], np.float32) for t in problem["inputs"]})
        except NotImplementedError as error:
            return str(error) or "NotImplementedError"
        except Exception:  # run() will report the error
            pass
        return None

    def run(self, problem, inputs):
        try:
            outputs = self._function(problem, inputs)
        except Exception as error:
            raise RuntimeError(f"{type(error).__name__}: {error}") from error
        wanted = [t["name"] for t in problem["outputs"]]
        if not isinstance(outputs, dict) or not set(wanted) <= set(outputs):
            said = f"has {', '.join(outputs) or 'none'}" if isinstance(outputs, dict) else f"is a {type(outputs).__name__}"
            raise TypeError(f"the result must be a dictionary with {', '.join(wanted)}; it {said}")
        return outputs


class Networks:
    """This answers by a class of this package. Each direction of a problem is a network of its own."""
    lengths = gates = True

    def __init__(self, kind):
        self._kind, self.name = kind, f"tandem_rnn {kind.__name__}"
        self.profile = f"{kind.cell}-inference-f32"

    def why_not(self, problem):
        if problem["cell"] != self._kind.cell:
            return f"this is no {problem['cell']}"
        if problem["sic"] != problem["dic"]:
            return "a state that goes in has as many channels as one that comes out"
        return _refusal(problem)

    def _network(self, problem, inputs, d):
        names = [name for name in inputs if name.startswith("weights_") or name == "bias"]
        options = {"bias": "bias" in names}
        if not problem["cell"].endswith("augru"):
            options.update(layers=problem["n_layer"], direction=problem["direction"])
            if problem["n_dir"] == 2:
                options["direction"] = ("left2right", "right2left")[d]
        if "weights_peephole" in names:
            options["peephole"] = True
        if "weights_projection" in names:
            options["dic"] = problem["dic"]
        if problem["cell"] == "vanilla_rnn":
            options.update(activation=problem["activation"], alpha=problem["alpha"], beta=problem["beta"])
        if "gates" in problem:
            options.update(_gates.of_problem(problem["cell"], problem["gates"]))
        weights = [{name: inputs[name][l:l + 1, d:d + 1] for name in names} for l in range(problem["n_layer"])]
        return self._kind(problem["slc"], problem["dhc"], weights=weights, **options)

    def run(self, problem, inputs):
        results = []
        for d in range(problem["n_dir"]):
            net = self._network(problem, inputs, d)
            state = _state(net, problem, inputs, d, "src")
            more = {"lengths": inputs.get("sequence_lengths"), "attention": inputs.get("augru_attention")}
            if problem["propagation"] == "forward_inference":
                y, last = net(inputs["src_layer"], state, **more)
                results.append({"dst_layer": y, **_states(last, "dst")})
            elif problem["propagation"] == "forward_training":
                tape = net.record(inputs["src_layer"], state, **more)
                results.append({"dst_layer": tape.y, **_states(tape.state, "dst")})
            else:
                results.append(_gradients(net, problem, inputs, d, state, more))
        return _joined(problem, inputs, results)


def _state(net, problem, inputs, d, side):
    """Returns a network's state of one direction; zeros for tensors that are absent."""
    zero = net.zero_state(problem["mb"])
    h, *c = zero if isinstance(zero, tuple) else (zero,)
    h = inputs[side + "_iter"][:, d] if side + "_iter" in inputs else h
    return (h, inputs[side + "_iter_c"][:, d] if side + "_iter_c" in inputs else c[0]) if c else h


def _states(state, side):
    parts = state if isinstance(state, tuple) else (state,)
    return {side + name: part[:, np.newaxis] for name, part in zip(("_iter", "_iter_c"), parts)}


def _gradients(net, problem, inputs, d, state, more):
    tape, diff_y = net.record(inputs["src_layer"], state, **more), inputs["diff_dst_layer"]
    if problem["direction"] == "bidirectional_concat":
        diff_y = diff_y[:, :, d * problem["dic"]:(d + 1) * problem["dic"]]
    found = tape.backward(diff_y, _state(net, problem, inputs, d, "diff_dst"))
    result = {"diff_src_layer": found.x, "diff_augru_attention": found.attention, **_states(found.state, "diff_src")}
    for name in found.weights[0]:
        result["diff_" + name] = np.concatenate([layer[name] for layer in found.weights])
    return result


def _joined(problem, inputs, results):
    """Returns the directions' results as the problem's outputs. Gradients that are added to earlier ones are inputs, too."""
    outputs = {}
    for name in (t["name"] for t in problem["outputs"]):
        parts = [result[name] for result in results]
        if name == "dst_layer":
            joined = np.concatenate(parts, 2) if problem["direction"] == "bidirectional_concat" else sum(parts)
        else:
            joined = sum(parts) if name in ("diff_src_layer", "diff_augru_attention") else np.concatenate(parts, 1)
        outputs[name] = joined + inputs[name] if name in inputs else joined
    return outputs


def _torch_modules(given):
    """Returns the judge of a class with the interface of nn.LSTM, nn.GRU or nn.RNN, or of a module's class; else None."""
    torch, kind = sys.modules.get("torch"), given if isinstance(given, type) else type(given)
    if torch is None or not issubclass(kind, torch.nn.RNNBase):
        return None
    from .judge_files.conformance.plugins import torch_modules
    cell = next((cell for cell, base in torch_modules.CELLS.items() if issubclass(kind, base)), None)
    if cell is None:
        return None
    result = torch_modules.Modules({cell: kind})
    result.name, result.profile, result.lengths, result.gates = kind.__name__, f"{cell}-inference-f32", True, False
    return result


def judged(given):
    kind = given if isinstance(given, type) else type(given)
    if issubclass(kind, _network.Network):
        return Networks(kind)
    result = _torch_modules(given)
    if result is None and (isinstance(given, type) or not callable(given)):
        raise TypeError(f"{kind.__name__}: is no function of a problem and its inputs, no class of tandem_rnn, and no "
                        "nn.LSTM, nn.GRU or nn.RNN")
    return result or Function(given)
