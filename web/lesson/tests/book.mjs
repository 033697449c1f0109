// The live pages agree with the book. Each button of a page is a row of the chapter's table, the page of scales has the table's
// numbers, and a reader's changes come back from their text.
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";

const read = (path) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
for (const script of ["module", "quantized", "edits", "draw", "chart"]) runInThisContext(read(`web/lesson/${script}.js`));
let looked = 0,
  failed = 0;
function expect(what, found, expected) {
  ++looked;
  if (found !== expected) console.log(`FAILED: ${what}: ${found} instead of ${expected}`, ++failed);
}
/** Returns the buttons of a page: their state over that of its fields, and the rows that they name. */
function presetsOf(page) {
  const text = read(`web/lesson/${page}.html`);
  const fields = [...text.matchAll(/<input id="(\w+)"[^>]* value="([^"]*)"|<select id="(\w+)"><option(?: value="(\w+)")?>([^<]*)/g)];
  const given = Object.fromEntries(fields.map(([, a, value, b, word, shown]) => [a ?? b, value ?? word ?? shown]));
  return [...text.matchAll(/data-set="([^"]*)"(?: data-rows="([^"]*)")?/g)].map(([, words, rows]) => ({
    words, rows: rows?.split("; "), state: { ...given, ...Object.fromEntries(new URLSearchParams(words.replaceAll("&amp;", "&"))) },
  }));
}

// The table is from "RNN, U = 1" to "x=0.5,-0.5 W=1 U=1".
const table = new Map([...read("docs/book/vanishing.md").matchAll(/^\| ((?:RNN|LSTM|GRU)[^|]*) \| ([^|]*) \|/gm)].map((row) => row.slice(1)));
expect("rows of the book's table", table.size, 9);
const named = new Set();
for (const { words, rows, state } of presetsOf("gates")) {
  for (const row of rows) {
    named.add(row);
    const parameters = new Map((table.get(row) ?? "").split(" ").map((word) => word.split("=")));
    const value = (letter) => [...parameters].filter(([name]) => name.startsWith(letter)).map(([, number]) => Number(number));
    const u = Number(row.startsWith("RNN") ? state.rnn : state.gated);
    expect(`${row}: x`, parameters.get("x"), state.input);
    expect(`${row}: W`, value("W").join(), "1");
    expect(`${row}: U of "${words}"`, [...new Set(value("U"))].join() || "0", String(u));
    if (row.startsWith("RNN")) expect(`${row}: activation`, state.activation, row.includes("relu") ? "RELU" : "TANH");
    else expect(`${row}: bias of "${words}"`, value("B").join() || "0", state.bias);
  }
}
expect("rows that a button shows", named.size, table.size);

const scales = [...read("docs/book/int8.md").matchAll(/^\| ([^|]*(?:scale|weights)[^|]*) \| ([\d.e-]+ \|.*) \|$/gm)];
expect("rows of int8", scales.length, 10);
presetsOf("int8").forEach(({ words, state }, i) => {
  const { errors, counts } = bytesBesideExact({ ...state, scale: Number(state.scale), zero: Number(state.zero) });
  const found = [errors[0], errors[9], errors[49], errors[199], Math.max(...errors)].map((error) => shown(error, 2)).join(" | ");
  expect(scales[i][1], found, scales[i][2]);
  expect(`${words}: saturates`, counts.x.saturated + counts.h.saturated > 0, state.scale === "254");
});

const edits = new Edits();
edits.set("bias", [1, 1, 4, 3], 7, -0.25);
edits.set("bias", [1, 1, 9, 9], 80, 1); // this has no place in a smaller cell
edits.setAll("weights_iter", [1, 1, 2, 4, 2], Array.from({ length: 16 }, (_, i) => i / 4));
const model = { changed: [], exact: { tensor: (name) => ({ name, dims: name === "bias" ? [1, 1, 4, 2] : [1, 1, 2, 4, 2] }) } };
Object.assign(model, { set: (tensor, index, value) => model.changed.push([tensor.name, index, value].join()), run() {} });
Edits.of(edits.text()).applyTo(model);
expect("edits in a smaller cell", model.changed.join(" "),
  ["bias,5,-0.25", ...Array.from({ length: 16 }, (_, i) => `weights_iter,${i},${i / 4}`)].join(" "));
expect("CSV", csvOf([{ name: 'a, "b"', values: [1, 2] }], { first: 1, axis: "step" }), 'step,"a, ""b"""\n1,1\n2,2\n');

console.log(`${looked} things, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
