// A pass over all steps has maps of every value, lines of the gates and states of a unit, and the norms of gradients.
"use strict";

const GATES = new Set(["i", "f", "c~", "o", "u", "r", "u~"]);

class OverTime {
  /** choose(line, t, unit) shows another equation. */
  constructor(choose) {
    this.choose = choose;
  }

  /** at: {phase, layer, dir}. The lines of each step are found only here. */
  open(lesson, at) {
    this.lesson = lesson;
    this.phase = at.phase === "weights" || at.phase === "forward" ? "forward" : "backward";
    this.steps = Array.from({ length: lesson.T }, (_, t) => lesson.step(this.phase, t, at.layer, at.dir));
    const isMapped = (line) => line.perRow && !line.about && !/^STACK/.test(line.id) && (line.id || line.name === "dh");
    const names = new Set(this.steps.flatMap((lines) => lines.filter(isMapped).map(({ name }) => name)));
    const of = (name) => this.steps.map((lines) => lines.findLast((line) => line.name === name && isMapped(line)));
    this.maps = [...names].map((name) => this.map(name, of(name)));
    byId("maps").replaceChildren(...this.maps.map(({ figure }) => figure));
    byId("norms").hidden = this.phase === "forward";
  }

  map(name, lines) {
    const map = new ValueMap(name, lines[0].rows, lines.length, (t, unit) => this.choose(lines[t], t, unit));
    return Object.assign(map, { name, lines });
  }

  /** Returns the numbers of a step's line, NaN if the row has no step. */
  values(line, row) {
    const isDead = this.lesson.isDead(line, row);
    return Array.from({ length: line.rows }, (_, unit) => (isDead ? NaN : this.lesson.value(line, unit, row)));
  }

  /** Draws the maps; showLines() is for later, because it takes as long. */
  update({ t, unit, row }) {
    this.now = this.maps.map((map) => ({ map, numbers: map.lines.map((line) => this.values(line, row)) }));
    const isDelta = (map) => map.name.startsWith("Δ");
    const sizes = this.now.filter(({ map }) => isDelta(map)).flatMap(({ numbers }) => numbers.flat().map(Math.abs));
    const deltas = sizes.reduce((a, b) => (b > a ? b : a), 0) || 1;
    for (const { map, numbers } of this.now) {
      const scale = GATES.has(map.name) ? 1 : isDelta(map) ? deltas : undefined;
      map.draw((t, unit) => numbers[t][unit], { t, unit: Math.min(unit, map.units - 1) }, scale);
    }
  }

  showLines({ t, unit }) {
    this.t = t;
    const lines = (isOne, number) =>
      this.now
        .filter(({ map }) => isOne(map.name))
        .map(({ map, numbers }) => ({ name: map.name, values: numbers.map((step) => number(step)) }));
    if (this.phase === "forward") {
      const states = lines(
        (name) => GATES.has(name) || name === "h" || name === "c",
        (step) => step[Math.min(unit, step.length - 1)],
      );
      return this.showCurves(`Gates and states of unit ${unit}`, states, { isLog: false });
    }
    const norms = lines(
      (name) => name === "dh" || name === "dc",
      (step) => Math.hypot(...step),
    );
    for (const norm of norms) norm.name = `|${norm.name}|`;
    this.showCurves("Length, over the units, of the gradient that reaches each step", norms);
    this.showNorms(norms);
  }

  showCurves(title, lines, options) {
    showChart(byId("curves"), title, lines, { at: this.t, ...options });
  }
  showNorms(norms) {
    const titles = norms.map(({ name }) => `<th scope=col>${name}`).join("");
    const rows = Array.from({ length: this.lesson.T }, (_, t) =>
      `<tr><th scope=row>${t}${norms.map(({ values }) => `<td class=number>${shown(values[t])}`).join("")}`,
    );
    byId("norm-values").innerHTML = `<tr><th scope=col>t${titles}${rows.join("")}`;
  }
}

Object.assign(globalThis, { OverTime });
