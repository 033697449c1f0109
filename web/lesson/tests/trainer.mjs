// trainer.mjs [MODULE]: the trainer of the page "Train one" must learn its tasks, and a seed must give the same curve. MODULE is
// the library's. Without it the network is one of plain JavaScript, and the tasks of gated cells are left out.
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";
import { load } from "../../package/index.mjs";
import { PlainRnn } from "./plain_rnn.mjs";

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
runInThisContext(read("trainer.js"));
const module = process.argv[2];
const library = module && (await load(readFileSync(module)));
const make = (cell, options) => (library ? library.network(cell, options) : new PlainRnn(cell, options, randomOf(options.seed)));
let failed = 0;
const expect = (what, isSo) => isSo || console.log("FAILED:", what, ++failed);

const GIVEN = { cell: "lstm", task: "parity", steps: 8, units: 8, seed: 1, rate: 0.03, bias: 1, clip: 1 };
function trained(options, iterations) {
  const trainer = new Trainer(make, { ...GIVEN, ...options });
  while (trainer.curves.loss.length < iterations) trainer.step();
  return trainer;
}

// The rows are the buttons of the page, in their order: how many iterations, the least part of right answers, and the most.
const LEARNED = [[200, 0.99, 1], [500, 0.99, 1], [200, 0.85, 1], [200, 0, 0.7], [200, 0, 0.7], [200, 0.99, 1]];
const presets = [...read("train.html").matchAll(/data-set="([^"]*)"/g)].map(([, words]) => Object.fromEntries(new URLSearchParams(words.replaceAll("&amp;", "&"))));
const numeric = (words) => Object.fromEntries(Object.entries(words).map(([key, x]) => [key, Number.isNaN(Number(x)) ? x : Number(x)]));
expect("a number of iterations for each button", presets.length === LEARNED.length);
const RNN = { cell: "vanilla_rnn", task: "first sign", steps: 5, rate: 0.02 };
const [first, second, other] = [RNN, RNN, { ...RNN, seed: 2 }].map((options) => trained(options, 60));
expect("the same seed gives the same curves", JSON.stringify(first.curves) === JSON.stringify(second.curves));
expect("another seed gives another curve", first.curves.loss.join() !== other.curves.loss.join());
expect(`first sign of 5 is learned by an RNN: ${trained(RNN, 300).test().right}`, trained(RNN, 300).test().right > 0.9);

// The gradient must be that of the loss: one weight makes a small step, up and down, in the type of the network.
function checkGradient() {
  const trainer = trained(RNN, 5),
    batch = sequences("first sign", 5, 8, randomOf(3)),
    loss = () => trainer.loss(trainer.network.run(batch.x, { rows: 8 }).y, batch);
  const tape = trainer.network.record(batch.x, { rows: 8 }),
    { dy, dOutput } = trainer.loss(tape.y, batch);
  const found = tape.backward({ dy }).weights[0].weights_iter[1];
  const slope = (array, set) => {
    const kept = array[1];
    const [up, down] = [1e-2, -1e-2].map((by) => {
      array[1] = kept + by;
      set();
      return loss().loss;
    });
    array[1] = kept;
    set();
    return (up - down) / 2e-2;
  };
  const weights = slope(trainer.weights.weights_iter, () => trainer.network.setWeights([trainer.weights]));
  expect(`gradient of a weight: ${found}, by differences ${weights}`, Math.abs(found - weights) < 1e-3 * Math.abs(found) + 1e-5);
  const output = slope(trainer.output, () => {});
  expect(`gradient of the output: ${dOutput[1]}, by differences ${output}`, Math.abs(dOutput[1] - output) < 1e-3 * Math.abs(output) + 1e-5);
}
checkGradient();

if (!library) console.log("LEFT OUT: no module: the buttons of the page are not trained");
const firsts = [];
for (const [i, words] of library ? presets.entries() : []) {
  const [iterations, least, most] = LEARNED[i],
    trainer = trained(numeric(words), iterations),
    { right } = trainer.test();
  expect(`${JSON.stringify(words)}: ${right} of the answers are right`, right >= least && right <= most);
  firsts.push(trainer.curves.first[0]);
  trainer.free();
}
if (library) expect(`what reaches the first step, of an LSTM with bias 3 and of an RNN: ${firsts}`, firsts[2] > 1000 * firsts[4]);
console.log(`${failed} failed`);
process.exitCode = failed ? 1 : 0;
