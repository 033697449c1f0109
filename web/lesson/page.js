// The page of one cell: what a student chooses, and what follows. A changed number changes only the texts that differ.
"use strict";

const byId = (id) => document.getElementById(id);
const math = (inner) => `<math><mrow>${inner}</mrow></math>`;

class LessonPage {
  constructor(module) {
    this.cell = LESSON_CELLS[document.body.dataset.cell];
    this.model = new LessonModel(module);
    this.chosen = { number: 0, t: 0, unit: 0 }; // number: of the equation in the step
    this.fillChoices();
    this.picture = new CellPicture(byId("picture"), (line) => this.choose(line));
    this.open();
  }

  fillChoices() {
    byId("variant").append(...Object.entries(this.cell.variants).map(([name, words]) => new Option(name, words)));
    byId("type").append(...this.cell.types.map((type) => new Option(type)));
    byId("variant").parentElement.hidden = Object.keys(this.cell.variants).length === 1;
    for (const id of ["variant", "type", "pass", "steps", "units"]) byId(id).addEventListener("change", () => this.open());
    for (const id of ["time", "unit"]) byId(id).addEventListener("input", () => this.move());
    for (const id of ["tensor", "slice"]) byId(id).addEventListener("change", () => this.showNumbers());
    byId("numbers").addEventListener("input", ({ target }) => this.change(target));
  }

  /** A new problem: all parts of the page are made anew. */
  open() {
    const number = (id) => {
      const { value, min, max } = byId(id);
      return (byId(id).value = Math.round(Math.min(Math.max(Number(value) || 1, min), max)));
    };
    const type = byId("type").value;
    if (type === "u8") byId("pass").value = "forward";
    byId("pass").options[1].disabled = type === "u8";
    this.phase = byId("pass").value;
    this.model.open({
      variant: byId("variant").value,
      type,
      backward: this.phase === "backward",
      steps: number("steps"),
      units: number("units"),
    });
    const { T, dhc } = this.model.lesson;
    byId("time").max = T - 1;
    byId("unit").max = dhc - 1;
    this.steps = Array.from({ length: T }, (_, t) =>
      this.model.lesson.step(this.phase, t).filter((line) => line.id && !line.id.startsWith("STACK")),
    );
    this.inputs = Array.from({ length: T }, (_, t) => this.model.lesson.step(this.phase, t).filter((line) => !line.id));
    this.chosen.number = 0;
    this.makeTable();
    this.makeMaps();
    this.makeIntervals();
    const options = this.model.exact.tensors.map((tensor) => new Option(tensor.name));
    byId("tensor").replaceChildren(...options);
    byId("tensor").value = "src_layer";
    this.showNumbers();
    this.move();
  }

  // What is added to is complete with its last line.
  line(name, t = this.chosen.t) {
    return (
      this.steps[t].findLast((line) => line.name === name && !line.about) ??
      this.inputs[t].find((line) => line.name === name)
    );
  }
  choose(line) {
    if (!line.id) return;
    this.chosen.number = this.steps[this.chosen.t].indexOf(line);
    this.refresh();
  }
  move() {
    this.chosen.t = Number(byId("time").value);
    this.chosen.unit = Math.min(Number(byId("unit").value) || 0, this.model.lesson.dhc - 1);
    setText(byId("time-shown").firstChild ?? byId("time-shown").appendChild(new Text()), String(this.chosen.t));
    this.refresh();
  }
  change(input) {
    const value = input.valueAsNumber;
    if (!Number.isFinite(value)) return;
    const begin = performance.now();
    this.model.set(this.tensor, Number(input.dataset.index), value);
    this.refresh();
    this.lastMilliseconds = performance.now() - begin;
  }

