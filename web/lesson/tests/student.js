// This does in the live pages what a student does, in a frame of 400 px. It reports what departs from `tandem trace`. ?report=URL
// is where the report goes; ?only=look leaves out all but the accessibility checker.
"use strict";
const failures = [], times = [];
let looked = 0;
const pause = () => new Promise((done) => setTimeout(done, 50));

async function opened(address) {
  const frame = document.createElement("iframe");
  Object.assign(frame, { src: address, width: 400, height: 900 });
  await new Promise((done) => {
    frame.onload = done;
    document.body.append(frame);
  });
  return frame;
}
async function ready(frame) {
  for (let tries = 0; tries < 600 && !frame.contentDocument.body.dataset.ready; ++tries) await pause();
  if (!frame.contentDocument.body.dataset.ready) throw new Error(`${frame.src} does not get ready`);
}
function enter(page, id, value, event = "change") {
  const element = typeof id === "string" ? page.getElementById(id) : id;
  element.value = value;
  element.dispatchEvent(new Event(event, { bubbles: true }));
}
function expect(where, found, expected) {
  ++looked;
  if (found !== expected) failures.push(`${where}: ${found} instead of ${expected}`);
}

// The table of equations, the panel and the picture show the numbers of this step and unit.
function lookAt(frame, where, { t, unit, lines }) {
  const page = frame.contentDocument, { shown } = frame.contentWindow;
  enter(page, "time", t, "input");
  enter(page, "unit", unit, "input");
  const rows = [...page.getElementById("lines").rows];
  expect(`${where}: equations`, rows.length, lines.length);
  rows.forEach((row, i) => {
    const { id, name, first, value } = lines[i], here = `${where} t=${t} unit=${unit} ${id} ${name}`;
    expect(here, row.cells[2].textContent.split(/[, ]/)[0], shown(first));
    row.querySelector("button").dispatchEvent(new FocusEvent("focus"));
    expect(`${here}, unfolded`, page.getElementById("which").textContent.split(": ").at(-1), shown(value));
  });
  for (const place of page.querySelectorAll(".place[role=button]")) {
    const [name, number] = place.getAttribute("aria-label").split(" ");
    const line = lines.findLast((line) => line.name.replace("_", "") === name);
    if (line) expect(`${where} t=${t} unit=${unit}: ${name} in the picture`, number, shown(line.stored, 3));
  }
}

async function study(frame, one) {
  const page = frame.contentDocument, where = [one.page, one.variant, one.type, one.pass].join(" ");
  frame.contentWindow.lessonPage.state.set(""); // a changed number would stay
  for (const id of ["steps", "units", "variant", "type", "pass"]) enter(page, id, one[id]);
  for (const seen of one.seen) lookAt(frame, where, seen);
  expect(`${where}: numbers in the picture`, page.querySelectorAll(".place[role=button]").length >= 2, true);
  expect(`${where}: maps`, page.querySelectorAll("#maps canvas").length > 0, true);
  await pause();
  for (const { cells } of one.type === "f32" ? page.getElementById("intervals").rows : []) {
    const [value, from, to] = [1, 2, 3].map((column) => Number(cells[column].textContent));
    expect(`${where}: ${cells[0].textContent} lies between its ends`, from <= value && value <= to, true);
  }
  if (one.changed) {
    enter(page, "tensor", "weights_layer");
    enter(page, page.querySelector(`#numbers input[data-index="${one.changed.index}"]`), one.changed.value, "input");
    for (const seen of one.changed.seen) lookAt(frame, `${where}, changed`, seen);
  }
}

// Returns how long a change takes with 16 units and 30 steps, until the texts of the page are new.
function stopwatch(frame, pass) {
  const page = frame.contentDocument, all = [];
  const choices = { pass, type: "f32", steps: 30, units: 16, tensor: "weights_layer" };
  for (const [id, value] of Object.entries(choices)) enter(page, id, value);
  const input = page.querySelector("#numbers input");
  for (let i = 0; i < 15; ++i) {
    enter(page, input, 0.01 * i, "input");
    all.push(frame.contentWindow.lessonPage.lastMilliseconds);
  }
  all.sort((a, b) => a - b);
  times.push(`${pass} ${all[7].toFixed(1)} ms (the shortest ${all[0].toFixed(1)})`);
}

