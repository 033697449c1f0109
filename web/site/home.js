// The cell of the front page is h = tanh(W x + U h'), [RNN.1] and [RNN.2] of the book with one channel and no bias. It is
// computed here, so that the page shows it before anything else is loaded. In the live pages the library computes.
"use strict";
(() => {
  const X = [1, 0, 0, 0, 0, 0, 0, 0],
    chart = document.getElementById("cell-chart"),
    says = document.getElementById("cell-says");
  const [w, u] = ["cell-w", "cell-u"].map((id) => document.getElementById(id));

  function statesOf(weight, memory) {
    let h = 0;
    return X.map((x) => (h = Math.tanh(weight * x + memory * h)));
  }

  const shown = (number) => number.toFixed(2).replace("-", "−");

  // Returns a bar from the line at `zero` for a value between -1 and 1, with its number beyond its end.
  function bar(step, value, zero, name) {
    const height = 38 * Math.abs(value),
      x = 40 + 54 * step;
    return (
      `<rect class="bar-${name}" x="${x}" y="${value > 0 ? zero - height : zero}" width="34" height="${height}"></rect>` +
      `<text x="${x + 17}" y="${value < 0 ? zero + height + 15 : zero - height - 4}" text-anchor="middle">${shown(value)}</text>`
    );
  }

  function sentence(h) {
    const left = Math.abs(h[7] / h[0]);
    if (w.valueAsNumber === 0) return "With W = 0 the cell does not read its input.";
    const share = `After seven zeros ${left < 0.005 ? "nothing" : `${Math.round(100 * left)} %`} of the first state is left.`;
    if (left > 1) return `${share} The cell cannot forget: U feeds the state back until tanh limits it.`;
    return `${share} ${u.valueAsNumber < 0 ? "A negative U turns the sign in each step." : "A larger U remembers longer."}`;
  }

  function draw() {
    const h = statesOf(w.valueAsNumber, u.valueAsNumber);
    const axis = (zero, name) => `<text class="q-${name}" x="4" y="${zero}">${name}</text><path class="axis" d="M30 ${zero}H476"></path>`;
    chart.innerHTML = axis(56, "x") + X.map((x, step) => bar(step, x, 56, "x")).join("") + axis(128, "h") + h.map((value, step) => bar(step, value, 128, "h")).join("");
    for (const input of [w, u]) input.nextElementSibling.textContent = shown(input.valueAsNumber);
    says.textContent = sentence(h);
  }

  w.addEventListener("input", draw);
  u.addEventListener("input", draw);
  draw();
})();
