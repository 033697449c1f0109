#!/usr/bin/env python3
"""OpenCV DNN's LSTM and GRU, from ONNX models, are judged over a pipe: ./tandem check --impl=opencv

A model has one node: a layer in one direction. docs/coming_from.md has the conventions of ONNX.
"""
import sys

try:
    import cv2
    import numpy as np
    from onnx import TensorProto, helper, numpy_helper
except ImportError as error:
    raise SystemExit(
        f"OpenCV is missing ({error}); install it with: "
        "apt-get install -y --no-install-recommends python3-opencv python3-onnx"
    ) from None
sys.path.insert(1, f"{sys.path[0]}/..")
import pipe_program  # noqa: E402

# The indices put the specification's gates in ONNX's order: LSTM i, o, f, c; GRU z, r, h.
GATES = {"lstm": [0, 3, 1, 2], "gru": [0, 1, 2], "lbr_gru": [0, 1, 2]}
PEEPHOLES = [0, 2, 1]  # they put the specification's i, f, o in the order i, o, f


def why_not(problem):
    """Returns what the problem asks for but the adapter does not serve, or None."""
    names = {t["name"] for t in problem["inputs"] + problem["outputs"]}
    if problem["cell"] not in GATES:
        return "OpenCV's importer of ONNX has no " + problem["cell"]
    if problem["propagation"] != "forward_inference":
        return "OpenCV DNN is for inference"
    if any(t["type"] != "f32" for t in problem["inputs"] + problem["outputs"]):
        return "the adapter serves f32 only"
    if "weights_projection" in names:
        return "ONNX has no projection"
    if problem["sic"] != problem["dic"]:
        return "the state that goes in has as many channels as the one that comes out"
    return None


def constants_of(problem, inputs, l, d):
    """Returns the node's inputs after X, by ONNX's names; a dimension of one direction comes first."""
    cell, gates = problem["cell"], GATES[problem["cell"]]

    def matrix(weights):  # turns inputs, gates, units into 1, gates * units, inputs
        return weights[:, gates].reshape(len(weights), -1).T[np.newaxis]

    state = np.zeros((1, problem["mb"], problem["dhc"]), np.float32)
    constants = {"W": matrix(inputs["weights_layer"][l, d]), "R": matrix(inputs["weights_iter"][l, d])}
    # The importer refuses a GRU without a bias or the first state.
    if "bias" in inputs or cell != "lstm":
        bias = inputs["bias"][l, d] if "bias" in inputs else np.zeros((4, problem["dhc"]), np.float32)
        second = np.zeros_like(bias[gates])
        if cell == "lbr_gru":
            second[2] = bias[3]
        constants["B"] = np.concatenate([bias[gates].ravel(), second.ravel()])[np.newaxis]
    constants["initial_h"] = inputs["src_iter"][l, d][np.newaxis] if "src_iter" in inputs else state
    if cell == "lstm":
        constants["initial_c"] = inputs["src_iter_c"][l, d][np.newaxis] if "src_iter_c" in inputs else state
        if "weights_peephole" in inputs:
            constants["P"] = inputs["weights_peephole"][l, d][PEEPHOLES].reshape(1, -1)
    return constants


def make_net(problem, constants, reverse):
    steps, rows, units = problem["n_iter"], problem["mb"], problem["dhc"]
    lstm = problem["cell"] == "lstm"
    places = ["W", "R", "B", "", "initial_h"] + ["initial_c", "P"] * lstm
    names = ["X"] + [name if name in constants else "" for name in places]
    while names[-1] == "":
        names.pop()
    outputs = ["Y", "Y_h", "Y_c"] if lstm else ["Y"]  # a GRU with Y_h does not run
    attributes = {"hidden_size": units, "direction": "reverse" if reverse else "forward"}
    if not lstm:
        attributes["linear_before_reset"] = int(problem["cell"] == "lbr_gru")
    node = helper.make_node("LSTM" if lstm else "GRU", names, outputs, **attributes)

    def value(name, dims):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, dims)

    graph = helper.make_graph(
        [node], "rnn", [value("X", [steps, rows, constants["W"].shape[2]])],
        [value("Y", [steps, 1, rows, units])] + [value(name, [1, rows, units]) for name in outputs[1:]],
        [numpy_helper.from_array(np.ascontiguousarray(array), name) for name, array in constants.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    return cv2.dnn.readNetFromONNX(np.frombuffer(model.SerializeToString(), np.uint8)), outputs


def run(problem, inputs):
    if problem["threads"]:
        cv2.setNumThreads(problem["threads"])
    shape = (problem["n_layer"], problem["n_dir"], problem["mb"], problem["dhc"])
    result = {"dst_iter": np.empty(shape, np.float32), "dst_iter_c": np.empty(shape, np.float32)}
    sides = []
    for d in range(problem["n_dir"]):
        sequence = inputs["src_layer"]
        for l in range(problem["n_layer"]):
            reverse = d == 1 or problem["direction"] == "right2left"
            net, names = make_net(problem, constants_of(problem, inputs, l, d), reverse)
            # With three dimensions OpenCV would take the last one for the channels of an image.
            net.setInput(np.ascontiguousarray(sequence)[..., np.newaxis], "X")
            outputs = net.forward(names)
            sequence = outputs[0].reshape(*sequence.shape[:2], -1).copy()
            result["dst_iter"][l, d] = sequence[0 if reverse else -1]
            for name, output in zip(("dst_iter", "dst_iter_c"), outputs[1:]):
                result[name][l, d] = output.reshape(shape[2:])
        sides.append(sequence)
    summed = problem["direction"] == "bidirectional_sum"
    result["dst_layer"] = sides[0] + sides[1] if summed else np.concatenate(sides, 2)
    return result


pipe_program.serve({"name": "opencv", "version": cv2.__version__}, why_not, run)
