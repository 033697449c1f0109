// The address has all that a reader has chosen and changed. This file has undo, redo, reset, a link to copy, and typed numbers.
"use strict";

/** Returns the words of a field's label. */
const nameOf = (field) => field.ariaLabel || field.labels?.[0]?.textContent.trim().replace(/\s+/g, " ") || field.id;

/**
 * Says whether a typed number may stay. If not, the field gets its last number, and a sentence says why.
 */
function isObeyed(field) {
  const { min, max, step, value } = field,
    number = value.trim() === "" ? NaN : Number(value);
  const isWhole = step === "1" || step === "",
    isAllowed = number >= Number(min) && number <= Number(max) && (!isWhole || Number.isInteger(number));
  if (isAllowed) field.dataset.kept = value;
  else field.value = field.dataset.kept ?? field.defaultValue;
  const typed = value.trim() === "" ? "What was typed is no number" : `${value} is not taken`;
  byId("refused").textContent = isAllowed
    ? ""
    : `${typed}: "${nameOf(field)}" takes ${isWhole ? "whole numbers" : "numbers"} from ${min} to ${max}. It stays ${field.value}.`;
  return isAllowed;
}

/** Puts a slider beside each number field that asks for one: data-slider is its step. Both have the label's name. */
function addSliders(form) {
  for (const field of form.querySelectorAll("input[data-slider]")) {
    const slider = document.createElement("input");
    for (const name of ["min", "max"]) slider[name] = field[name];
    Object.assign(slider, { type: "range", step: field.dataset.slider, ariaLabel: `${nameOf(field)}, slider` });
    slider.value = field.value;
    const pair = Object.assign(document.createElement("div"), { className: "slid" });
    const label = field.closest("label");
    label.replaceWith(pair);
    pair.append(label, slider);
    field.slider = slider;
    for (const event of ["input", "change"]) {
      slider.addEventListener(event, () => {
        field.value = field.dataset.kept = slider.value;
        field.dispatchEvent(new Event(event, { bubbles: true }));
      });
    }
  }
}

class PageState {
  /**
   * `form` has the fields; `fields`, their ids if not all of them count. open() shows a page's state after its fields were
   * set. more() and take(more) are for state outside the fields: an object of texts.
   */
  constructor(form, { fields, open, more = () => ({}), take = () => {} }) {
    Object.assign(this, { form, open, more, take, undone: [], done: [] });
    addSliders(form);
    this.fields = fields ? fields.map(byId) : [...form.querySelectorAll("input[id],select[id]")];
    this.given = Object.fromEntries(this.fields.map(({ id, value }) => [id, value]));
    for (const field of this.fields) {
      field.addEventListener("change", () => (field.type !== "number" || isObeyed(field)) && this.show(true));
      if (field.slider) field.slider.addEventListener("input", () => this.show(false));
    }
    form.addEventListener("submit", (event) => event.preventDefault());
    this.addButtons();
    addEventListener("hashchange", () => location.hash !== this.address && this.go(location.hash));
    this.write(location.hash);
    this.address = location.hash;
    this.buttons.Undo.disabled = this.buttons.Redo.disabled = true;
  }

  addButtons() {
    this.buttons = {};
    const bar = Object.assign(document.createElement("p"), { className: "bar" });
    const says = { Undo: () => this.step(this.done, this.undone), Redo: () => this.step(this.undone, this.done) };
    Object.assign(says, { Reset: () => this.set(""), "Copy link": () => this.copy() });
    for (const [text, onclick] of Object.entries(says)) {
      this.buttons[text] = Object.assign(document.createElement("button"), { type: "button", textContent: text, onclick });
      bar.append(this.buttons[text], " ");
    }
    this.said = bar.appendChild(Object.assign(document.createElement("span"), { role: "status" }));
    this.form.append(bar);
  }

  /** Returns the state as text. Fields with the page's own values are left out. */
  read() {
    const words = new URLSearchParams();
    for (const { id, value } of this.fields) if (value !== this.given[id]) words.set(id, value);
    for (const [key, value] of Object.entries(this.more())) if (value) words.set(key, value);
    return String(words) && `#${words}`;
  }

