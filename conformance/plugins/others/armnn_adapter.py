#!/usr/bin/env python3
"""Arm NN's LSTM layer on its backend CpuRef is judged over a pipe: ./tandem check --impl=armnn

The layer is one step of the cell; the loops over layers, directions and time are here.
"""
import sys
import warnings

warnings.filterwarnings("ignore")  # they are about parsers that this build does not have
try:
    import numpy as np
    import pyarmnn as armnn
except ImportError as error:
    raise SystemExit(
        f"Arm NN is missing ({error}); install it with: "
        "apt-get install -y --no-install-recommends python3-pyarmnn libarmnn-cpuref-backend22"
    ) from None
sys.path.insert(1, f"{sys.path[0]}/..")
import pipe_program  # noqa: E402

TANH = 4  # LstmDescriptor.m_ActivationFunc, as in Android's neural networks API
GATES = ("Input", "Forget", "Cell", "Output")  # the specification's i, f, c~, o
OUTPUT_STATE, CELL_STATE = 1, 2  # the layer's outputs; 0 is scratch, 3 the output state again

runtime = armnn.IRuntime(armnn.CreationOptions())


def why_not(problem):
    """Returns what the problem asks for but the adapter does not serve, or None."""
    if problem["cell"] != "lstm":
        return "Arm NN's only cell is LSTM"
    if problem["propagation"] != "forward_inference":
        return "Arm NN is for inference"
    if any(t["type"] != "f32" for t in problem["inputs"] + problem["outputs"]):
        return "the adapter serves f32 only"
    if problem["sic"] != problem["dic"]:
        return "the state that goes in has as many channels as the one that comes out"
    return None


def info(*shape):
    return armnn.TensorInfo(armnn.TensorShape(shape), armnn.DataType_Float32)


class Cell:
    """This is one layer in one direction: a network of one LSTM layer."""

    def __init__(self, problem, inputs, l, d):
        self.weights = {name: array[l, d] for name, array in inputs.items() if "weights" in name or name == "bias"}
        rows, width = problem["mb"], self.weights["weights_layer"].shape[0]
        states = [(rows, problem["dic"]), (rows, problem["dhc"])]
        network = armnn.INetwork()
        layer = network.AddLstmLayer(self.descriptor(), self.parameters(problem["dhc"]), "lstm")
        for i, shape in enumerate([(rows, width), *states]):
            source = network.AddInputLayer(i)
            source.GetOutputSlot(0).Connect(layer.GetInputSlot(i))
            source.GetOutputSlot(0).SetTensorInfo(info(*shape))
        for i, shape in enumerate([(rows, 4 * problem["dhc"]), *states, states[0]]):
            layer.GetOutputSlot(i).Connect(network.AddOutputLayer(i).GetInputSlot(0))
            layer.GetOutputSlot(i).SetTensorInfo(info(*shape))
        options = armnn.OptimizerOptions()
        optimized, _ = armnn.Optimize(network, [armnn.BackendId("CpuRef")], runtime.GetDeviceSpec(), options)
        self.id, _ = runtime.LoadNetwork(optimized)

    def descriptor(self):
        descriptor = armnn.LstmDescriptor()
        descriptor.m_ActivationFunc = TANH
        descriptor.m_CifgEnabled = False
        descriptor.m_PeepholeEnabled = "weights_peephole" in self.weights
        descriptor.m_ProjectionEnabled = "weights_projection" in self.weights
        descriptor.m_ClippingThresCell = descriptor.m_ClippingThresProj = 0
        return descriptor

    def parameters(self, units):
        """Returns the layer's constants; self keeps the arrays that they point to."""
        parameters, self.constants = armnn.LstmInputParams(), []

        def put(name, array):
            array = np.ascontiguousarray(array)
            constant = armnn.ConstTensor(info(*array.shape), array)
            self.constants += [array, constant]
            setattr(parameters, "m_" + name, constant)

        bias = self.weights.get("bias", np.zeros((4, units), np.float32))
        for g, gate in enumerate(GATES):
            put(f"InputTo{gate}Weights", self.weights["weights_layer"][:, g].T)
            put(f"RecurrentTo{gate}Weights", self.weights["weights_iter"][:, g].T)
            put("CellBias" if gate == "Cell" else gate + "GateBias", bias[g])
        if "weights_peephole" in self.weights:
            for row, gate in zip(self.weights["weights_peephole"], ("Input", "Forget", "Output")):
                put(f"CellTo{gate}Weights", row)
        if "weights_projection" in self.weights:
            put("ProjectionWeights", self.weights["weights_projection"].T)
            # Without this optional bias the results differ from run to run (docs/verdicts).
            put("ProjectionBias", np.zeros(self.weights["weights_projection"].shape[1], np.float32))
        return parameters

    def step(self, x, h, c):
        """Returns the next h and c."""
        sources = [(i, runtime.GetInputTensorInfo(self.id, i)) for i in range(3)]
        targets = [(i, runtime.GetOutputTensorInfo(self.id, i)) for i in range(4)]
        inputs = armnn.make_input_tensors(sources, [np.ascontiguousarray(a) for a in (x, h, c)])
        outputs = armnn.make_output_tensors(targets)
        runtime.EnqueueWorkload(self.id, inputs, outputs)
        results = armnn.workload_tensors_to_ndarray(outputs)
        return results[OUTPUT_STATE].copy(), results[CELL_STATE].copy()


def run(problem, inputs):
    layers, dirs, rows = problem["n_layer"], problem["n_dir"], problem["mb"]
    last_h = inputs.get("src_iter", np.zeros((layers, dirs, rows, problem["dic"]), np.float32)).copy()
    last_c = inputs.get("src_iter_c", np.zeros((layers, dirs, rows, problem["dhc"]), np.float32)).copy()
    sides = []
    for d in range(dirs):
        backwards = d == 1 or problem["direction"] == "right2left"
        steps = list(range(problem["n_iter"]))[:: -1 if backwards else 1]
        sequence = inputs["src_layer"]
        for l in range(layers):
            cell, outputs = Cell(problem, inputs, l, d), [None] * len(steps)
            for t in steps:
                last_h[l, d], last_c[l, d] = cell.step(sequence[t], last_h[l, d], last_c[l, d])
                outputs[t] = last_h[l, d].copy()
            runtime.UnloadNetwork(cell.id)
            sequence = np.stack(outputs)
        sides.append(sequence)
    summed = problem["direction"] == "bidirectional_sum"
    dst_layer = sides[0] + sides[1] if summed else np.concatenate(sides, 2)
    return {"dst_layer": dst_layer, "dst_iter": last_h, "dst_iter_c": last_c}


pipe_program.serve({"name": "armnn", "version": armnn.__version__}, why_not, run)