  /** Computes everything and shows it. */
  refresh() {
    const { unit, t } = this.chosen,
      { lesson } = this.model;
    const line = this.steps[t][this.chosen.number];
    const explained = lesson.explain(line, unit, 0);
    if (lesson !== this.model.exact) this.model.exact.run();
    this.picture.update(
      this.phase,
      (name) => this.line(name),
      (line) => lesson.stored(line, unit),
    );
    this.updateTable(line);
    for (const map of this.maps) {
      map.draw((t, unit) => lesson.value(map.lines[t], unit), this.chosen);
    }
    this.showEquation(line, explained);
    this.compare();
    // As much work as all the rest: after the numbers have been shown.
    clearTimeout(this.later);
    this.later = setTimeout(() => this.updateIntervals(), 0);
  }

  makeTable() {
    this.rows = this.steps[0].map((line, number) => {
      const row = byId("lines").insertRow();
      row.innerHTML = `<th scope=row><button type=button>${line.id}</button><td>${math(line.mathml)}<td class=number>`;
      const choose = () => this.choose(this.steps[this.chosen.t][number]);
      row.addEventListener("pointerenter", choose);
      row.querySelector("button").addEventListener("focus", choose);
      row
        .querySelector("button")
        .setAttribute("aria-label", `${line.id} ${line.name}${line.about ? `, ${line.about}` : ""}`);
      return { row, text: row.cells[2].appendChild(new Text()) };
    });
    byId("lines").replaceChildren(...this.rows.map(({ row }) => row));
  }
  updateTable(chosen) {
    const { lesson } = this.model,
      { unit, t } = this.chosen;
    this.rows.forEach(({ row, text }, number) => {
      const line = this.steps[t][number];
      const columns = line.cols > 4 ? [0, 1, 2, 3] : Array.from({ length: line.cols }, (_, column) => column);
      let numbers = columns.map((column) => shown(lesson.value(line, unit, column))).join(", ");
      if (line.cols > 4) numbers += ", …";
      if (lesson.stored(line, unit) !== lesson.value(line, unit)) numbers += ` stored: ${shown(lesson.stored(line, unit))}`;
      setText(text, numbers);
      row.classList.toggle("chosen", line === chosen);
    });
  }

  makeMaps() {
    const vectors = this.steps[0].filter(
      (line) => line.cols === 1 && !line.about && !/^d[WUBPR]/.test(line.name) && line === this.line(line.name, 0),
    );
    this.maps = vectors.map((first) => {
      const map = new ValueMap(first.name, first.rows, this.steps.length, (t, unit) => {
        byId("time").value = t;
        byId("unit").value = unit;
        this.chosen.number = this.steps[0].indexOf(first);
        this.move();
      });
      map.lines = this.steps.map((_, t) => this.line(first.name, t));
      return map;
    });
    byId("maps").replaceChildren(...this.maps.map(({ figure }) => figure));
  }

  showEquation(line, { stages, parts, value }) {
    const source = LESSON_SOURCES[line.id] ?? [],
      number = (x) => shown(x, 4);
    const products = parts
      .filter((part) => part.terms)
      .map(({ name, value, terms }) => {
        const sum = terms
          .map(([a, b]) => `${number(a)} · ${number(b)}`)
          .join(" + ")
          .replaceAll("+ -", "− ");
        return `<dt>${math(name)}<dd>${sum} = <b>${shown(value)}</b>`;
      });
    const others = parts
      .filter((part) => !part.terms)
      .map(({ name, value }) => `<dt>${math(name)}<dd><b>${shown(value)}</b>`);
    byId("equation").innerHTML = `<p class=formula>${math(line.mathml)}</p>
      <p>${stages.map((stage) => math(`<mo>=</mo>${stage}`)).join(" ") || math(`<mo>=</mo><mn>${shown(value)}</mn>`)}</p>
      <dl>${products.join("")}${others.join("")}</dl>`;
    byId("source").replaceChildren(
      ...source.flatMap(({ place, code }) => [
        Object.assign(document.createElement("small"), { textContent: `${place} ` }),
        Object.assign(document.createElement("code"), { textContent: code }),
      ]),
    );
    setText(
      byId("which").firstChild ?? byId("which").appendChild(new Text()),
      `[${line.id}] ${line.about || line.name}, unit ${this.chosen.unit} at t = ${line.t}: ${shown(value)}`,
    );
  }

