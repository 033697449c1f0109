// The live pages keep what they say in passing: what a network is given, what colours mean, what a slope does.
"use strict";

const redOrBlue = (element) => {
  const [red, , blue] = element.ownerDocument.defaultView.getComputedStyle(element).fill.match(/\d+/g).map(Number);
  return red > blue ? "red" : "blue";
};

/** "Why gates": the loss is the last h, all cells read the same input, and U is a number times a rotation. */
function lookAtGivenNumbers({ contentDocument: page, contentWindow: window }) {
  window.gatesPage.state.set("");
  enter(page, "units", 3);
  enter(page, "gated", 0.5);
  const { cells } = window.gatesPage,
    wrong = [];
  const said = (what, isSo) => isSo || wrong.push(what);
  for (const { name, lesson, candidate, open, units, steps } of cells) {
    const values = (tensor) => [...lesson.tensor(tensor).values],
      [gates] = [lesson.tensor("weights_layer").dims[3]];
    const loss = values("diff_dst_layer"),
      last = loss.splice((steps - 1) * units);
    said(`${name}: the loss of the steps before`, loss.every((x) => x === 0));
    said(`${name}: the loss of the last step`, Math.abs(Math.hypot(...last) - 1) < 1e-6);
    said(`${name}: the input`, values("src_layer").join() === [...cells[0].lesson.tensor("src_layer").values].join());
    values("weights_layer").forEach((w, i) => {
      const [from, gate, to] = [Math.floor(i / units / gates), Math.floor(i / units) % gates, i % units];
      said(`${name}: W`, w === (gate === candidate && from === to ? 1 : 0));
    });
    const u = values("weights_iter"),
      size = name === "RNN" ? 1 : 0.5;
    for (let gate = 0; gate < gates; ++gate) {
      const columns = Array.from({ length: units }, (_, to) => Array.from({ length: units }, (_, from) => u[(from * gates + gate) * units + to]));
      columns.forEach((a, i) => columns.forEach((b, j) => {
        const product = a.reduce((sum, x, k) => sum + x * b[k], 0);
        said(`${name}: U is a rotation`, Math.abs(product - (i === j ? size * size : 0)) < 1e-5);
      }));
    }
    if (open !== undefined) said(`${name}: bias`, values("bias").every((b, i) => b === (Math.floor(i / units) === open ? 5 : 0)));
  }
  expect("gates: what the networks are given", [...new Set(wrong)].join("; "), "");
}

/** "Why gates": a square is full, empty or gold as the page says. */
function lookAtSquares({ contentDocument: page, contentWindow: window }) {
  let [full, empty, gold, wrong] = [0, 0, 0, 0];
  for (const button of page.querySelectorAll("button[data-rows]")) {
    button.click();
    const squares = [...page.querySelectorAll("#reach rect:not(.frame-of)")];
    const lengths = window.gatesPage.shown.flatMap(({ lengths }) => lengths);
    squares.forEach((square, i) => {
      const opacity = Number(square.getAttribute("fill-opacity")),
        isGold = square.classList.contains("longer");
      if (isGold !== lengths[i] > 1 || (lengths[i] >= 1 && opacity !== 1) || (lengths[i] < 1e-4 && opacity !== 0)) ++wrong;
      [full, empty, gold] = [full + (opacity === 1), empty + (opacity === 0), gold + isGold];
    });
    if (squares.length !== lengths.length) ++wrong;
  }
  expect("gates: squares that are not as the page says", wrong, 0);
  expect(`gates: ${full} full, ${empty} empty, ${gold} gold squares`, full > 0 && empty > 0 && gold > 0, true);
}

