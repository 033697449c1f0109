// TensorFlow.js's layers lstm, gru and simpleRNN are judged over a pipe: ./tandem check --impl=tfjs
//
// A layer object is one layer in one direction; stacks are made of them. docs/coming_from.md has the conventions.
import {requirePackage, serve} from '../pipe_program.mjs';

const tf = requirePackage('@tensorflow/tfjs', 'tfjs');
await tf.setBackend('cpu');

const LAYERS = {
  vanilla_rnn: tf.layers.simpleRNN,
  lstm: tf.layers.lstm,
  gru: tf.layers.gru,
};

const ACTIVATIONS = {relu: 'relu', tanh: 'tanh', logistic: 'sigmoid'};

function whyNot(problem) {
  const tensors = [...problem.inputs, ...problem.outputs];
  if (!(problem.cell in LAYERS)) return `TensorFlow.js has no ${problem.cell}`;
  if (tensors.some(t => t.type !== 'f32')) return 'the adapter serves f32 only';
  if (tensors.some(t => t.name === 'weights_projection')) return 'TensorFlow.js has no projection';
  if (tensors.some(t => t.name === 'weights_peephole')) return 'TensorFlow.js has no peephole';
  if (problem.cell === 'vanilla_rnn') {
    if (!(problem.activation in ACTIVATIONS)) return `the adapter does not know ${problem.activation}`;
    if (problem.activation === 'relu' && problem.alpha !== 0) return 'the relu of TensorFlow.js has slope 0';
  }
  if (problem.sic !== problem.dic) return 'the state that goes in has as many channels as the one that comes out';
  return null;
}

// Returns a part of a tensor with dims L, D, ..., as a variable.
function variable(problem, data, l, d, dims) {
  const size = data.length / (problem.n_layer * problem.n_dir), start = (l * problem.n_dir + d) * size;
  return tf.variable(tf.tensor(data.slice(start, start + size), dims));
}

// Returns a layer object with the problem's weights, its first states, and the variables by the specification's names.
function makeCell(problem, x, l, d) {
  const {cell, dhc, mb} = problem, slc = l === 0 ? problem.slc : problem.dic;
  const gates = {vanilla_rnn: 1, lstm: 4, gru: 3}[cell];
  const options = {units: dhc, useBias: x.bias !== undefined, returnSequences: true, returnState: true};
  // The weights are set below; the default initializer of the recurrent ones takes minutes for some hundred units.
  options.kernelInitializer = options.recurrentInitializer = 'zeros';
  options.goBackwards = d === 1 || problem.direction === 'right2left';
  if (cell === 'vanilla_rnn') {
    options.activation = ACTIVATIONS[problem.activation];
  } else {
    options.recurrentActivation = 'sigmoid';
  }
  const layer = LAYERS[cell](options);
  layer.build([mb, problem.n_iter, slc]);
  layer.built = true;  // without it the first call builds the layer again
  const weights = [
    variable(problem, x.weights_layer, l, d, [slc, gates * dhc]),
    variable(problem, x.weights_iter, l, d, [dhc, gates * dhc]),
  ];
  if (x.bias) weights.push(variable(problem, x.bias, l, d, [gates * dhc]));
  layer.setWeights(weights);
  const names = ['weights_layer', 'weights_iter', 'bias'], variables = {};
  layer.trainableWeights.forEach((weight, i) => variables[names[i]] = weight.val);
  for (const name of cell === 'lstm' ? ['src_iter', 'src_iter_c'] : ['src_iter']) {
    variables[name] = variable(problem, x[name] ?? new Float32Array(problem.n_layer * problem.n_dir * mb * dhc), l, d,
        [mb, dhc]);
  }
  return {layer, variables, l, d, backwards: options.goBackwards};
}

// Returns dst_layer of dims N, T, C, and the last states of each cell.
function forward(problem, cells, source) {
  const sides = [], states = [];
  for (let d = 0; d < problem.n_dir; ++d) {
    let side = source;
    for (const cell of cells.filter(c => c.d === d)) {
      const initialState = [cell.variables.src_iter];
      if (problem.cell === 'lstm') initialState.push(cell.variables.src_iter_c);
      const [output, ...last] = cell.layer.apply(side, {initialState});
      // goBackwards returns the steps in the order in which they were processed.
      side = cell.backwards ? tf.reverse(output, 1) : output;
      states.push({cell, last});
    }
    sides.push(side);
  }
  if (sides.length === 1) return {y: sides[0], states};
  return {y: problem.direction === 'bidirectional_sum' ? tf.add(...sides) : tf.concat(sides, 2), states};
}

const swapped = tensor => tf.transpose(tensor, [1, 0, 2]);

// Writes, or adds, a cell's part of a tensor with dims L, D, ...
function place(problem, result, {l, d}, tensor, adds) {
  const data = tensor.dataSync(), start = (l * problem.n_dir + d) * data.length;
  for (let i = 0; i < data.length; ++i) result[start + i] = adds ? result[start + i] + data[i] : data[i];
}

function outputsOf(problem, x) {
  const result = {};
  for (const {name, bytes} of problem.outputs) result[name] = x[name] ?? new Float32Array(bytes / 4);
  return result;
}

function backward(problem, x, cells, source) {
  const part = (name, cell) => variable(problem, x[name], cell.l, cell.d, [problem.mb, problem.dhc]);
  const upstream = swapped(tf.tensor(x.diff_dst_layer, [problem.n_iter, problem.mb, problem.dlc]));
  const loss = () => {
    const {y, states} = forward(problem, cells, source);
    const terms = [tf.sum(tf.mul(y, upstream))];
    for (const {cell, last} of states) {
      ['diff_dst_iter', 'diff_dst_iter_c'].forEach((name, i) => {
        if (x[name]) terms.push(tf.sum(tf.mul(last[i], part(name, cell))));
      });
    }
    return tf.addN(terms);
  };
  const variables = [source, ...cells.flatMap(cell => Object.values(cell.variables))];
  const {grads} = tf.variableGrads(loss, variables);
  const result = outputsOf(problem, x);
  result.diff_src_layer.set(swapped(grads[source.name]).dataSync());
  for (const cell of cells) {
    for (const [name, value] of Object.entries(cell.variables)) {
      const output = result['diff_' + name];
      if (output) place(problem, output, cell, grads[value.name], !name.startsWith('src'));
    }
  }
  return result;
}

function run(problem, x) {
  tf.engine().startScope();
  const cells = [];
  for (let d = 0; d < problem.n_dir; ++d) {
    for (let l = 0; l < problem.n_layer; ++l) cells.push(makeCell(problem, x, l, d));
  }
  const source = tf.variable(swapped(tf.tensor(x.src_layer, [problem.n_iter, problem.mb, problem.slc])));
  let result;
  if (problem.propagation === 'backward') {
    result = backward(problem, x, cells, source);
  } else {
    result = outputsOf(problem, x);
    const {y, states} = forward(problem, cells, source);
    result.dst_layer.set(swapped(y).dataSync());
    for (const {cell, last} of states) {
      ['dst_iter', 'dst_iter_c'].forEach((name, i) => {
        if (result[name]) place(problem, result[name], cell, last[i], false);
      });
    }
  }
  tf.engine().endScope();
  tf.disposeVariables();
  return result;
}

await serve({name: 'tfjs', version: tf.version.tfjs}, whyNot, run);
