import cv2
import numpy as np
from onnx import TensorProto, helper, numpy_helper

def net_of(op, constants, outputs, steps, **attributes):
    places = {"LSTM": ["X", "W", "R", "B", "", "h", "c", "P"], "GRU": ["X", "W", "R", "B", "", "h"]}[op]
    names = [n if n in constants or n == "X" else "" for n in places]
    while names[-1] == "": names.pop()
    value = lambda name, dims: helper.make_tensor_value_info(name, TensorProto.FLOAT, dims)
    graph = helper.make_graph(
        [helper.make_node(op, names, outputs, hidden_size=1, **attributes)], "g", [value("X", [steps, 1, 1])],
        [value(o, [steps, 1, 1, 1] if o == "Y" else [1, 1, 1]) for o in outputs],
        [numpy_helper.from_array(np.array(v, np.float32)[np.newaxis], k) for k, v in constants.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    return cv2.dnn.readNetFromONNX(np.frombuffer(model.SerializeToString(), np.uint8))

def run(op, constants, x, outputs=("Y",), **attributes):
    net = net_of(op, constants, list(outputs), len(x), **attributes)
    net.setInput(np.array(x, np.float32).reshape(-1, 1, 1, 1), "X")
    return [y.ravel().tolist() for y in net.forward(list(outputs))]

# GRU, one unit, W = 0 but for the candidate, R = 1: the two forms differ where r and the recurrent bias of h meet.
gru = {"W": [[0], [0], [1]], "R": [[0], [0], [1]], "B": [0, 0, 0, 0, 0, 2], "h": [[0.5]]}
print(run("GRU", gru, [1], linear_before_reset=0), run("GRU", gru, [1], linear_before_reset=1))
print(np.tanh(1 + 0.5 * 0.5 + 2) / 2 + 0.25, np.tanh(1 + 0.5 * (0.5 + 2)) / 2 + 0.25)  # what they should be

# The direction of GRU.
print(run("GRU", gru, [1, 2, 3], linear_before_reset=1, direction="forward"))
print(run("GRU", gru, [1, 2, 3], linear_before_reset=1, direction="reverse"))           # the same
# The last state of a reversed LSTM is that of step 0.
lstm = {"W": [[1]] * 4, "R": [[0]] * 4, "B": [0] * 8, "h": [[0]], "c": [[0]]}
print(run("LSTM", lstm, [1, 2, 3], ("Y", "Y_h"), direction="reverse"))                   # Y_h is Y[2], should be Y[0]
# The peepholes: P = (i, o, f); the result depends on the last one as if it were that of o.
for p in ([0, 5, 0], [0, 0, 5]):
    print(p, run("LSTM", {**lstm, "c": [[1]], "P": p}, [0]))
c = lambda f: 1 / (1 + np.exp(-f))
print(np.tanh(c(0)) * c(5 * c(0)), np.tanh(c(5)) * c(0))                                 # what they should be
