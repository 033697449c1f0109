// ONNX Runtime's RNN, LSTM and GRU operators on the CPU are judged over a pipe: ./tandem check --impl=onnxruntime
//
// A problem becomes a model with a node for each layer and weights as constants. A bidirectional node serves one layer; more
// layers are two chains of nodes, as in the specification. docs/coming_from.md has the conventions. An LSTM with dynamic
// quantization is DynamicQuantizeLSTM, an operator of ONNX Runtime's own.
import {attribute, constant, model, node} from './onnx_model.mjs';
import {clock, NotServed, requirePackage, serve} from './pipe_program.mjs';

const ort = requirePackage('onnxruntime-node', 'onnxruntime-node');

// The indices put the specification's gates in ONNX's order: LSTM i, o, f, c; GRU z, r, h.
const CELLS = {
  vanilla_rnn: {op: 'RNN', gates: [0]},
  lstm: {op: 'LSTM', gates: [0, 3, 1, 2]},
  gru: {op: 'GRU', gates: [0, 1, 2]},
  lbr_gru: {op: 'GRU', gates: [0, 1, 2]},
};
const PEEPHOLES = [0, 2, 1];  // they put the specification's i, f, o in the order i, o, f

const ACTIVATIONS = {relu: 'Relu', tanh: 'Tanh', logistic: 'Sigmoid'};

function whyNot(problem) {
  const tensors = [...problem.inputs, ...problem.outputs];
  if (!(problem.cell in CELLS)) return `ONNX has no ${problem.cell}`;
  if (problem.propagation !== 'forward_inference') return 'ONNX Runtime is for inference';
  if (problem.cell === 'vanilla_rnn' && !(problem.activation in ACTIVATIONS)) {
    return `the adapter does not know ${problem.activation}`;
  }
  const dynamic = problem.dynamic_quantization;
  const bytes = t => dynamic && t.type === 's8' && ['weights_layer', 'weights_iter'].includes(t.name);
  if (tensors.some(t => t.type !== 'f32' && t.name !== 'sequence_lengths' && !bytes(t))) {
    return 'the adapter serves f32, and s8 weights with dynamic quantization';
  }
  if (dynamic && problem.cell !== 'lstm') return 'ONNX Runtime has dynamic quantization of LSTM only';
  if (tensors.some(t => t.name === 'weights_projection')) return 'ONNX has no projection';
  if (problem.sic !== problem.dic) return 'the state that goes in has as many channels as the one that comes out';
  return null;
}

// Returns one layer's and direction's part of a tensor with dims L, D, ...
function cellOf(problem, tensor, l, d) {
  const size = tensor.length / (problem.n_layer * problem.n_dir);
  return tensor.subarray((l * problem.n_dir + d) * size, (l * problem.n_dir + d + 1) * size);
}

// Turns inputs, gates, dhc into gates * dhc, inputs.
function transposed(weights, gates, dhc) {
  const rows = weights.length / (gates.length * dhc);
  const result = new Float32Array(weights.length);
  gates.forEach((gate, g) => {
    for (let o = 0; o < dhc; ++o) {
      for (let i = 0; i < rows; ++i) {
        result[(g * dhc + o) * rows + i] = weights[(i * gates.length + gate) * dhc + o];
      }
    }
  });
  return result;
}

// Turns inputs, gates, dhc into inputs, gates * dhc, with the gates in ONNX's order.
function inOrder(weights, gates, dhc) {
  const result = new Int8Array(weights.length), row = gates.length * dhc;
  for (let from = 0; from < weights.length; from += row) {
    gates.forEach((gate, g) =>
      result.set(weights.subarray(from + gate * dhc, from + (gate + 1) * dhc), from + g * dhc));
  }
  return result;
}

function pick(vectors, order, dhc) {
  return order.flatMap(g => [...vectors.subarray(g * dhc, (g + 1) * dhc)]);
}

// ONNX has two biases for each gate. One of them would be enough, but for the last gate of GRU with linear_before_reset.
function biases(problem, bias, gates) {
  const {dhc} = problem;
  const second = new Float32Array(gates.length * dhc);
  if (problem.cell === 'lbr_gru') second.set(bias.subarray(3 * dhc), 2 * dhc);
  return [...pick(bias, gates, dhc), ...second];
}