  // Of outputs with a step, those of the step; all of their channels.
  makeIntervals() {
    const { lesson } = this.model;
    const names = this.phase === "forward" ? ["dst_layer"] : ["dst_layer", "diff_src_layer"];
    this.intervals = names
      .map((name) => lesson.outputs.find((output) => output.name === name))
      .filter(Boolean)
      .flatMap((output) => {
        const channels = output.dims.at(-1);
        return Array.from({ length: channels }, (_, channel) => {
          const row = byId("intervals").insertRow();
          row.innerHTML = `<th scope=row>${output.name}, unit ${channel}<td class=number><td class=number><td class=number>`;
          return { row, output, channel, channels, texts: [1, 2, 3].map((i) => row.cells[i].appendChild(new Text())) };
        });
      });
    byId("intervals").replaceChildren(...this.intervals.map(({ row }) => row));
  }
  updateIntervals() {
    const numbers = this.model.lesson.intervals();
    for (const { output, channel, channels, texts } of this.intervals) {
      const at = output.begin + 3 * (this.chosen.t * channels + channel);
      setText(texts[0], shown(numbers[at], 9));
      setText(texts[1], Number.isNaN(numbers[at + 1]) ? "any" : shown(numbers[at + 1], 9));
      setText(texts[2], Number.isNaN(numbers[at + 2]) ? "any" : shown(numbers[at + 2], 9));
    }
  }

  /** The largest distance from f32 over time. */
  compare() {
    const differs = this.model.lesson !== this.model.exact;
    byId("comparison").hidden = !differs;
    if (!differs) return;
    const values = this.model.distances(),
      type = this.model.lesson.type;
    byId("distance").replaceChildren(
      logChart(`largest distance of h from f32 over time`, [{ name: `|h ${type} − h f32|`, values }]),
    );
    byId("distance-now").textContent =
      `At t = ${this.chosen.t} the h of ${type} is at most ${shown(values[this.chosen.t], 3)} away from that of f32.`;
  }

  // As the subscripts of the weights, in the order of the tensor.
  gateNames(count) {
    const names = this.model.exact.lines
      .filter(({ phase, name }) => phase === "weights" && name.startsWith("W"))
      .map(({ name }) => name.slice(2));
    return Array.from({ length: count }, (_, gate) => names[gate] || String(gate));
  }

  /** The inputs of one tensor: a table of its last two axes, or of time and channels. */
  showNumbers() {
    this.tensor = this.model.exact.tensor(byId("tensor").value);
    const { dims, values, name } = this.tensor;
    // Weights [l, d, i, g, o]: a gate at a time, i downwards. Others: the last axis to the right.
    const gates = dims.length === 5 ? dims[3] : 1,
      columns = dims.at(-1),
      rows = values.length / columns / gates;
    if (byId("slice").options.length !== gates || (gates > 1 && byId("slice").options[0].text !== this.gateNames(gates)[0]))
      byId("slice").replaceChildren(...this.gateNames(gates).map((name, gate) => new Option(name, gate)));
    byId("slice").parentElement.hidden = gates === 1;
    const gate = Number(byId("slice").value) || 0;
    const cells = (row) =>
      Array.from({ length: columns }, (_, column) => {
        const index = (row * gates + gate) * columns + column;
        return `<td><input type=number step=0.05 data-index=${index} value=${Number(values[index].toPrecision(7))}
        aria-label="${name} ${row}, ${column}">`;
      });
    byId("numbers").innerHTML = Array.from(
      { length: rows },
      (_, row) => `<tr><th scope=row>${row}${cells(row).join("")}`,
    ).join("");
  }
}

addEventListener("DOMContentLoaded", async () => {
  const module = await LessonModule.load(await unzipped(LESSON_MODULE));
  globalThis.lessonPage = new LessonPage(module);
  document.body.dataset.ready = "yes";
});
