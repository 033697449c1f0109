// The live pages keep their claims. The functions of student.js look at them.
"use strict";

/** Each button of "why gates" has its rows of the book, and the LSTM keeps more where the page says so. */
function lookAtGates(frame) {
  const page = frame.contentDocument, press = (button) => (button.click(), button.dataset.rows.split("; "));
  const numbers = () => Object.fromEntries([...page.getElementById("norms").rows].map(({ cells }) =>
    [cells[0].textContent, [...cells].slice(1).map((cell) => cell.textContent)]));
  const buttons = [...page.querySelectorAll("button[data-rows]")], left = {};
  for (const button of buttons) {
    for (const row of press(button)) expect(`gates: ${row}`, numbers()[row.slice(0, 4).replace(/\W/g, "")].join(" | "), BOOK[row]);
    left[button.textContent.split(":")[0]] = Object.fromEntries(Object.entries(numbers()).map(([cell, row]) => [cell, Number(row.at(-1))]));
  }
  const open = left["Gates open"], half = left["Bias 0"], one = left["Bias 1"], relu = left.Explosion;
  expect("gates open: the LSTM and the GRU keep more than the RNN", open.LSTM > open.RNN && open.GRU > open.RNN, true);
  expect("bias 0: the LSTM keeps more than the RNN, and both vanish", half.LSTM > half.RNN && half.LSTM < 1e-3, true);
  expect("bias 1 is not enough: the RNN with U = 1 keeps more", one.LSTM < one.RNN, true);
  expect("relu explodes", relu.RNN > 1e4 && /RNN 1.38e\+04 \(it explodes\)/.test(page.getElementById("summary").textContent), true);
  press(buttons[0]);
  enter(page, "units", 8);
  const many = numbers();
  expect("with 8 units the LSTM keeps more", Number(many.LSTM.at(-1)) > 10 * Number(many.RNN.at(-1)), true);
  for (const id of ["rnn", "gated"]) enter(page, id, 0);
  expect("U = 0: nothing of the RNN is left", numbers().RNN.join(), "0,0,0,0,0,0");
  expect("U = 0: the chart is not blank", page.querySelectorAll("#lengths polyline[points*=' ']").length >= 2, true);
  enter(page, "rnn", 7);
  expect("a number that is refused", /7 is not taken: "U of the RNN" takes numbers from -3 to 3/.test(page.getElementById("refused").textContent), true);
  enter(page, "rnn", 1.125);
  expect("a typed number is obeyed", /rnn=1.125/.test(frame.contentWindow.location.hash), true);
}

/** The same seed must give the same curves, and the first button must learn parity. */
async function lookAtTraining(frame) {
  const page = frame.contentDocument, { trainPage } = frame.contentWindow;
  expect("train: an empty chart says what to press", /Press Run or Step/.test(page.getElementById("loss").textContent), true);
  const trained = async (iterations) => {
    trainPage.state.set("");
    trainPage.run(iterations);
    while (trainPage.isRunning) await pause();
    return { curve: trainPage.trainer.curves.loss.join(), said: page.getElementById("said").textContent };
  };
  const [first, second] = [await trained(400), await trained(400)];
  expect("train: the same seed gives the same curve", first.curve === second.curve && first.curve.split(",").length === 400, true);
  expect(`train: parity is learned: ${second.said}`, Number(/([\d.]+) % of the answers/.exec(second.said)[1]) >= 99, true);
  expect("train: the address has the iterations", /iterations=400/.test(frame.contentWindow.location.hash), true);
  enter(page, "seed", 2);
  expect("train: another seed begins anew", /^0 iterations/.test(page.getElementById("said").textContent), true);
}

/** Returns a safetensors file with PyTorch's names: a GRU or LSTM of one layer whose numbers are 1/64, 2/64, ... */
function weightsFile(gates, inputs, units) {
  const shapes = { weight_ih_l0: [gates * units, inputs], weight_hh_l0: [gates * units, units], bias_ih_l0: [gates * units], bias_hh_l0: [gates * units] };
  let at = 0;
  const header = {};
  for (const [name, shape] of Object.entries(shapes)) {
    const bytes = 4 * shape.reduce((a, b) => a * b);
    header[name] = { dtype: "F32", shape, data_offsets: [at, (at += bytes)] };
  }
  const text = JSON.stringify(header), size = new DataView(new ArrayBuffer(8));
  size.setBigUint64(0, BigInt(text.length), true);
  return new File([size, text, Float32Array.from({ length: at / 4 }, (_, i) => (i + 1) / 64)], "own.safetensors");
}

/** A changed number must survive other passes, types and sizes; undo takes it back. A file's weights or an error must come. */
async function changeNumbers(frame) {
  const page = frame.contentDocument, window = frame.contentWindow, { lessonPage } = window;
  const press = (text) => [...page.querySelectorAll("button")].find((button) => button.textContent === text).click();
  press("Reset");
  enter(page, "tensor", "weights_iter");
  const input = () => page.querySelector("#numbers input[data-index='1']");
  const given = input().value;
  enter(page, input(), 0.625, "input");
  input().dispatchEvent(new Event("change", { bubbles: true }));
  for (const [id, value] of [["pass", "backward"], ["type", "bf16"], ["steps", 5], ["pass", "forward"], ["type", "u8"]]) {
    enter(page, id, value);
    expect(`a changed number after ${id}=${value}`, input().value, "0.625");
  }
  enter(page, "units", 6);
  expect("a changed number in a larger cell", lessonPage.model.exact.tensor("weights_iter").values[1], 0.625);
  expect("the address has the number", /edits=weights_iter/.test(window.location.hash), true);
  const link = window.location.hash;
  for (let i = 0; i < 7; ++i) press("Undo");
  enter(page, "tensor", "weights_iter");
  expect("undo takes it back", input().value, given);
  lessonPage.state.set(link);
  expect("a link brings it", lessonPage.model.exact.tensor("weights_iter").values[1], 0.625);
  const files = new DataTransfer();
  const load = async (file) => {
    files.items.clear();
    page.getElementById("file-said").textContent = "";
    files.items.add(file);
    page.getElementById("file").files = files.files;
    page.getElementById("file").dispatchEvent(new Event("change", { bubbles: true }));
    for (let tries = 0; tries < 100 && !page.getElementById("file-said").textContent; ++tries) await pause();
    return page.getElementById("file-said").textContent;
  };
  press("Reset");
  expect("a file's weights", /3 inputs, 2 units/.test(await load(weightsFile(4, 3, 2))), true);
  expect("its first number", lessonPage.model.exact.tensor("weights_layer").values[0], 1 / 64);
  expect("its inputs", lessonPage.model.exact.tensor("src_layer").dims.at(-1), 3);
  expect("the file of another cell", /its page is lbr_gru.html/.test(await load(weightsFile(3, 3, 2))), true);
  press("Reset");
}
