// expected.mjs MODULE TANDEM FOLDER writes to FOLDER/expected.js what a student will see, as `tandem trace --json` has it.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInThisContext } from "node:vm";

const [file, tandem, folder] = process.argv.slice(2);
for (const script of ["module.js", "cells.js"])
  runInThisContext(readFileSync(new URL(`../${script}`, import.meta.url), "utf8"));
const STEPS = 5,
  UNITS = 3;

/** Returns [{t, unit, id, name, about, text}] of the steps and units that are looked at, and where a gradient's columns begin. */
function expectedOf(problem, phase, options = []) {
  const words = ["trace", "--json=-", "--rows=1", "--units=16", ...options, ...problem.split(" ")];
  const trace = JSON.parse(execFileSync(tandem, words, { encoding: "utf8", maxBuffer: 1 << 28 }));
  return [
    [0, 0],
    [STEPS - 1, UNITS - 1],
    [2, 1],
  ].map(([t, unit]) => ({
    t,
    unit,
    lines: trace.lines
      .filter((line) => line.phase === phase && line.t === t && (line.l ?? 0) === 0 && (line.d ?? 0) === 0)
      .map(({ id, name, elements }) => {
        const element = elements.find((one) => (one.unit ?? one.row) === unit) ?? elements[0];
        const first = id ? element.value : elements[0].value; // x and h' are shown with all channels
        return { id: id ?? "", name, first, value: element.value, stored: element.stored?.value ?? element.value };
      }),
  }));
}

// Gives one weight of the page's own problem another value.
function changed(problem) {
  const module = LessonModule.fromFile,
    tensor = module.open(problem).tensor("weights_layer");
  const values = Float32Array.from(tensor.values),
    index = 1;
  values[index] = 0.75;
  const header = JSON.stringify({
    weights_layer: { dtype: "F32", shape: tensor.dims, data_offsets: [0, values.byteLength] },
  });
  const padded = header.padEnd(Math.ceil(header.length / 8) * 8),
    size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(padded.length));
  const data = join(folder, "changed.safetensors");
  writeFileSync(data, Buffer.concat([size, Buffer.from(padded), Buffer.from(values.buffer)]));
  return { index, value: 0.75, seen: expectedOf(problem, "forward", [`--data=${data}`]) };
}

LessonModule.fromFile = await LessonModule.load(readFileSync(file));
const cases = [];
for (const [page, { variants, types }] of Object.entries(LESSON_CELLS)) {
  for (const variant of Object.values(variants)) {
    // Types are tried with one layer and one direction.
    const isPlain = !/--direction| (l|mb)\d/.test(variant);
    for (const type of types.filter((type) => type === "f32" || (isPlain && type !== "u8"))) {
      for (const pass of ["forward", "backward"]) {
        const slope = variant.includes("RELU") ? 0.1 : undefined;
        const problem = problemOf({ variant, type, slope, backward: pass === "backward", steps: STEPS, units: UNITS });
        const one = { page, variant, type, pass, steps: STEPS, units: UNITS, seen: expectedOf(problem, pass) };
        if (type === "f32" && pass === "forward") one.changed = changed(problem);
        cases.push(one);
      }
    }
  }
}
// These are rows of the book's table: their numbers 1, 5, 10, 20, 50 and 100 steps back.
const book = readFileSync(new URL("../../../docs/book/vanishing.md", import.meta.url), "utf8");
const rows = [...book.matchAll(/^\| ((?:RNN|LSTM|GRU)[^|]*) \| [^|]* \| (.*) \|$/gm)].map(([, name, numbers]) => [name, numbers]);
const texts = [`globalThis.EXPECTED = ${JSON.stringify(cases)};`, `globalThis.BOOK = ${JSON.stringify(Object.fromEntries(rows))};`];
writeFileSync(join(folder, "expected.js"), `${texts.join("\n")}\n`);
