// The reference in a page (conformance/lesson), for scripts that work from file://: no module is imported, nothing is fetched.
"use strict";

// What the module asks of the system: no environment, no file. 52 is ENOSYS.
function lessonImports(compiled) {
  const imports = {};
  for (const { module, name } of WebAssembly.Module.imports(compiled)) (imports[module] ??= {})[name] = () => 52;
  const system = imports.wasi_snapshot_preview1 ?? {};
  if (system.environ_get) system.environ_get = () => 0;
  return imports;
}

/** The bytes behind a text of base64, unzipped. */
async function unzipped(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The module's functions and memory. */
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

  /** A lesson on a problem as `tandem trace` takes it: "--alg=VANILLA_LSTM l1t5mb1sic4". */
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

/** One problem, its lines, and the numbers of its last run. */
class Lesson {
  constructor(module, lesson) {
    this.module = module;
    this.lesson = lesson;
    Object.assign(this, JSON.parse(module.text(module.functions.tandem_lesson_description(lesson))));
    this.lines = this.lines.map(([formula, phase, t, layer, dir, rows, cols, begin, stored], number) => ({
      number,
      ...this.formulas[formula],
      phase: PHASES[phase],
      t,
      layer,
      dir,
      rows,
      cols,
      begin,
      stored,
    }));
    let begin = 0;
    for (const output of this.outputs) {
      output.begin = begin;
      begin += 3 * output.dims.reduce((a, b) => a * b, 1);
    }
    this.run();
  }

  close() {
    this.module.functions.tandem_lesson_close(this.lesson);
  }

  /** An array of the module's memory, which another call may move. */
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

  /** The value of a line's element; `stored` as its type keeps it. */
  value(line, row = 0, column = 0) {
    return this.values[line.begin + Math.min(column, line.cols - 1) * line.rows + Math.min(row, line.rows - 1)];
  }
  stored(line, row = 0, column = 0) {
    return line.stored < 0
      ? this.value(line, row, column)
      : this.values[line.stored + Math.min(column, line.cols - 1) * line.rows + Math.min(row, line.rows - 1)];
  }

  /** Runs, and unfolds one element. */
  explain(line, row, column) {
    const { tandem_lesson_select: select, tandem_lesson_explanation: explanation } = this.module.functions;
    select(this.lesson, line.number, row, column);
    this.run();
    return JSON.parse(this.module.text(explanation(this.lesson)));
  }

  /** Keeps what the type holds of `value`; the numbers follow with run(). */
  set(tensor, index, value) {
    tensor.values[index] = this.module.functions.tandem_lesson_set(this.lesson, tensor.number, index, value);
    return tensor.values[index];
  }
  tensor(name) {
    return this.tensors.find((tensor) => tensor.name === name);
  }

  /** For each element of the outputs: the value, and the ends of what is accepted. */
  intervals() {
    const last = this.outputs.at(-1);
    const size = last.begin + 3 * last.dims.reduce((a, b) => a * b, 1);
    return this.doubles(this.module.functions.tandem_lesson_intervals(this.lesson), size);
  }

  /** The lines of one step, in the order in which they are computed. */
  step(phase, t) {
    return this.lines.filter((line) => line.phase === phase && line.t === t && line.layer === 0 && line.dir === 0);
  }
}

/** A number as the command line shows it: %.6g. */
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

Object.assign(globalThis, { LessonModule, Lesson, unzipped, shown });
