// This does in live pages without modules what a reader does, and writes complaints into data-found.
"use strict";
const failures = [];
let looked = 0;
const pause = (milliseconds = 20) => new Promise((done) => setTimeout(done, milliseconds));
function expect(what, found, expected = true) {
  ++looked;
  if (found !== expected) failures.push(`FAILED: ${what}: ${found} instead of ${expected}`);
}

async function opened(address) {
  const frame = document.createElement("iframe");
  Object.assign(frame, { src: address, width: 390, height: 900 });
  await new Promise((done) => {
    frame.onload = done;
    document.body.append(frame);
  });
  const isDone = ({ body }) => body.dataset.ready || /cannot compute/.test(body.querySelector("#loading")?.textContent);
  for (let tries = 0; tries < 1000 && !isDone(frame.contentDocument); ++tries) await pause();
  const page = frame.contentDocument, byId = (id) => page.getElementById(id);
  const enter = (id, value, event = "change") => {
    byId(id).value = value;
    byId(id).dispatchEvent(new Event(event, { bubbles: true }));
  };
  const press = (text) => [...page.querySelectorAll("button")].find((button) => button.textContent === text).click();
  return { frame, page, byId, enter, press, pause, expect, hash: () => frame.contentWindow.location.hash, text: (id) => byId(id).textContent };
}
/** Returns pairs of texts of a picture that lie on each other. A letter is lower than its box. */
function overlaps(picture) {
  const texts = [...picture.querySelectorAll("text")].filter((text) => text.textContent.trim());
  const boxes = texts.map((text) => {
    const { left, right, top, bottom } = text.getBoundingClientRect(),
      slack = (bottom - top) / 4;
    return { name: text.textContent, left: left + 1, right: right - 1, top: top + slack, bottom: bottom - slack };
  });
  const areOn = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => areOn(a, b)).map((b) => `${a.name} on ${b.name}`));
}
function lookAtPictures(name, page) {
  for (const picture of page.querySelectorAll("main svg:has(text)"))
    expect(`${name}: texts of ${picture.ariaLabel ?? picture.parentElement.id}`, overlaps(picture).join("; "), "");
}

/** Every control has a name that is no number, and nothing is wider than the page. */
function look(name, { frame, page }) {
  for (const control of page.querySelectorAll("main input, main select, main button, main output")) {
    const { nameOf } = frame.contentWindow, label = control.textContent && control.tagName === "BUTTON" ? control.textContent : nameOf(control);
    if (control.tagName !== "OUTPUT") expect(`${name}: name of ${control.id || control.outerHTML}`, /[a-z]/i.test(label ?? ""));
    const labels = [...(control.labels ?? [])];
    expect(`${name}: ${control.id} is what its label names`, labels.every((label) => label.control === control));
  }
  expect(`${name}: width`, page.documentElement.scrollWidth <= 390);
  lookAtPictures(name, page);
}

async function scales() {
  const reader = await opened("live/int8.html"),
    { frame, byId, enter, press, hash, text, page } = reader;
  look("scales", { frame, page });
  const row = () => [...byId("numbers").querySelectorAll("td")].map((cell) => cell.textContent).join(" ");
  expect("the given scale", row(), "0.0034 0.0036 0.0045 0.0043 0.012");
  expect("nothing is saturated", /0 of 1600 inputs, 0 of 1600/.test(text("summary")));
  press("s = 254");
  expect("the row of s = 254", row(), "0.12 0.079 0.023 0.063 0.3");
  expect("the address", hash(), "#scale=254");
  expect("saturated inputs", /[1-9]\d* of 1600 inputs/.test(text("summary")));
  enter("scale", "5000");
  expect("a number that is refused", /5000 is not taken.*from 1 to 1000.*stays 254/.test(text("refused")));
  expect("the refused number is gone", byId("scale").value, "254");
  enter("scale", "130.5");
  expect("a typed number is obeyed", hash(), "#scale=130.5");
  press("Undo");
  expect("undo", byId("scale").value, "254");
  press("Undo");
  expect("undo again", row(), "0.0034 0.0036 0.0045 0.0043 0.012");
  press("Redo");
  expect("redo", byId("scale").value, "254");
  press("Reset");
  expect("reset", hash(), "");
  press("bf16");
  expect("the row of bf16", row(), "0.00064 0.00048 0.001 0.00042 0.0026");
  expect("nothing of bf16 is saturated", /any size: nothing is saturated/.test(text("summary")) && byId("scale").disabled);
  press("GRU, s = 127");
  expect("the row of a GRU", row(), "0.006 0.0051 0.0064 0.0087 0.017");
  press("Reset");
  walkScales(reader);
  for (const words of ["s = 254", "bf16", "f32 states, s8 weights, one scale"]) press(words), lookAtPictures(`scales, ${words}`, page);
  const png = await frame.contentWindow.pngOf(page.querySelector("#errors svg"));
  expect("a picture to take along", png.type === "image/png" && png.size > 3000);
  frame.remove();
  const linked = await opened("live/int8.html#weights=one&scale=128.5&zero=100");
  expect("a link has the state", linked.byId("weights").value + linked.byId("scale").value + linked.byId("zero").value, "one128.5100");
  expect("a chart with zeros only is not blank", linked.frame.contentWindow.lineChart("", [{ name: "x", values: [0, 0] }]).querySelectorAll("text").length > 4);
  linked.frame.remove();
}

