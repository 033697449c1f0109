// The page has the reference (conformance/lesson), for scripts from file://: no module is imported, nothing is fetched.
"use strict";

// The module asks the system for these, which has no environment and no file. 52 is ENOSYS.
function lessonImports(compiled) {
  const imports = {};
  for (const { module, name } of WebAssembly.Module.imports(compiled)) (imports[module] ??= {})[name] = () => 52;
  const system = imports.wasi_snapshot_preview1 ?? {};
  if (system.environ_get) system.environ_get = () => 0;
  return imports;
}

/** Returns the bytes behind a text of base64, unzipped. */
async function unzipped(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** This has the module's functions and memory. */
class LessonModule {
  static async load(bytes) {
    const compiled = await WebAssembly.compile(bytes);
    const module = new LessonModule();
    const instance = await WebAssembly.instantiate(compiled, lessonImports(compiled));
    module.functions = instance.exports;
    instance.exports._initialize();
    return module;
  }

  text(at) {
    const bytes = new Uint8Array(this.functions.memory.buffer);
    return new TextDecoder().decode(bytes.subarray(at, bytes.indexOf(0, at)));
  }

  /** Opens a lesson on a problem as `tandem trace` takes it: "--alg=VANILLA_LSTM l1t5mb1sic4". */
  open(problem) {
    const bytes = new TextEncoder().encode(`${problem}\0`),
      at = this.functions.malloc(bytes.length);
    new Uint8Array(this.functions.memory.buffer, at, bytes.length).set(bytes);
    const lesson = this.functions.tandem_lesson_open(at);
    this.functions.free(at);
    if (lesson === 0) throw new Error(this.text(this.functions.tandem_lesson_error()));
    return new Lesson(this, lesson);
  }
}

const PHASES = ["weights", "forward", "backward", "gradients"];
// These belong to a whole row, also at a time at which the row has no step.
const OF_WHOLE_ROWS = /^STACK\.([789]|10|B[5689])$/;

const WORDS = { nan: NaN, inf: Infinity, "-inf": -Infinity };
/** Reads a number of the judge's JSON, which has no infinities and no NaN. */
const numeric = (x) => (typeof x === "string" ? WORDS[x] : x);

/** This is one problem, its lines, and their numbers: `values` is the array of a subclass. */
class LessonNumbers {
  constructor(description) {
    Object.assign(this, description);
    this.tensors = this.tensors.map((tensor) => ({ ...tensor, values: tensor.values.map(numeric) }));
    this.outputs = this.outputs.map((output) => ({ ...output }));
    this.lines = this.lines.map(
      ([formula, phase, t, layer, dir, rows, cols, cellRows, agrees, begin, stored, cell, bytes], number) => ({
        ...this.formulas[formula],
        ...{ number, formula, phase: PHASES[phase], t, layer, dir, rows, cols, cellRows },
        ...{ agrees, begin, stored, cell, bytes },
      }),
    );
    let begin = 0;
    for (const output of this.outputs) {
      output.begin = begin;
      begin += output.dims.reduce((a, b) => a * b, 1);
    }
    this.elements = begin;
  }

  tensor(name) {
    return this.tensors.find((tensor) => tensor.name === name);
  }

  // Returns an element of one part of a line. A value with one row or column has the same element for all.
  #at(begin, rows, line, row, column) {
    return begin < 0 ? NaN : this.values[begin + Math.min(column, line.cols - 1) * rows + Math.min(row, rows - 1)];
  }
  value(line, row = 0, column = 0) {
    return this.#at(line.begin, line.rows, line, row, column);
  }
  /** Returns the value as its type keeps it. */
  stored(line, row = 0, column = 0) {
    return this.#at(line.stored < 0 ? line.begin : line.stored, line.rows, line, row, column);
  }
  byte(line, row = 0, column = 0) {
    return this.#at(line.bytes, line.rows, line, row, column);
  }
  /** Returns the c of a pair (h, c), whose value is h. */
  cellState(line, row = 0, column = 0) {
    return this.#at(line.cell, line.cellRows, line, row, column);
  }
  agrees(line) {
    return line.agrees < 0 || this.values[line.agrees] !== 0;
  }
  /** Returns whether this row of the minibatch has no step at the line's time. */
  isDead(line, row) {
    const lengths = this.tensor("sequence_lengths")?.values;
    return Boolean(lengths) && line.perRow && line.t >= lengths[row] && !OF_WHOLE_ROWS.test(line.id);
  }

  /** Returns the lines of one step, in the order in which they are computed. Lines of weights and gradients have no step. */
  step(phase, t, layer = 0, dir = 0) {
    const isOfStep = phase === "forward" || phase === "backward";
    return this.lines.filter(
      (line) => line.phase === phase && line.layer === layer && line.dir === dir && (!isOfStep || line.t === t),
    );
  }
}

