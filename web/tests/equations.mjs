// These are the specification's equations in double, written apart from the library. The package's tests compare with them.
const sigmoid = (x) => 1 / (1 + Math.exp(-x));
const ACTIVATION = { tanh: Math.tanh, logistic: sigmoid, relu: (x, alpha = 0) => (x > 0 ? x : alpha * x),
  elu: (x, alpha) => (x > 0 ? x : alpha * Math.expm1(x)), affine: (x, alpha, beta) => alpha * x + beta,
  hard_sigmoid: (x, alpha, beta) => Math.min(Math.max(alpha * x + beta, 0), 1), softsign: (x) => x / (1 + Math.abs(x)) };
const functionOf = (given) => (Array.isArray(given) ? (x) => ACTIVATION[given[0]](x, ...given.slice(1)) : ACTIVATION[given]);

/** Computes one step of one row: W[i][gate][unit] is at (i * gates + gate) * dhc + unit. Returns {h, c}. */
function step(net, weights, x, before, attention) {
  const { cell, dhc } = net, gates = { lstm: 4, vanilla_rnn: 1 }[cell] ?? 3;
  const { weights_layer: W, weights_iter: U, weights_peephole: P, weights_projection: R, bias: B } = weights;
  const dot = (M, v, gate, unit) => v.reduce((sum, value, i) => sum + value * M[(i * gates + gate) * dhc + unit], 0);
  const b = (gate, unit) => (B === undefined ? 0 : B[gate * dhc + unit]);
  const p = (gate, unit, c) => (P === undefined ? 0 : P[gate * dhc + unit] * c);
  const units = [...Array(dhc).keys()], h = before.h;
  const linear = (gate, unit, state = h) => dot(W, x, gate, unit) + dot(U, state, gate, unit) + b(gate, unit);
  const clip = net.clip || Infinity, cut = (a) => Math.min(Math.max(a, -clip), clip);
  const [recurrent, candidate, output] = (net.activations ?? ["logistic", "tanh", "tanh"]).map(functionOf);
  if (cell === "vanilla_rnn") return { h: units.map((j) => ACTIVATION[net.activation](cut(linear(0, j)), net.alpha, net.beta)) };
  if (cell === "lstm") {
    const gate = (k, place, j, of) => recurrent(cut(linear(k, j) + p(place, j, of[j])));
    const i = units.map((j) => gate(0, 0, j, before.c));
    const f = units.map((j) => (net.inputForget ? 1 - i[j] : gate(1, 1, j, before.c)));
    const c = units.map((j) => f[j] * before.c[j] + i[j] * candidate(cut(linear(2, j))));
    const full = units.map((j) => gate(3, 2, j, c) * output(c[j]));
    const projected = R === undefined ? full : [...Array(net.dic).keys()].map(
      (k) => full.reduce((sum, value, j) => sum + value * R[j * net.dic + k], 0));
    return { h: projected, c };
  }
  const reset = units.map((j) => recurrent(cut(linear(1, j)))), lbr = cell.startsWith("lbr");
  const scaled = h.map((value, j) => reset[j] * value);
  return { h: units.map((j) => {
    const update = (1 - attention) * recurrent(cut(linear(0, j)));
    const a = lbr ? dot(W, x, 2, j) + b(2, j) + reset[j] * (dot(U, h, 2, j) + b(3, j)) : linear(2, j, scaled);
    return update * h[j] + (1 - update) * candidate(cut(a));
  }) };
}

/** Returns one direction's part of a tensor of all directions. */
const part = (tensors, d, directions) => Object.fromEntries(Object.entries(tensors).map(([name, values]) => [name,
  Array.from(values.subarray(d * values.length / directions, (d + 1) * values.length / directions))]));

/** Returns {y, h, c} of a stack, row by row. net has cell, activation, dhc, dic, direction, layers (of weights). */
export function run(net, weights, x, { steps, rows, h, c, lengths, attention }) {
  const directions = net.direction === "concat" || net.direction === "sum" ? 2 : 1, { dhc, dic } = net;
  const final = { h: [], c: [] };
  let below = x, slc = x.length / steps / rows;
  weights.forEach((tensors, l) => {
    const dlc = net.direction === "concat" ? 2 * dic : dic, above = new Float64Array(steps * rows * dlc);
    for (let d = 0; d < directions; ++d) {
      const mine = part(tensors, d, directions), backwards = net.direction === "right2left" || d === 1;
      for (let n = 0; n < rows; ++n) {
        const from = (array, size) => (array === undefined ? Array(size).fill(0)
          : Array.from(array.slice(((l * directions + d) * rows + n) * size, ((l * directions + d) * rows + n + 1) * size)));
        let state = { h: from(h, dic), c: from(c, dhc) };
        const length = lengths?.[n] ?? steps;
        for (let k = 0; k < length; ++k) {
          const t = backwards ? length - 1 - k : k, at = (t * rows + n);
          state = step(net, mine, Array.from(below.slice(at * slc, (at + 1) * slc)), state, attention?.[at] ?? 0);
          state.h.forEach((value, j) => (above[at * dlc + (net.direction === "concat" ? d * dic : 0) + j] += value));
        }
        final.h.push(...state.h);
        final.c.push(...(state.c ?? []));
      }
    }
    below = above;
    slc = dlc;
  });
  return { y: below, ...final };
}
