// A student follows the words of a page, with its controls alone, and reads the answers to its questions from it. A reader is
// {page, byId, enter, press, text, pause, expect}.
"use strict";

const numbersIn = (text) => (text.match(/-?\d+(\.\d+)?(e[-+]?\d+)?/g) ?? []).map(Number);
const answersOf = ({ byId }) => [...byId("answers").querySelectorAll("li")].map(({ textContent }) => textContent);

/** Finds the scale at which bytes saturate, the best one for larger inputs, and the zero point. */
function walkScales(reader) {
  const { press, enter, text, expect } = reader,
    [first, best, zero] = answersOf(reader);
  const saturated = () => numbersIn(/Saturated: (.*?)\. /.exec(text("summary"))[1]).filter((_, i) => i % 2 === 0);
  const isSaturated = () => saturated().some((count) => count > 0);
  press("s = 127, a scale for each channel");
  let s = 127;
  while (!isSaturated() && s < 300) enter("scale", ++s);
  expect("walk: the first s with a saturated byte", s, numbersIn(first)[0]);
  press("Reset");
  enter("inputs", 4);
  const errors = [];
  for (s = 1; s <= 127; ++s) {
    enter("scale", s);
    errors.push(Number(/Largest error: ([\d.e-]+)\./.exec(text("summary"))[1]));
  }
  const smallest = 1 + errors.indexOf(Math.min(...errors));
  expect("walk: the best s for larger inputs", smallest, numbersIn(best)[0]);
  enter("scale", smallest);
  expect("walk: it saturates nothing", isSaturated(), false);
  enter("scale", smallest + 1);
  expect("walk: the next one does", isSaturated(), true);
  press("GRU, s = 127");
  const without = [];
  for (let z = 118; z < 138; ++z) {
    enter("zero", z);
    if (!isSaturated()) without.push(z);
  }
  expect("walk: the zero points without a saturated byte", without.join(), numbersIn(zero).slice(0, 2).join());
  press("Reset");
}

/** Plays "why gates": finds why the gradient of the RNN vanishes, and why that of the LSTM does less. */
async function walkGates(reader) {
  const { byId, page, press, enter, text, pause, expect } = reader,
    answers = answersOf(reader);
  press("Gates open: bias 5");
  press("Play");
  const seen = new Map();
  for (let tries = 0; tries < 3000 && !seen.has(100); ++tries) {
    const [rnn, lstm] = [...page.querySelectorAll("#why .card")].map(({ textContent }) => textContent);
    seen.set(Number(byId("back").value), { rnn, lstm });
    await pause(5);
  }
  const cards = [...seen].sort(([a], [b]) => a - b).map(([, cards]) => cards);
  expect("walk: Play shows each step", cards.length, 100);
  const product = (factors) => factors.reduce((a, b) => a * b, 1);
  const near = (a, b) => Math.abs(a - b) <= 0.02 * Math.abs(b),
    isPower = (a, b) => Math.abs(a - b) <= 0.08 * Math.abs(b); // of a number with three digits
  const times = cards.map(({ rnn }) => numbersIn(/times the slope: (.*?)\.( |Left)/.exec(rnn)[1]));
  expect("walk: U times the slope is the factor, below 1", times.every(([u, slope, both]) => near(u * slope, both) && both < 1), true);
  const leftOf = (card) => Number(/Left after 100: (\S+)/.exec(card)[1]);
  expect("walk: their product is what is left of the RNN's", near(product(times.map((factors) => factors[2])), leftOf(cards[99].rnn)), true);
  const f = cards.map(({ lstm }) => Number(/way of c it multiplies by\s+f = (\S+)/.exec(lstm)[1]));
  expect("walk: f is near 1", f.every((x) => x > 0.99 && x < 1), true);
  expect("walk: more is left in the LSTM", leftOf(cards[99].lstm) > 100 * leftOf(cards[99].rnn), true);
  const because = numbersIn(text("because")), // mean factor, steps, product; twice
    [rnnMean, , rnnAll, fMean, , fAll] = because;
  expect("walk: the reason has the RNN's numbers", isPower(rnnMean ** 100, rnnAll) && near(rnnAll, leftOf(cards[99].rnn)), true);
  expect("walk: the reason has f's numbers", isPower(product(f), fAll) && isPower(fMean ** 100, fAll), true);
  expect("walk: the answer has f", numbersIn(answers[0]).join(), `1,100,${fMean}`);
  press("Bias 0: half open");
  const half = numbersIn(text("because"))[3];
  expect("walk: with bias 0 f is about one half", Math.abs(half - numbersIn(answers[1])[0]) < 0.01, true);
  expect("walk: then the LSTM's vanishes, too", /LSTM \S+ \(it vanishes\)/.test(text("summary")), true);
  press("Reset");
  let bias = 0;
  const left = () => Number(/LSTM (\S+) \(/.exec(text("summary"))[1]);
  for (enter("bias", bias); left() <= 0.01 && bias < 10; enter("bias", ++bias));
  expect("walk: the smallest bias that keeps 0.01", bias, numbersIn(answers[2])[0]);
  press("Reset");
}

/** Trains parity, then the three buttons of "first sign", each until the page says that about 200 iterations are done. */
async function walkTraining(reader) {
  const { page, press, text, pause, expect } = reader;
  const said = () => ({ iterations: numbersIn(text("said"))[0], right: Number(/([\d.]+) % of/.exec(text("said"))[1]) });
  const runUntil = async (isDone) => {
    press("Run");
    for (let tries = 0; tries < 4000 && !isDone(said()); ++tries) await pause(5);
    press("Pause");
    return said();
  };
  press("Parity, LSTM");
  expect("walk: nothing is trained at first", said().iterations, 0);
  press("Step");
  expect("walk: a chart with numbers does not", /Press Run or Step/.test(text("loss")), false);
  expect("walk: Step makes one iteration", said().iterations, 1);
  const parity = await runUntil(({ right, iterations }) => right >= 99 || iterations > 1500);
  expect(`walk: parity is learned after ${parity.iterations} iterations`, parity.right >= 99, true);
  const found = [];
  for (const button of ["First sign of 20, LSTM with bias 3", "The same, bias 0", "The same, RNN"]) {
    press(button);
    press("Step");
    const title = [...page.querySelectorAll("#norms title")].find(({ textContent }) => /, first step at iteration = 1: /.test(textContent) && !/before/.test(textContent));
    const reaches = numbersIn(title.textContent).at(-1);
    found.push({ reaches, ...(await runUntil(({ iterations }) => iterations >= 200)) });
  }
  expect(`walk: the LSTM with bias 3 answers: ${found[0].right} %`, found[0].right >= 85, true);
  expect(`walk: the other two guess: ${found[1].right} and ${found[2].right} %`, found[1].right <= 75 && found[2].right <= 75, true);
  expect("walk: of their gradient, little reaches the first step", found.slice(1).every(({ reaches }) => 100 * reaches < found[0].reaches), true);
}
