// The page is about one cell or one problem: the reader's choices and their effect. A changed number changes only the texts that
// differ. `tandem trace --html` writes LESSON_DATA: one problem with its numbers.
"use strict";

const MOST_COLUMNS = 4, // for a weight
  MOST_CHANNELS = 8; // for x and h'
const ofProblem = ["variant", "type", "pass", "steps", "units", "slope"],
  ofPlace = ["time", "unit", "layer", "dir", "row"];

class LessonPage {
  /** `data` is LESSON_DATA of a written page, which may have no module. */
  constructor(module, data) {
    this.data = data;
    this.cell = LESSON_CELLS[document.body.dataset.cell];
    this.model = data ? new TracedModel(module, data) : new LessonModel(module);
    this.chosen = { formula: -1, t: 0, unit: 0, ...data?.chosen };
    this.fillChoices();
    this.picture = new CellPicture(byId("picture"), (line) => this.choose(line));
    this.panel = new EquationPanel((place) => this.go(place));
    this.overTime = new OverTime((line, t, unit) => {
      this.chosen.formula = line.formula;
      this.go({ phase: line.phase, t, unit });
    });
    this.numbers = new NumberTable((isLast) => (isLast ? this.state.keep() : this.changed()));
    this.outputs = new OutputTable(data?.implementations);
    this.state = new PageState(byId("choices"), {
      fields: ofProblem,
      open: () => this.open(),
      more: () => this.more(),
      take: (words) => (this.wanted = words),
    });
    if (data) byId("slope").closest(".slid").hidden = true;
    this.player = new Player(byId("time"), { isBackward: () => this.overTime.phase === "backward" });
    document.addEventListener("pointerover", ({ target }) => this.follow(target));
    document.addEventListener("focusin", ({ target }) => this.follow(target.querySelector("[class*='q-']") ?? target));
    byId("file").addEventListener("change", () => this.loadFile());
    byId("file").closest("p").hidden = Boolean(data) || !globalThis.TANDEM || !CELL_OF_PAGE[document.body.dataset.cell];
    this.open();
  }

  fillChoices() {
    if (this.data) {
      for (const id of ofProblem.filter((id) => id !== "pass")) byId(id).parentElement.hidden = true;
      const { problem, summary, dataFile } = this.data;
      const about = escaped(`${summary}${dataFile && `, tensors from ${dataFile}`}`);
      byId("about").innerHTML = `<code>${escaped(problem)}</code><br>${about}`;
    } else {
      byId("variant").append(...Object.entries(this.cell.variants).map(([name, words]) => new Option(name, words)));
      byId("type").append(...this.cell.types.map((type) => new Option(type)));
      byId("variant").parentElement.hidden = Object.keys(this.cell.variants).length === 1;
    }
    for (const id of ofPlace) {
      byId(id).addEventListener("input", () => this.move());
      byId(id).addEventListener("change", () => (byId(id).type !== "number" || isObeyed(byId(id))) && this.keepPlace());
    }
  }
  keepPlace() {
    this.move();
    this.state.keep();
  }

  /** Returns the state beside the fields of a problem: the place, the changed numbers, and the inputs of a file's weights. */
  more() {
    const place = ofPlace.map((id) => [id, byId(id).value]).filter(([, value]) => value !== "" && value !== "0");
    return { ...Object.fromEntries(place), inputs: this.inputs, edits: this.numbers?.edits.text() };
  }
  /** Takes these from an address. */
  takeMore() {
    if (!this.wanted) return;
    this.inputs = Math.min(Number(this.wanted.inputs), 16) || undefined;
    this.numbers.edits = Edits.of(this.wanted.edits);
  }
  takePlace() {
    for (const id of this.wanted ? ofPlace : []) {
      if (!this.data || this.wanted[id] !== undefined) byId(id).value = this.wanted[id] ?? 0;
    }
    this.wanted = null;
  }

  async loadFile() {
    const [file] = byId("file").files;
    if (!file) return;
    try {
      const found = weightsOfFile(await file.arrayBuffer(), document.body.dataset.cell);
      for (const [name, [dims, values]] of Object.entries(found.tensors)) this.numbers.edits.setAll(name, dims, values);
      this.inputs = found.inputs === found.units ? undefined : found.inputs;
      byId("units").value = found.units;
      byId("file-said").textContent = `The first layer of ${file.name}: ${found.inputs} inputs, ${found.units} units.`;
      this.open();
      this.state.keep();
    } catch (error) {
      byId("file-said").textContent = `${file.name} is not taken: ${error.message}.`;
    }
  }