/** "Train one": an iteration reads 32 new sequences; red is 1, blue is 0, and an unsure answer is pale. */
function lookAtAnswers({ contentDocument: page, contentWindow: window }) {
  const { trainPage } = window;
  trainPage.state.set("");
  const { trainer } = trainPage,
    { network } = trainer,
    record = network.record,
    read = [];
  network.record = (x, options) => (read.push([options.rows, x.join()].join()), record.call(network, x, options));
  for (let i = 0; i < 3; ++i) page.getElementById("step").click();
  delete network.record;
  expect("train: an iteration reads 32 new sequences", read.every((one) => one.startsWith("32,")) && new Set(read).size, 3);
  const { steps, tests } = trainer,
    { answers } = trainer.test();
  const squares = [...page.querySelectorAll("#answers rect:not(.span)")],
    wrong = [];
  for (let row = 0; row < 4; ++row)
    for (let t = 0; t < steps; ++t) {
      const at = t * tests.rows + row;
      const numbers = [tests.x[at], tests.targets[at] - 0.5, answers[at] - 0.5];
      numbers.forEach((number, kind) => {
        const square = squares[(3 * row + kind) * steps + t];
        if (redOrBlue(square) !== (number > 0 ? "red" : "blue")) wrong.push(`colour of ${row}, ${t}, ${kind}`);
      });
      const opacity = Number(squares[(3 * row + 2) * steps + t].getAttribute("fill-opacity"));
      if (Math.abs(opacity - Math.abs(2 * answers[at] - 1)) > 1e-6) wrong.push(`opacity of ${row}, ${t}`);
    }
  expect("train: squares of the answers", wrong.join("; "), "");
}

/** A reader moves relu's slope: below 0, h is the slope times a. */
function changeSlope({ contentDocument: page, contentWindow: window }) {
  const relu = [...page.getElementById("variant").options].find(({ text }) => text === "relu").value;
  for (const [id, value] of [["variant", relu], ["type", "f32"], ["pass", "forward"], ["slope", 0.3]]) enter(page, id, value);
  const value = (id) => Number([...page.getElementById("lines").rows].find(({ cells }) => cells[0].textContent === id).cells[2].textContent);
  let negative = 0;
  for (let unit = 0; unit < 4; ++unit)
    for (let t = 0; t < 4; ++t) {
      enter(page, "unit", unit, "input");
      enter(page, "time", t, "input");
      const [a, h] = [value("RNN.1"), value("RNN.2")];
      if (a >= 0) continue;
      ++negative;
      expect(`relu: h of unit ${unit} at t = ${t}`, Math.abs(h - 0.3 * a) < 1e-5, true);
    }
  expect("relu: some pre-activations are negative", negative > 0, true);
  expect("relu: the address has the slope", /slope=0.3/.test(window.location.hash), true);
  [...page.querySelectorAll("button")].find((button) => button.textContent === "Reset").click();
}

/** Rows of different lengths: behind its end a row has no numbers. Peepholes have no bytes. */
function changeVariant({ contentDocument: page, contentWindow: window }) {
  const { lessonPage } = window,
    variant = (name) => [...page.getElementById("variant").options].find(({ text }) => text === name).value;
  lessonPage.state.set("");
  enter(page, "variant", variant("rows of different lengths"));
  const lengths = [...lessonPage.model.lesson.tensor("sequence_lengths").values],
    row = lengths.findIndex((length) => length > 0 && length < 8);
  enter(page, "row", row);
  for (const [t, hasStep] of [[lengths[row] - 1, true], [lengths[row], false]]) {
    enter(page, "time", t, "input");
    const where = `lstm, row ${row} of ${lengths[row]} steps at t = ${t}`;
    expect(`${where}: the panel`, /no step/.test(page.getElementById("which").textContent), !hasStep);
    expect(`${where}: numbers put in`, /has ended before this step/.test(page.getElementById("equation").textContent), !hasStep);
    expect(`${where}: numbers in the picture`, page.querySelectorAll(".place[role=button]").length > 3, hasStep);
  }
  lessonPage.state.set("");
  enter(page, "type", "u8");
  enter(page, "variant", variant("with peephole"));
  expect("lstm: peepholes have no bytes", page.getElementById("type").value, "f32");
  expect("lstm: peepholes have equations", /PEEP.1/.test(page.getElementById("lines").textContent), true);
  lessonPage.state.set("");
}
