// A page shows one lesson in f32, which a student changes, and the same sequence in the chosen type.
"use strict";

// Returns for u8 the quantized weights or data, not yet rounded. weights_layer and weights_iter are [l, d, i, g, o].
function quantized(lesson, tensor, index, value) {
  if (tensor.type === "u8") return lesson.data.scale * (value + lesson.data.shift);
  if (tensor.type === "s8") return value * lesson.weights_scale[index % (tensor.dims[3] * tensor.dims[4])];
  return value;
}

class LessonModel {
  constructor(module) {
    this.module = module;
    this.canCompute = true;
  }

  /** options: those of problemOf. Changed numbers are lost. */
  open(options) {
    for (const lesson of new Set([this.exact, this.lesson])) lesson?.close();
    this.exact = this.lesson = null;
    this.exact = this.module.open(problemOf({ ...options, type: "f32" }));
    this.lesson = options.type === "f32" ? this.exact : this.module.open(problemOf(options));
    for (const tensor of this.exact.tensors) tensor.values.forEach((value, index) => this.#hand(tensor, index, value));
    this.run();
  }

  #hand(tensor, index, value) {
    if (this.lesson === this.exact) return;
    const same = this.lesson.tensor(tensor.name);
    if (same) this.lesson.set(same, index, quantized(this.lesson, same, index, value));
  }

  /** Sets a student's number. */
  set(tensor, index, value) {
    this.#hand(tensor, index, this.exact.set(tensor, index, value));
  }

  run() {
    this.exact.run();
    if (this.lesson !== this.exact) this.lesson.run();
  }

  /** Returns for each step the largest distance of a stored h from that of f32. */
  distances() {
    const steps = [];
    for (let t = 0; t < this.exact.T; ++t) {
      const [ours, exact] = [this.lesson, this.exact].map((lesson) => [
        lesson,
        lesson.step("forward", t).findLast((line) => line.name === "h" && !line.id.startsWith("STACK")),
      ]);
      let largest = 0;
      for (let unit = 0; unit < exact[1].rows; ++unit) {
        largest = Math.max(largest, Math.abs(ours[0].stored(ours[1], unit) - exact[0].stored(exact[1], unit)));
      }
      steps.push(largest);
    }
    return steps;
  }
}

/** This is the one problem of a page that `tandem trace --html` has written: `module` may be missing. */
class TracedModel {
  constructor(module, data) {
    const written = new WrittenLesson(data);
    this.exact = this.lesson = module ? this.#opened(module, written) : written;
    this.canCompute = this.lesson !== written;
    this.given = written.tensors.map(({ name, values }) => [name, [...values]]);
    this.wasChanged = false;
  }

  // The module has the tensors of the generator; the page may have others. A module of another version is of no use.
  #opened(module, written) {
    const lesson = module.open(written.problem);
    if (lesson.lines.length !== written.lines.length) return written;
    for (const { name, values } of written.tensors) {
      values.forEach((value, index) => lesson.set(lesson.tensor(name), index, value));
    }
    lesson.run();
    return lesson;
  }

  set(tensor, index, value) {
    this.exact.set(tensor, index, value);
    this.wasChanged = true;
  }
  /** Undoes a reader's changes. */
  restore() {
    if (!this.wasChanged) return;
    for (const [name, values] of this.given) values.forEach((value, index) => this.exact.set(this.exact.tensor(name), index, value));
    this.exact.run();
    this.wasChanged = false;
  }
  run() {
    this.exact.run();
  }
}

Object.assign(globalThis, { LessonModel, TracedModel });