  /** Marks a letter wherever it stands, in picture, equation, code and curves, and says its value. */
  follow(target) {
    const letter = target?.closest?.("[class*='q-']"),
      css = letter && [...letter.classList].find((name) => name.startsWith("q-"));
    if (css === this.followed || !css) return;
    this.followed = css;
    for (const element of document.querySelectorAll(".lit")) element.classList.remove("lit");
    for (const element of document.querySelectorAll(`.${css}`)) element.classList.add("lit");
  }
  /** Shows the number of a variable beside it in the reference's code. */
  showInCode() {
    const { unit, row } = this.chosen;
    for (const word of document.querySelectorAll("#reason [data-name]")) {
      const line = this.line(word.dataset.name);
      word.dataset.value = line && line.begin >= 0 ? shown(this.model.lesson.stored(line, unit, row), 3) : "";
    }
  }

  /** Opens a new problem: all parts of the page are made anew. */
  open() {
    this.takeMore();
    if (this.data) this.model.restore();
    else this.openChosen();
    this.numbers.edits.applyTo(this.model);
    const { lesson } = this.model,
      choices = { layer: lesson.layers, dir: lesson.directions.length, row: lesson.mb };
    for (const option of byId("pass").options) {
      if (this.data) option.disabled = !lesson.lines.some(({ phase }) => phase === option.text);
    }
    for (const [id, count] of Object.entries(choices)) {
      const names = Array.from({ length: count }, (_, i) => new Option(id === "dir" ? lesson.directions[i] : i, i));
      if (byId(id).options.length !== count) byId(id).replaceChildren(...names);
      byId(id).parentElement.hidden = count === 1;
    }
    byId("row").value = this.chosen.row ?? 0;
    byId("time").max = lesson.T - 1;
    byId("unit").max = lesson.dhc - 1;
    if (this.data) [byId("time").value, byId("unit").value] = [this.chosen.t, this.chosen.unit];
    this.takePlace();
    this.chosen.formula = -1;
    this.shape = null;
    byId("no-module").hidden = this.model.canCompute;
    byId("of-all-outputs").hidden = this.data?.loss === "last";
    this.showReasons(lesson);
    this.numbers.open(this.model);
    this.move();
  }
  openChosen() {
    const number = (id) => Number(byId(id).value);
    // Peepholes have no 8 bits.
    const variant = byId("variant").value,
      isFloating = variant.includes("peephole");
    for (const option of byId("type").options) option.disabled = isFloating && option.text === "u8";
    if (isFloating && byId("type").value === "u8") byId("type").value = "f32";
    const type = byId("type").value,
      isBackward = () => ["backward", "gradients"].includes(byId("pass").value);
    if (type === "u8" && isBackward()) byId("pass").value = "forward";
    for (const option of byId("pass").options)
      option.disabled = type === "u8" && ["backward", "gradients"].includes(option.text);
    const isRelu = variant.includes("RELU");
    byId("slope").closest(".slid").hidden = !isRelu;
    this.model.open({
      variant,
      slope: isRelu ? number("slope") : undefined,
      inputs: this.inputs,
      type,
      backward: isBackward(),
      steps: number("steps"),
      units: number("units"),
    });
  }

  /** Shows another step, layer, direction, row or unit. */
  move() {
    const number = (id) => Number(byId(id).value) || 0,
      { T, dhc } = this.model.lesson;
    const { phase, layer, dir } = this.chosen;
    Object.assign(this.chosen, {
      phase: byId("pass").value,
      t: Math.min(number("time"), T - 1),
      unit: Math.min(number("unit"), dhc - 1),
      layer: number("layer"),
      dir: number("dir"),
      row: number("row"),
    });
    byId("time-shown").textContent = this.chosen.t;
    const isOther = phase !== this.chosen.phase || layer !== this.chosen.layer || dir !== this.chosen.dir;
    if (isOther || this.overTime.lesson !== this.model.lesson) this.overTime.open(this.model.lesson, this.chosen);
    this.refresh();
  }
  /** place: {phase, t, layer, unit}, each of which may be missing. */
  go(place) {
    for (const [id, name] of [["pass", "phase"], ["time", "t"], ["layer", "layer"], ["unit", "unit"]]) {
      if (place[name] !== undefined) byId(id).value = place[name];
    }
    this.move();
  }
  choose(line) {
    this.chosen.formula = line.formula;
    this.refresh();
  }
  changed() {
    const begin = performance.now();
    this.refresh();
    this.lastMilliseconds = performance.now() - begin;
  }

  linesOf(phase) {
    const { t, layer, dir } = this.chosen;
    return this.model.lesson.step(phase, t, layer, dir);
  }
  // Returns the last line of a value: one that is added to is complete there.
  line(name) {
    const lines = this.linesOf(this.overTime.phase);
    const isIt = (line) => line.name === name && !line.about && !line.id.startsWith("STACK");
    return lines.findLast((line) => line.id && isIt(line)) ?? lines.find(isIt);
  }