  /** Sets the fields from such a text. A field that it does not name, or that refuses its value, gets the page's own value. */
  write(text) {
    const words = new URLSearchParams(text.replace(/^#/, ""));
    for (const field of this.fields) {
      const { id } = field;
      field.value = this.given[id];
      if (!words.has(id)) continue;
      field.value = words.get(id);
      if (field.type === "number" ? !isObeyed(field) : field.selectedIndex === -1) field.value = this.given[id];
    }
    this.take(Object.fromEntries(words));
    this.follow();
  }
  follow() {
    for (const { slider, value } of this.fields) if (slider) slider.value = value;
  }

  /** Writes the page's state to the address; `isChange`: it is a step that can be undone. */
  keep(isChange = true) {
    const address = this.read();
    if (isChange && address !== this.address) {
      this.done.push(this.address);
      this.undone = [];
    }
    this.address = address;
    history.replaceState(null, "", address || `${location.pathname}${location.search}`);
    this.buttons.Undo.disabled = this.done.length === 0;
    this.buttons.Redo.disabled = this.undone.length === 0;
    this.said.textContent = "";
    this.markPreset();
  }
  /** The button of a preset is pressed while the page shows it. */
  markPreset() {
    const words = (text) => [...new URLSearchParams(text.replace(/^#/, ""))].filter(([key]) => this.given[key] !== undefined).sort().join();
    for (const button of document.querySelectorAll("button[data-set]"))
      button.ariaPressed = String(words(button.dataset.set) === words(this.read()));
  }
  show(isChange) {
    this.follow();
    this.open();
    if (isChange) this.keep();
  }

  go(text) {
    this.write(text);
    this.open();
    this.keep(false);
  }
  /** Sets a preset, or the page's own values: a step that can be undone. */
  set(text) {
    this.write(text);
    this.open();
    this.keep();
  }
  step(from, to) {
    if (from.length === 0) return;
    to.push(this.address);
    this.go(from.pop());
  }

  async copy() {
    const link = location.href;
    const isCopied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
    this.said.textContent = isCopied ? "The link is copied: it has all that you see." : `The link: ${link}`;
  }
}

/** Plays a slider of steps from its first end to the last, or from the last to the first if `isBackward()`. */
class Player {
  constructor(slider, { isBackward = () => false, milliseconds = 500 } = {}) {
    Object.assign(this, { slider, isBackward, milliseconds });
    this.button = Object.assign(document.createElement("button"), { type: "button", textContent: "Play", className: "play" });
    this.button.onclick = () => (this.timer ? this.stop() : this.start());
    slider.after(this.button);
  }
  start() {
    const [from, to] = this.ends();
    if (this.slider.value === to) this.move(from);
    this.button.textContent = "Pause";
    this.timer = setInterval(() => this.next(), this.milliseconds);
  }
  ends() {
    const { min, max } = this.slider;
    return this.isBackward() ? [max, min] : [min, max];
  }
  next() {
    const by = this.isBackward() ? -1 : 1;
    if (this.slider.value === this.ends()[1]) return this.stop();
    this.move(Number(this.slider.value) + by * Number(this.slider.step || 1));
  }
  move(value) {
    this.slider.value = value;
    this.slider.dispatchEvent(new Event("input", { bubbles: true }));
  }
  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
    this.button.textContent = "Play";
  }
}

/** Adds presets: buttons with the text of a state in data-set. */
function addPresets(state) {
  for (const button of document.querySelectorAll("button[data-set]")) {
    button.addEventListener("click", () => state.set(button.dataset.set));
  }
  state.markPreset();
}

/** Loads what a page needs, then makes it. Says so if it fails. */
function startPage(make) {
  addEventListener("DOMContentLoaded", async () => {
    try {
      await make();
      byId("loading")?.remove();
      document.body.dataset.ready = "yes";
    } catch (error) {
      if (!byId("loading")) throw error;
      byId("loading").textContent = `This page cannot compute here: ${error.message}.`;
    }
  });
}

/** Returns the reference, if it was built when the page was written. */
async function referenceModule() {
  if (!globalThis.LESSON_MODULE) throw new Error("the reference was not built when this page was written");
  return LessonModule.load(await unzipped(LESSON_MODULE));
}

Object.assign(globalThis, { PageState, Player, addPresets, isObeyed, nameOf, referenceModule, startPage });
