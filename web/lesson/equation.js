// This shows one equation with its numbers put in, where they come from, and all numbers of its left side.
"use strict";

const MOST_VALUES = 32; // in a table of all numbers

/** The panel shows an element of the problem: {phase, t, layer, dir, unit, row}. */
class EquationPanel {
  /** go(place) shows another step. */
  constructor(go) {
    this.go = go;
  }

  show(lesson, line, at, explained) {
    const { unit, row } = at,
      column = line.perRow ? row : 0,
      value = shown(lesson.value(line, unit, column));
    const name = `${line.id && `[${line.id}] `}${line.name}${line.about && `, ${line.about}`}`,
      when = line.phase === "forward" || line.phase === "backward" ? ` at t = ${line.t}` : "";
    const isDead = lesson.isDead(line, row);
    byId("which").textContent = `${name}, unit ${unit}${when}: ${isDead ? "no step" : value}`;
    const stages = explained.stages.map((stage) => math(`<mo>=</mo>${stage}`)).join(" ");
    const numbers = isDead
      ? "<p>Row " + row + " has ended before this step: nothing is computed for it.</p>"
      : `<p>${stages || math(`<mo>=</mo><mn>${value}</mn>`)}</p><dl>${this.parts(explained.parts)}</dl>`;
    byId("equation").innerHTML = `<p class=formula>${math(line.mathml)}</p>${numbers}`;
    if (!lesson.agrees(line)) byId("equation").append("The reference has another value than this equation.");
    this.showStored(lesson, line, unit, column);
    if (isDead) byId("stored").textContent = "";
    byId("origin").replaceChildren(...this.origin(lesson, line, at));
    this.showReason(lesson, line);
    this.showAll(lesson, line);
  }

  parts(parts) {
    const number = (x) => shown(numeric(x), 4);
    const products = parts
      .filter((part) => part.terms)
      .map(({ name, value, terms }) => {
        const sum = terms
          .map(([a, b]) => `${number(a)} · ${number(b)}`)
          .join(" + ")
          .replaceAll("+ -", "− ");
        return `<dt>${math(name)}<dd>${sum} = <b>${shown(numeric(value))}</b>`;
      });
    const others = parts
      .filter((part) => !part.terms)
      .map(({ name, value }) => `<dt>${math(name)}<dd><b>${shown(numeric(value))}</b>`);
    return products.join("") + others.join("");
  }

  showStored(lesson, line, unit, column) {
    const stored = shown(lesson.stored(line, unit, column)),
      byte = lesson.byte(line, unit, column);
    let text = "";
    if (!Number.isNaN(byte)) text = `It is stored as the byte ${byte}, which stands for ${stored}.`;
    else if (stored !== shown(lesson.value(line, unit, column))) text = `It is stored as ${stored}.`;
    byId("stored").textContent = text;
  }

  showReason(lesson, line) {
    const equation = lesson.equations[line.id];
    const code = equation?.code ? codeElement(equation.code) : "";
    byId("reason").innerHTML = equation
      ? `<p>${withMath(equation.why)}</p><p><small>${equation.place}</small> ${code}</p>`
      : "";
  }

  /** Shows every unit and row, or every unit and input, when the reader asks for it. */
  showAll(lesson, line) {
    const [rows, columns] = [line.rows, line.cols].map((count) => Math.min(count, MOST_VALUES));
    const titles = Array.from({ length: columns }, (_, i) => `<th scope=col>${line.perRow ? "row" : "input"} ${i}`);
    const cell = (row, column) =>
      `<td class=number>${lesson.isDead(line, column) ? "no step" : shown(lesson.stored(line, row, column))}`;
    const fill = () => {
      const lines = Array.from(
        { length: rows },
        (_, row) => `<tr><th scope=row>${row}${titles.map((_, column) => cell(row, column)).join("")}`,
      );
      byId("all-values").innerHTML = `<table><tr><th scope=col>unit${titles.join("")}${lines.join("")}</table>${
        rows < line.rows || columns < line.cols ? `The first ${MOST_VALUES} of each.` : ""
      }`;
    };
    byId("all").ontoggle = () => byId("all").open && fill();
    if (byId("all").open) fill();
  }

  // Makes a button, "h of t = 0", that shows the step from which a value comes.
  link(text, place) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: text });
    button.addEventListener("click", () => this.go(place));
    return button;
  }

  /** Returns nodes that say where x, h', c' and the gradients that reach a step come from. */
  origin(lesson, line, { layer, dir, t, row }) {
    const isReversed = lesson.directions[dir] === "right2left";
    const length = lesson.tensor("sequence_lengths")?.values[row] ?? lesson.T;
    const forward = isReversed ? -1 : 1;
    const step = (from) => (from >= 0 && from < length ? from : null);
    const initial = (name) => [lesson.tensor(name) ? `It comes from ${name}.` : `It is 0: there is no ${name}.`];
    const from = (name, phase, layer, t) => [
      "It comes from ",
      this.link(`${name} at t = ${t}${lesson.layers > 1 ? `, layer ${layer}` : ""}`, { phase, layer, dir, t }),
    ];
    const [before, after] = [step(t - forward), step(t + forward)];
    const top = layer === lesson.layers - 1;
    const carried = (name, tensor) => (after === null ? initial(tensor) : from(name, "backward", layer, after));
    if (line.phase === "forward" && !line.id) {
      if (line.name === "x") return layer === 0 ? ["It comes from src_layer."] : from("h", "forward", layer - 1, t);
      if (line.name === "h'") return before === null ? initial("src_iter") : from("h", "forward", layer, before);
      if (line.name === "c'") return before === null ? initial("src_iter_c") : from("c", "forward", layer, before);
    }
    if (line.id === "STACK.B7") return [...carried("dc'", "diff_dst_iter_c"), " [LSTM.B2] adds to it."];
    if (line.id !== "STACK.B3") return [];
    const above = top ? ["The first part comes from diff_dst_layer. "] : [...from("dx", "backward", layer + 1, t), ". "];
    return [...above, "dh': ", ...carried("dh'", "diff_dst_iter")];
  }
}

Object.assign(globalThis, { EquationPanel });