/** The maps have the colours that the page says, and a click chooses the unit and the step. */
function lookAtMaps({ frame, byId, enter }) {
  const { overTime } = frame.contentWindow.lessonPage,
    [left, wrong] = [26, []];
  for (const { map, numbers } of overTime.now) {
    const { data, width } = map.canvas.getContext("2d").getImageData(0, 0, map.canvas.width, map.canvas.height),
      isGate = ["i", "f", "c~", "o"].includes(map.name);
    numbers.forEach((units, t) => units.forEach((value, unit) => {
      const at = 4 * (width * Math.floor((unit + 0.5) * map.cell) + left + Math.floor((t + 0.5) * map.cell));
      const [red, , blue, alpha] = data.subarray(at, at + 4);
      if (alpha > 30 && red > blue !== value > 0) wrong.push(`${map.name} ${value}: red ${red}, blue ${blue}`);
      if (isGate && Math.abs(alpha - 255 * Math.abs(value)) > 2) wrong.push(`${map.name} ${value}: alpha ${alpha}`);
    }));
  }
  expect("colours of the maps", wrong.join("; "), "");
  const { canvas, cell } = overTime.maps[0],
    { left: x, top: y, width } = canvas.getBoundingClientRect(),
    scale = width / canvas.width;
  const at = { clientX: x + (left + 2.5 * cell) * scale, clientY: y + 1.5 * cell * scale, bubbles: true };
  canvas.dispatchEvent(new MouseEvent("click", at));
  expect("a click on a map chooses step and unit", `${byId("time").value} ${byId("unit").value}`, "2 1");
  enter("unit", 0);
}

/** Reads a page of one problem: steps, passes and letters. */
async function traced() {
  const reader = await opened("live/traced.html"),
    { frame, page, byId, enter, press, hash, text } = reader;
  look("traced", { frame, page });
  lookAtMaps(reader);
  expect("a number that is stored as it is is said once", /stored/.test(text("lines") + text("stored")), false);
  const heads = () => page.querySelectorAll("#picture [marker-end]").length, ends = heads();
  expect("arrows of forward", ends > 5);
  [...page.querySelectorAll("#lines button")].find((button) => button.textContent === "LSTM.1").dispatchEvent(new FocusEvent("focus"));
  byId("reason").querySelector("[data-name=i]").dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
  for (const place of ["picture", "equation", "reason", "lines"]) expect(`a letter is marked in ${place}`, Boolean(byId(place).querySelector(".lit")));
  const value = byId("reason").querySelector("[data-name=i]").dataset.value;
  expect("the value beside the code", value, page.querySelector(".place[aria-label^='i ']").getAttribute("aria-label").split(" ")[1]);
  // The first step has other equations than the second one.
  enter("time", 1, "input");
  enter("time", 2, "input");
  expect("what has changed is marked", page.querySelectorAll("#lines .changed, #lines .changed-again").length > 3);
  enter("time", 0);
  enter("pass", "backward");
  expect("arrows of backward", page.querySelectorAll("#picture [marker-start]").length, ends);
  expect("no arrow of forward", heads(), 0);
  expect("the address has the pass", hash(), "#pass=backward");
  await pause();
  lookAtPictures("traced, backward", page);
  enter("time", 3, "input");
  press("Play");
  for (let tries = 0; tries < 400 && byId("time").value !== "0"; ++tries) await pause();
  expect("backward plays to the first step", text("time-shown"), "0");
  frame.remove();
  // relu's equation has words in it.
  const relu = await opened("live/relu.html");
  const words = [...relu.page.querySelectorAll("#lines mtext")].map((word) => word.textContent);
  expect("a space before and behind a word in a formula", words.includes("\u00a0if\u00a0"));
  relu.frame.remove();
}

async function all() {
  await scales();
  await traced();
  for (const name of ["gates", "train", "lstm"]) {
    const { frame, page, text } = await opened(`live/${name}.html`);
    expect(`${name} says what it waits for`, /cannot compute here/.test(text("loading")));
    expect(`${name} has words for those without scripts`, Boolean(page.querySelector("noscript")));
    frame.remove();
  }
  document.body.dataset.found = `${failures.map((failure) => `${failure}\n`).join("")}${looked} things, ${failures.length} failed\n`;
}
all().catch((error) => (document.body.dataset.found = `FAILED: ${error.stack}\n`));