/** This is a problem of the module, and the numbers of its last run. */
class Lesson extends LessonNumbers {
  constructor(module, lesson) {
    super(JSON.parse(module.text(module.functions.tandem_lesson_description(lesson))));
    this.module = module;
    this.lesson = lesson;
    this.run();
  }

  close() {
    this.module.functions.tandem_lesson_close(this.lesson);
  }

  /** Returns an array of the module's memory, which another call may move. */
  doubles(at, count) {
    if (at === 0) throw new Error(this.module.text(this.module.functions.tandem_lesson_error()));
    return new Float64Array(this.module.functions.memory.buffer, at, count);
  }

  run() {
    this.at = this.module.functions.tandem_lesson_run(this.lesson);
    this.view = this.doubles(this.at, this.size);
  }
  get values() {
    if (this.view.buffer !== this.module.functions.memory.buffer) this.view = this.doubles(this.at, this.size);
    return this.view;
  }

  /** Runs the problem and unfolds one element. */
  explain(line, row, column) {
    const { tandem_lesson_select: select, tandem_lesson_explanation: explanation } = this.module.functions;
    select(this.lesson, line.number, row, column);
    this.run();
    return JSON.parse(this.module.text(explanation(this.lesson)));
  }

  /** Stores `value` as the type holds it; the numbers follow with run(). */
  set(tensor, index, value) {
    tensor.values[index] = this.module.functions.tandem_lesson_set(this.lesson, tensor.number, index, value);
    return tensor.values[index];
  }

  /** Returns for each element of the outputs the value, and the ends of the accepted interval. */
  intervals() {
    return this.doubles(this.module.functions.tandem_lesson_intervals(this.lesson), 3 * this.elements);
  }
}

/** This is a problem whose numbers are written in the page, as `tandem trace --html` does. They do not change. */
class WrittenLesson extends LessonNumbers {
  constructor({ values, intervals, explanations, ...description }) {
    super(description);
    this.values = Float64Array.from(values, numeric);
    this.written = { intervals: Float64Array.from(intervals, numeric), explanations };
  }
  run() {}
  close() {}
  /** The explanation has no parts if the page has none. */
  explain(line, row, column) {
    const at = [line.number, Math.min(row, line.rows - 1), Math.min(column, line.cols - 1)].join();
    return this.written.explanations[at] ?? { value: this.value(line, row, column), stages: [], parts: [] };
  }
  intervals() {
    return this.written.intervals;
  }
}

/** Returns a number as the command line shows it: %.6g. */
function shown(value, digits = 6) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  if (value === 0) return "0";
  const [mantissa, power] = value.toExponential(digits - 1).split("e"),
    exponent = Number(power);
  if (exponent >= -4 && exponent < digits) {
    const text = value.toFixed(digits - 1 - exponent);
    return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  }
  const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  return `${short}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

Object.assign(globalThis, { LessonModule, Lesson, WrittenLesson, numeric, unzipped, shown });