// A page of u8 has its distance from f32 as a text.
function lookAtBytes(frame, name) {
  const page = frame.contentDocument;
  enter(page, "pass", "forward");
  enter(page, "type", "u8");
  const distance = Number(/at most ([\d.e-]+) away/.exec(page.getElementById("distance-now").textContent)?.[1]);
  expect(`${name}: the distance of bytes from f32`, distance > 0, true);
}

async function searchFor(word) {
  const frame = await opened("index.html"), page = frame.contentDocument;
  enter(page, "search", word, "input");
  for (let tries = 0; tries < 200 && !page.querySelector("#found a"); ++tries) await pause();
  const links = [...page.querySelectorAll("#found a")], here = location.href.replace(/student.*/, "");
  expect(`search for ${word}`, links.length > 2 && links.every((link) => link.href.startsWith(here)), true);
  frame.remove();
}

// Looks at a page with its numbers: the accessibility checker must not complain, and the page must fit into 400 px.
async function inspect(frame, name) {
  const page = frame.contentDocument;
  expect(`${name}: width`, page.documentElement.scrollWidth <= 400, true);
  const script = page.createElement("script");
  script.src = new URL("axe.js", location.href);
  await new Promise((done) => {
    script.onload = script.onerror = done;
    page.head.append(script);
  });
  const { axe } = frame.contentWindow;
  if (!axe) return failures.push("axe-core is not installed: ./tandem test --pages installs it");
  const report = await axe.run(page, { resultTypes: ["violations"] });
  expect(`${name}: rules of the checker`, report.passes.length >= 10, true);
  for (const { id, help, nodes } of report.violations) failures.push(`${name}: axe-core, ${id}: ${help}: ${nodes[0].html}`);
}

function readerOf(frame) {
  const page = frame.contentDocument,
    byId = (id) => page.getElementById(id);
  return {
    page, byId, expect, text: (id) => byId(id).textContent, enter: (id, value) => enter(page, id, value),
    press: (text) => [...page.querySelectorAll("button")].find((button) => button.textContent === text).click(),
    pause: (milliseconds) => new Promise((done) => setTimeout(done, milliseconds)),
  };
}

async function all() {
  const isLook = new URLSearchParams(location.search).get("only") === "look";
  if (!isLook) await searchFor("peephole");
  for (const name of [...new Set(EXPECTED.map(({ page }) => page)), "gates", "int8", "train"]) {
    const frame = await opened(`live/${name}.html`);
    await ready(frame);
    await inspect(frame, name);
    for (const one of EXPECTED.filter(({ page }) => page === name && !isLook)) await study(frame, one);
    if (name === "gates") lookAtGates(frame);
    if (name === "gates" && !isLook) {
      lookAtGivenNumbers(frame);
      lookAtSquares(frame);
      await walkGates(readerOf(frame));
    }
    if (name === "rnn" && !isLook) changeSlope(frame);
    if (name === "train") await lookAtTraining(frame);
    if (name === "train" && !isLook) {
      lookAtAnswers(frame);
      await walkTraining(readerOf(frame));
    }
    if (name === "lstm") await changeNumbers(frame);
    if (name === "lstm" && !isLook) changeVariant(frame);
    if (name === "lstm" && !isLook) ["forward", "backward"].forEach((pass) => stopwatch(frame, pass));
    if (frame.contentWindow.LESSON_CELLS?.[name]?.types.includes("u8")) lookAtBytes(frame, name);
    frame.remove();
  }
}

all()
  .catch((error) => failures.push(`${error.stack}`))
  .then(() => {
    const first = failures.slice(0, 20).map((failure) => `FAILED: ${failure}\n`);
    const speed = times.length > 0 ? `a changed weight is shown after: ${times.join(", ")}\n` : "";
    const report = `${first.join("")}${speed}${looked} numbers and words, ${failures.length} failed`;
    fetch(new URLSearchParams(location.search).get("report"), { method: "POST", mode: "no-cors", body: report });
  });