function attributes(problem, direction, count) {
  const result = [attribute('hidden_size', problem.dhc), attribute('direction', direction)];
  if (problem.cell === 'lbr_gru') result.push(attribute('linear_before_reset', 1));
  if (problem.cell === 'vanilla_rnn') {
    const leaky = problem.activation === 'relu' && problem.alpha !== 0;
    const name = leaky ? 'LeakyRelu' : ACTIVATIONS[problem.activation];
    result.push(attribute('activations', Array(count).fill(name)));
    if (leaky) result.push(attribute('activation_alpha', Array(count).fill(problem.alpha)));
  }
  return result;
}

function flat(values) {
  return values.flatMap(array => [...array]);
}

// ONNX multiplies bytes by a scale, and the specification divides them.
function weightsScales({dhc, weights_scales: {values}}, gates) {
  if (values.length === 1) return {dims: [], values: [1 / values[0]]};
  return {dims: [gates.length * dhc], values: pick(Float32Array.from(values, s => 1 / s), gates, dhc)};
}

// Returns the nodes and constants of one layer in some directions; `input` and `output` are names of tensors.
function layer(problem, x, l, dirs, input, prefix) {
  const {dhc} = problem, {op, gates} = CELLS[problem.cell];
  const constants = [], names = [input];
  const add = (name, dims, values, type) => {
    names.push(values === null ? '' : prefix + name);
    if (values !== null) constants.push(constant(prefix + name, [dirs.length, ...dims], flat(values), type));
  };
  const cells = tensor => dirs.map(d => cellOf(problem, tensor, l, d));
  const slc = l === 0 ? problem.slc : problem.dic, dynamic = problem.dynamic_quantization;
  const addWeights = (name, inputs, tensor) => {
    if (dynamic) return add(name, [inputs, gates.length * dhc], cells(tensor).map(w => inOrder(w, gates, dhc)), 'int8');
    add(name, [gates.length * dhc, inputs], cells(tensor).map(w => transposed(w, gates, dhc)));
  };
  addWeights('W', slc, x.weights_layer);
  addWeights('R', dhc, x.weights_iter);
  add('B', [2 * gates.length * dhc], x.bias ? cells(x.bias).map(b => biases(problem, b, gates)) : null);
  names.push(x.sequence_lengths ? 'sequence_lens' : '');
  add('h', [problem.mb, dhc], x.src_iter ? cells(x.src_iter) : null);
  if (op === 'LSTM') {
    add('c', [problem.mb, dhc], x.src_iter_c ? cells(x.src_iter_c) : null);
    add('P', [3 * dhc], x.weights_peephole ? cells(x.weights_peephole).map(p => pick(p, PEEPHOLES, dhc)) : null);
  }
  for (const name of dynamic ? ['W', 'R'] : []) {
    const {dims, values} = weightsScales(problem, gates);
    add(name + 'scale', dims, dirs.map(() => values));
    add(name + 'zero', dims, dirs.map(() => values.map(() => 0)), 'int8');
  }
  const reversed = problem.direction === 'right2left' || dirs[0] === 1;
  const direction = dirs.length === 2 ? 'bidirectional' : reversed ? 'reverse' : 'forward';
  const outputs = ['Y', 'Y_h', ...(op === 'LSTM' ? ['Y_c'] : [])].map(name => prefix + name);
  const operator = dynamic ? ['DynamicQuantizeLSTM', 'com.microsoft'] : [op];
  const made = node(operator[0], names, outputs, attributes(problem, direction, dirs.length), operator[1]);
  return {node: made, constants, outputs};
}

// Returns all layers of some directions. Between two layers the axis of directions, of size 1, is removed.
function chain(problem, x, dirs) {
  const nodes = [], constants = [constant(`axis${dirs}`, [1], [1], 'int64')], layers = [];
  for (let l = 0, input = 'X'; l < problem.n_layer; ++l) {
    const prefix = `l${l}d${dirs.join('')}`;
    const made = layer(problem, x, l, dirs, input, prefix);
    nodes.push(made.node);
    constants.push(...made.constants);
    layers.push({dirs, l, outputs: made.outputs});
    if (l + 1 === problem.n_layer) break;
    input = prefix + 'squeezed';
    nodes.push(node('Squeeze', [made.outputs[0], `axis${dirs}`], [input], []));
  }
  return {nodes, constants, layers};
}

