// numbers.mjs MODULE TANDEM compares every number of the module with that of `tandem trace --json`, as both are shown.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";

const [file, tandem] = process.argv.slice(2);
runInThisContext(readFileSync(new URL("../module.js", import.meta.url), "utf8"));
const SHAPE = "l1t4mb1sic3slc2dhc3",
  PROJECTED = "l1t4mb1sic2slc2dhc3dic2";
const PROBLEMS = [
  ...[
    "VANILLA_RNN --activation=TANH",
    "VANILLA_RNN --activation=RELU",
    "VANILLA_LSTM",
    "VANILLA_LSTM --with-peephole=true",
    "VANILLA_GRU",
    "LBR_GRU",
    "VANILLA_AUGRU",
    "LBR_AUGRU",
  ].flatMap((cell) => ["f32", "bf16"].map((type) => `--alg=${cell} --cfg=${type} --prop=BWD_DW ${SHAPE}`)),
  `--alg=VANILLA_LSTM --with-projection=true --prop=BWD_DW ${PROJECTED}`,
  `--alg=VANILLA_LSTM --with-projection=true --with-peephole=true --cfg=bf16 --prop=BWD_DW ${PROJECTED}`,
  ...["VANILLA_LSTM", "VANILLA_GRU", "LBR_GRU"].map((cell) => `--alg=${cell} --cfg=u8u8u8u8 ${SHAPE}`),
];

const number = (value) => (typeof value === "number" ? value : { nan: NaN, inf: Infinity, "-inf": -Infinity }[value]);
let compared = 0,
  failed = 0;
const fail = (...words) => {
  if (++failed <= 20) console.log("FAILED:", ...words);
};

function compareLine(problem, lesson, line, expected) {
  const where = `${problem}: ${line.phase} t=${line.t} ${expected.name}`;
  if (line.name !== expected.name || line.id !== (expected.id ?? "") || line.text !== (expected.equation ?? line.text)) {
    return fail(where, "is", line.id, line.name);
  }
  // A projection gives h fewer units than c has.
  if (expected.elements.length !== Math.max(line.rows, line.cellRows) * line.cols) fail(where, `has ${line.rows} x ${line.cols} elements`);
  for (const element of expected.elements) {
    const at = [element.unit ?? element.row, element.n ?? element.column];
    const pairs = element.value === undefined ? [] : [[lesson.value(line, ...at), element.value]];
    if (element.cell !== undefined) pairs.push([lesson.cellState(line, ...at), element.cell]);
    if (element.stored) pairs.push([lesson.stored(line, ...at), element.stored.value]);
    for (const [found, value] of pairs) {
      ++compared;
      if (shown(found) !== shown(number(value))) fail(where, at, shown(found), "instead of", shown(number(value)));
    }
  }
}

// Compares the parts of the last equation of the last step, for its last unit.
function compareExplanation(problem, lesson, trace) {
  const at = trace.lines.findLastIndex((line) => line.elements[0]?.parts?.length > 1 && line.elements[0].unit !== undefined);
  const element = trace.lines[at].elements.at(-1);
  const explained = lesson.explain(lesson.lines[at], element.unit, element.n);
  if (shown(explained.value) !== shown(number(element.value))) fail(problem, "explains", explained.value, element.value);
  if (explained.stages.length !== element.steps.length) fail(problem, "explains in", explained.stages.length, "stages");
  for (const part of explained.parts.filter((part) => part.terms)) {
    const sum = part.terms.reduce((total, [a, b]) => total + a * b, 0);
    // Both are sums of the same terms in double, each with at most one rounding for a product and one for a sum.
    const size = part.terms.reduce((total, [a, b]) => total + Math.abs(a * b), 0);
    if (!(Math.abs(sum - part.value) <= 4 * part.terms.length * Number.EPSILON * size))
      fail(problem, "terms give", sum, "not", part.value);
  }
}

const module = await LessonModule.load(readFileSync(file));
for (const problem of PROBLEMS) {
  const options = ["trace", "--json=-", "--rows=1", "--units=64", ...problem.split(" ")];
  const trace = JSON.parse(execFileSync(tandem, options, { encoding: "utf8", maxBuffer: 1 << 28 }));
  const lesson = module.open(problem);
  if (lesson.lines.length !== trace.lines.length) fail(problem, lesson.lines.length, "lines, not", trace.lines.length);
  trace.lines.forEach((line, i) => compareLine(problem, lesson, lesson.lines[i], line));
  compareExplanation(problem, lesson, trace);
  lesson.close();
}
try {
  module.open("--alg=NONE l1");
  fail("a problem that there is not is opened");
} catch (error) {
  if (!/NONE/.test(error.message)) fail("the sentence is", error.message);
}
console.log(`${PROBLEMS.length} problems, ${compared} numbers, ${failed} failed`);
process.exitCode = failed === 0 && compared > 5000 ? 0 : 1;