  /** Computes everything and shows it. */
  refresh() {
    const { unit, row } = this.chosen,
      { lesson } = this.model;
    const lines = this.linesOf(this.chosen.phase);
    const line =
      lines.find(({ formula }) => formula === this.chosen.formula) ??
      lines.find(({ id }) => id && !id.startsWith("STACK")) ??
      lines[0];
    const explained = lesson.explain(line, unit, line.perRow ? row : 0);
    if (lesson !== this.model.exact) this.model.exact.run();
    this.picture.update(
      this.overTime.phase,
      (name) => {
        const found = this.line(name);
        return found && !lesson.isDead(found, row) ? found : undefined;
      },
      (line) => lesson.stored(line, unit, row),
    );
    this.updateTable(lines, line);
    this.overTime.update(this.chosen);
    this.panel.show(lesson, line, this.chosen, explained);
    this.showInCode();
    this.compare();
    // This is as much work as all the rest, so it comes after the numbers have been shown.
    clearTimeout(this.later);
    this.later = setTimeout(() => {
      this.overTime.showLines(this.chosen);
      this.outputs.update(lesson, this.chosen, this.model.wasChanged);
    }, 0);
  }

  makeTable(lines) {
    this.rows = lines.map((line) => {
      const row = document.createElement("tr"),
        called = line.id || line.name;
      row.innerHTML = `<th scope=row><button type=button>${called}</button><td>${math(line.mathml)}<td class=number>`;
      const choose = () => this.choose(line);
      row.addEventListener("pointerenter", choose);
      row.querySelector("button").addEventListener("focus", choose);
      row.querySelector("button").ariaLabel = `${line.id} ${line.name}${line.about ? `, ${line.about}` : ""}`.trim();
      return { row, text: row.cells[2].appendChild(new Text()) };
    });
    byId("lines").replaceChildren(...this.rows.map(({ row }) => row));
  }
  updateTable(lines, chosen) {
    // Most steps have the same equations.
    const shape = lines.map(({ formula }) => formula).join();
    if (shape !== this.shape) this.makeTable(lines);
    this.shape = shape;
    this.rows.forEach(({ row, text }, number) => {
      setText(text, this.numbersOf(lines[number]));
      row.classList.toggle("chosen", lines[number] === chosen);
    });
  }
  numbersOf(line) {
    const { lesson } = this.model,
      { unit, row } = this.chosen;
    if (lesson.isDead(line, row)) return "no step";
    if (line.begin < 0) return "not in this page";
    const some = (count, most, text) =>
      Array.from({ length: Math.min(count, most) }, (_, i) => text(i)).join(", ") + (count > most ? ", …" : "");
    if (!line.id && line.perRow) return some(line.rows, MOST_CHANNELS, (channel) => shown(lesson.value(line, channel, row)));
    const none = (rows, number) => (unit < rows || rows === 1 ? shown(number) : "none");
    if (line.cellRows > 0)
      return `${none(line.rows, lesson.value(line, unit, row))}, ${none(line.cellRows, lesson.cellState(line, unit, row))}`;
    const column = line.perRow ? row : 0,
      value = shown(lesson.value(line, unit, column)),
      stored = shown(lesson.stored(line, unit, column));
    const numbers = line.perRow ? value : some(line.cols, MOST_COLUMNS, (input) => shown(lesson.value(line, unit, input)));
    const doubt = lesson.agrees(line) ? "" : " THE REFERENCE HAS ANOTHER VALUE";
    return numbers + (stored === value || !line.perRow ? "" : ` stored: ${stored}`) + doubt;
  }

  /** Shows the parts that no number changes: where this problem rounds, and why its equations hold. */
  showReasons({ rounding, equations }) {
    byId("rounding").innerHTML = rounding
      .map(({ value, equations, kept, member, words }) => {
        const name = `<code>${member}</code>${words ? ` (${words})` : ""}`;
        return `<tr><td>${withMath(value)}<td>${equations}<td>${withMath(kept)}<td>${name}`;
      })
      .join("");
    byId("reasons").innerHTML = Object.entries(equations)
      .map(([id, { lines, why, code }]) => {
        const formulas = lines.map(({ mathml, when }) => `<p>${math(mathml)}${when ? ` (${when})` : ""}</p>`).join("");
        return `<tr id="${id}"><th scope=row>[${id}]<td>${formulas}<td>${withMath(why)}<td>${code && codeElement(code)}`;
      })
      .join("");
  }

  /** Shows the largest distance from f32 over time. */
  compare() {
    const differs = this.model.lesson !== this.model.exact;
    byId("comparison").hidden = !differs;
    if (!differs) return;
    const values = this.model.distances(),
      type = this.model.lesson.type;
    showChart(byId("distance"), "Largest distance of h from f32 over time", [{ name: `|h ${type} − h f32|`, values }]);
    byId("distance-now").textContent =
      `At t = ${this.chosen.t} the h of ${type} is at most ${shown(values[this.chosen.t], 3)} away from that of f32.`;
  }
}

startPage(async () => {
  const data = globalThis.LESSON_DATA;
  // A written page has its numbers even if a browser runs no module.
  const module = await (data ? referenceModule().catch(() => null) : referenceModule());
  globalThis.lessonPage = new LessonPage(module, data);
});
