import numpy as np
import pyarmnn as armnn

def info(*shape): return armnn.TensorInfo(armnn.TensorShape(shape), armnn.DataType_Float32)

def outputs(with_bias, runs=3):
    """An LSTM of 1 input, 2 units, 1 projected unit; all weights 0, so that its output is 0."""
    keep, parameters = [], armnn.LstmInputParams()
    def put(name, *shape):
        keep.append(np.zeros(shape, np.float32))
        keep.append(armnn.ConstTensor(info(*shape), keep[-1]))
        setattr(parameters, "m_" + name, keep[-1])
    for gate in ("Input", "Forget", "Cell", "Output"):
        put(f"InputTo{gate}Weights", 2, 1)
        put(f"RecurrentTo{gate}Weights", 2, 1)
        put("CellBias" if gate == "Cell" else gate + "GateBias", 2)
    put("ProjectionWeights", 1, 2)
    if with_bias: put("ProjectionBias", 1)
    descriptor = armnn.LstmDescriptor()
    descriptor.m_ActivationFunc, descriptor.m_CifgEnabled, descriptor.m_ProjectionEnabled = 4, False, True
    network = armnn.INetwork()
    layer = network.AddLstmLayer(descriptor, parameters, "lstm")
    for i, shape in enumerate([(1, 1), (1, 1), (1, 2)]):
        source = network.AddInputLayer(i)
        source.GetOutputSlot(0).Connect(layer.GetInputSlot(i))
        source.GetOutputSlot(0).SetTensorInfo(info(*shape))
    for i, shape in enumerate([(1, 8), (1, 1), (1, 2), (1, 1)]):
        layer.GetOutputSlot(i).Connect(network.AddOutputLayer(i).GetInputSlot(0))
        layer.GetOutputSlot(i).SetTensorInfo(info(*shape))
    runtime = armnn.IRuntime(armnn.CreationOptions())
    optimized, _ = armnn.Optimize(network, [armnn.BackendId("CpuRef")], runtime.GetDeviceSpec(), armnn.OptimizerOptions())
    number, _ = runtime.LoadNetwork(optimized)
    results = []
    for run in range(runs):
        sources = [(i, runtime.GetInputTensorInfo(number, i)) for i in range(3)]
        targets = [(i, runtime.GetOutputTensorInfo(number, i)) for i in range(4)]
        inputs = armnn.make_input_tensors(sources, [np.zeros(s, np.float32) for s in ((1, 1), (1, 1), (1, 2))])
        tensors = armnn.make_output_tensors(targets)
        for _, tensor in tensors: tensor.get_memory_area()[:] = run + 1  # what the output buffers held before
        runtime.EnqueueWorkload(number, inputs, tensors)
        results.append(float(armnn.workload_tensors_to_ndarray(tensors)[1][0, 0]))
    return results

print(outputs(True))   # [0.0, 0.0, 0.0]
print(outputs(False))  # should be the same
