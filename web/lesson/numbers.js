// A reader changes these inputs.
"use strict";

class NumberTable {
  /** changed(isLast) shows the effect of a change; isLast: the reader has finished it. */
  constructor(changed) {
    this.changed = changed;
    this.edits = new Edits();
    byId("numbers").addEventListener("change", () => this.changed(true));
    for (const id of ["tensor", "slice"]) byId(id).addEventListener("change", () => this.show());
    byId("numbers").addEventListener("input", ({ target }) => this.change(target));
  }

  open(model) {
    this.model = model;
    const names = model.exact.tensors.map(({ name }) => name).filter((name) => name !== "sequence_lengths");
    byId("tensor").replaceChildren(...names.map((name) => new Option(name)));
    byId("tensor").value = names.includes(this.last) ? this.last : "src_layer";
    this.show();
  }

  change(input) {
    const value = input.valueAsNumber;
    if (!Number.isFinite(value)) return;
    const index = Number(input.dataset.index);
    this.model.set(this.tensor, index, value);
    this.edits.set(this.tensor.name, this.tensor.dims, index, value);
    input.className = "edited";
    this.showCount();
    this.changed(false);
  }

  showCount() {
    const { count } = this.edits;
    byId("edited").textContent = count === 0 ? "" : `Changed: ${count} ${count === 1 ? "number" : "numbers"}.`;
  }

  // Returns the subscripts of the weights, in the order of the tensor.
  gateNames(count) {
    const names = this.model.exact.lines
      .filter(({ phase, name }) => phase === "weights" && name.startsWith("W"))
      .map(({ name }) => name.slice(2));
    return Array.from({ length: count }, (_, gate) => names[gate] || String(gate));
  }

  /** Shows the inputs of one tensor: a table of its last two axes, or of time and channels. */
  show() {
    this.last = byId("tensor").value;
    this.tensor = this.model.exact.tensor(this.last);
    this.showCount();
    const { dims, values, name } = this.tensor;
    // Weights [l, d, i, g, o] are shown a gate at a time, i downwards. Others have the last axis to the right.
    const gates = dims.length === 5 ? dims[3] : 1,
      columns = dims.at(-1),
      rows = values.length / columns / gates;
    if (byId("slice").options.length !== gates || (gates > 1 && byId("slice").options[0].text !== this.gateNames(gates)[0]))
      byId("slice").replaceChildren(...this.gateNames(gates).map((name, gate) => new Option(name, gate)));
    byId("slice").parentElement.hidden = gates === 1;
    const gate = Number(byId("slice").value) || 0;
    byId("slice").className = gates > 1 ? letterClass(byId("slice").options[gate].text) : "";
    const isFixed = this.model.canCompute ? "" : "disabled";
    const cells = (row) =>
      Array.from({ length: columns }, (_, column) => {
        const index = (row * gates + gate) * columns + column;
        // A row may end before the last step. There it has no number.
        const value = Number.isFinite(values[index]) ? Number(values[index].toPrecision(7)) : '""';
        return `<td><input type=number step=0.05 data-index=${index} value=${value}
        class="${this.edits.has(this.tensor, index) ? "edited" : ""}" aria-label="${name} ${row}, ${column}" ${isFixed}>`;
      });
    byId("numbers").innerHTML = Array.from(
      { length: rows },
      (_, row) => `<tr><th scope=row>${row}${cells(row).join("")}`,
    ).join("");
  }
}

Object.assign(globalThis, { NumberTable });
