// This is a vanilla RNN in plain JavaScript with the package's interface: left2right, one layer, tanh. It needs no module.

const shapes = ({ slc, dhc }) => ({ weights_layer: slc * dhc, weights_iter: dhc * dhc, bias: dhc });

export class PlainRnn {
  constructor(cell, options, random) {
    Object.assign(this, options);
    this.weights = [{}];
    for (const [name, length] of Object.entries(shapes(options)))
      this.weights[0][name] = Float32Array.from({ length }, () => random() / Math.sqrt(this.dhc));
  }
  setWeights(weights) {
    this.weights = weights;
  }
  free() {}

  run(x, { rows }) {
    const { slc, dhc } = this,
      [{ weights_layer: w, weights_iter: u, bias }] = this.weights;
    const steps = x.length / rows / slc,
      y = new Float32Array(steps * rows * dhc);
    for (let at = 0; at < steps * rows; ++at) {
      for (let o = 0; o < dhc; ++o) {
        let a = bias[o];
        for (let i = 0; i < slc; ++i) a += w[i * dhc + o] * x[at * slc + i];
        for (let i = 0; at >= rows && i < dhc; ++i) a += u[i * dhc + o] * y[(at - rows) * dhc + i];
        y[at * dhc + o] = Math.tanh(a);
      }
    }
    return { y };
  }

  record(x, { rows }) {
    const { y } = this.run(x, { rows });
    return { y, backward: ({ dy }) => this.backward(x, y, dy, rows), free() {} };
  }
  backward(x, y, dy, rows) {
    const { slc, dhc } = this,
      [{ weights_iter: u }] = this.weights;
    const gradients = Object.fromEntries(Object.entries(shapes(this)).map(([name, length]) => [name, new Float32Array(length)]));
    let h = new Float32Array(rows * dhc);
    for (let at = y.length / dhc - 1; at >= 0; --at) {
      const row = at % rows,
        before = new Float32Array(dhc);
      for (let o = 0; o < dhc; ++o) {
        const value = y[at * dhc + o],
          delta = (dy[at * dhc + o] + h[row * dhc + o]) * (1 - value * value);
        gradients.bias[o] += delta;
        for (let i = 0; i < slc; ++i) gradients.weights_layer[i * dhc + o] += delta * x[at * slc + i];
        for (let i = 0; i < dhc; ++i) {
          if (at >= rows) gradients.weights_iter[i * dhc + o] += delta * y[(at - rows) * dhc + i];
          before[i] += delta * u[i * dhc + o];
        }
      }
      h.set(before, row * dhc);
    }
    return { weights: [gradients], h };
  }
}