// Turns T, D, N, C of the last layers into dst_layer.
function join(problem, parts) {
  const {n_iter, mb, dic, dlc} = problem;
  const sum = problem.direction === 'bidirectional_sum';
  const result = new Float32Array(n_iter * mb * dlc);
  parts.forEach(({dirs, data}) => dirs.forEach((d, index) => {
    for (let t = 0; t < n_iter; ++t) {
      for (let n = 0; n < mb; ++n) {
        const from = ((t * dirs.length + index) * mb + n) * dic;
        const to = (t * mb + n) * dlc + (d === 1 && !sum ? dic : 0), adds = d === 1 && sum;
        for (let c = 0; c < dic; ++c) result[to + c] = adds ? result[to + c] + data[from + c] : data[from + c];
      }
    }
  }));
  return result;
}

// Returns the model of a problem: its bytes, and where its outputs are.
function makeModel(problem, x) {
  // ONNX does not specify the final state of such a row.
  if (x.sequence_lengths?.includes(0)) throw new NotServed('ONNX Runtime ends a row without steps with 0, not its state');
  const all = [...Array(problem.n_dir).keys()];
  const chains = (problem.n_layer === 1 ? [all] : all.map(d => [d])).map(dirs => chain(problem, x, dirs));
  const layers = chains.flatMap(c => c.layers);
  const bytes = model({
    nodes: chains.flatMap(c => c.nodes),
    constants: chains.flatMap(c => c.constants),
    inputs: [
      {name: 'X', dims: [problem.n_iter, problem.mb, problem.slc], type: 'float'},
      ...(x.sequence_lengths ? [{name: 'sequence_lens', dims: [problem.mb], type: 'int32'}] : []),
    ],
    outputs: layers.flatMap(l => l.outputs),
  });
  return {bytes, layers};
}

function createSession(problem, bytes) {
  const options = {logSeverityLevel: 3, interOpNumThreads: 1};
  if (problem.threads) options.intraOpNumThreads = problem.threads;
  return ort.InferenceSession.create(bytes, options);
}

function feedsOf(problem, x) {
  const feeds = {X: new ort.Tensor('float32', x.src_layer, [problem.n_iter, problem.mb, problem.slc])};
  if (x.sequence_lengths) feeds.sequence_lens = new ort.Tensor('int32', x.sequence_lengths, [problem.mb]);
  return feeds;
}

async function run(problem, x) {
  const {bytes, layers} = makeModel(problem, x);
  const session = await createSession(problem, bytes);
  const y = await session.run(feedsOf(problem, x));
  const last = layers.filter(({l}) => l + 1 === problem.n_layer);
  const result = {dst_layer: join(problem, last.map(({dirs, outputs}) => ({dirs, data: y[outputs[0]].data})))};
  ['dst_iter', 'dst_iter_c'].forEach((name, k) => {
    const tensor = problem.outputs.find(t => t.name === name);
    if (tensor === undefined) return;
    const state = result[name] = new Float32Array(tensor.bytes / 4);
    for (const {dirs, l, outputs} of layers) {
      const data = y[outputs[k + 1]].data, size = data.length / dirs.length;
      dirs.forEach((d, i) => cellOf(problem, state, l, d).set(data.subarray(i * size, (i + 1) * size)));
    }
  });
  await session.release();
  return result;
}

// Returns for bench the session, and executions with the tensors in place.
async function prepare(problem, x) {
  const {bytes} = makeModel(problem, x), feeds = feedsOf(problem, x);
  const start = clock(problem.threads);
  const session = await createSession(problem, bytes);
  return {
    createSeconds: clock(problem.threads) - start,
    execute: () => session.run(feeds),
    release: () => session.release(),
  };
}

const description = {
  name: 'onnxruntime',
  version: ort.env.versions.node ?? ort.env.versions.common,
  // The errors were measured over the arguments from -100 to 100 (docs/verdicts): sigmoid of LSTM and GRU is 1.25e-7 beyond 4
  // ulp at -16, tanh of GRU 3.03e-7 beyond 5 ulp at -10.
  sigmoid_abs: 1.3e-7,
  tanh_abs: 3.1e-7,
  sequence_lengths: true,
};
await serve(description, whyNot, run, prepare);
process.exit(0);
