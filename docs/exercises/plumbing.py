"""What the exercises in Python share: layers around a cell, and the pipe (docs/test_your_library.md).

Matrices are numpy arrays with one row for each row of the minibatch: x is [mb, slc], h is [mb, dhc]. The weights of a gate
are [channels in, channels out], as the specification's ldigo has them. So W x of the equations is `x @ W` here.
"""
import importlib.util
import sys

import numpy as np
from pipe_program import serve


def load(path):
    """The module in the file `path`."""
    spec = importlib.util.spec_from_file_location("exercise", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def refuser(cell, propagations, types):
    """why_not() for serve(): one layer in one direction of one cell."""

    def why_not(problem):
        tensors = problem["inputs"] + problem["outputs"]
        if problem["cell"] != cell:
            return "only " + cell
        if problem["propagation"] not in propagations:
            return "not this propagation"
        if problem["n_layer"] != 1 or problem["direction"] != "left2right":
            return "only one layer, left2right"
        if any(t["type"] not in types for t in tensors):
            return "not these types"
        if {t["name"] for t in tensors} & {"weights_peephole", "weights_projection"}:
            return "neither peephole nor projection"
        return None

    return why_not


def gates(tensor):
    """[gate] of [channels in, channels out], of weights with dims L, D, I, G, O."""
    return [tensor[0, 0, :, g] for g in range(tensor.shape[3])]


def biases(problem, inputs, count):
    return list(inputs["bias"][0, 0]) if "bias" in inputs else [np.zeros(problem["dhc"], np.float32)] * count


def state(problem, inputs, name):
    """The initial state [mb, channels]; zeros where it is absent."""
    return inputs[name][0, 0] if name in inputs else np.zeros((problem["mb"], problem["dhc"]), np.float32)


def outputs_of(h, c=None):
    """dst_layer of the h of every step, dst_iter and dst_iter_c of the last."""
    last = {"dst_layer": np.array(h), "dst_iter": h[-1][None, None]}
    return last if c is None else {**last, "dst_iter_c": c[None, None]}


def serve_gru(step):
    """step(x, h_prev, W, U, B) gives h; gates u, r, o."""

    def run(problem, inputs):
        h, W, U = [], gates(inputs["weights_layer"]), gates(inputs["weights_iter"])
        B, h_t = biases(problem, inputs, 3), state(problem, inputs, "src_iter")
        for x in inputs["src_layer"]:
            h_t = step(x, h_t, W, U, B)
            h.append(h_t)
        return outputs_of(h)

    serve({"name": "gru", "version": "exercise"}, refuser("gru", ["forward_inference"], ["f32"]), run)


def serve_rnn_backward(backward_step):
    """A vanilla RNN with tanh; backward_step(x, h_prev, h, W, U, diff_h) gives diff_x, diff_h_prev, diff_W, diff_U, diff_B."""

    def forward(problem, inputs):
        W, U = inputs["weights_layer"][0, 0, :, 0], inputs["weights_iter"][0, 0, :, 0]
        h, B = [state(problem, inputs, "src_iter")], biases(problem, inputs, 1)[0]
        for x in inputs["src_layer"]:
            h.append(np.tanh(x @ W + h[-1] @ U + B))
        return h, W, U

    def run(problem, inputs):
        h, W, U = forward(problem, inputs)
        if problem["propagation"] != "backward":
            return outputs_of(h[1:])
        listed = {t["name"]: np.zeros(t["dims"], np.float32) for t in problem["outputs"]}
        for name in listed:  # gradients of weights are added to what is there
            if name in inputs and not problem["diff_weights_overwrite"]:
                listed[name] += inputs[name]
        diff_h = state(problem, inputs, "diff_dst_iter")
        for t in reversed(range(problem["n_iter"])):
            diff_x, diff_h, diff_W, diff_U, diff_B = backward_step(
                inputs["src_layer"][t], h[t], h[t + 1], W, U, diff_h + inputs["diff_dst_layer"][t])
            listed["diff_src_layer"][t] = diff_x
            listed["diff_weights_layer"][0, 0, :, 0] += diff_W
            listed["diff_weights_iter"][0, 0, :, 0] += diff_U
            if "diff_bias" in listed:
                listed["diff_bias"][0, 0, 0] += diff_B
        if "diff_src_iter" in listed:
            listed["diff_src_iter"][0, 0] = diff_h
        return listed

    refuse = refuser("vanilla_rnn", ["forward_training", "backward"], ["f32"])
    serve({"name": "rnn", "version": "exercise"},
          lambda problem: refuse(problem) or (None if problem["activation"] == "tanh" else "only tanh"), run)


def lstm_int8(module, problem, x, q_W, q_U, B, scales, q_h, c):
    """All steps of an LSTM on bytes, by the functions of the exercise: the byte of h for every step, and the last c."""
    scale, shift, h = problem["data_scale"], problem["data_shift"], []
    for q_x in x:
        i, f, g, o = (module.pre_activation(q_x, q_h, W, U, b, s, scale, shift)
                      for W, U, b, s in zip(q_W, q_U, B, scales))
        i, f, g, o = 1 / (1 + np.exp(-i)), 1 / (1 + np.exp(-f)), np.tanh(g), 1 / (1 + np.exp(-o))
        c = f * c + i * g
        q_h = module.quantize(o * np.tanh(c), scale, shift)
        h.append(q_h)
    return h, c


def serve_lstm_int8(module):
    def run(problem, inputs):
        given = problem["weights_scales"]["values"]
        scales = np.broadcast_to(given, 4 * problem["dhc"]).reshape(4, -1)
        zero = module.quantize(np.zeros((problem["mb"], problem["dhc"])), problem["data_scale"], problem["data_shift"])
        h, c = lstm_int8(module, problem, inputs["src_layer"], gates(inputs["weights_layer"]),
                         gates(inputs["weights_iter"]), biases(problem, inputs, 4), scales,
                         inputs["src_iter"][0, 0] if "src_iter" in inputs else zero,
                         state(problem, inputs, "src_iter_c"))
        return outputs_of(h, c)

    serve({"name": "lstm-int8", "version": "exercise"},
          refuser("lstm", ["forward_inference"], ["u8", "s8", "f32"]), run)


if __name__ == "__main__":
    np.seterr(over="ignore")  # of exp() in a sigmoid
    exercise = load(sys.argv[2])
    {"numpy_cell": lambda: serve_gru(exercise.step),
     "gradient": lambda: serve_rnn_backward(exercise.backward_step),
     "quantize": lambda: serve_lstm_int8(exercise)}[sys.argv[1]]()
