// The page of scales shows bytes beside exact numbers over 200 steps.
"use strict";

const BARS = 48;
const letterText = (letter) => svg("tspan", { class: `q-${letter}` }, letter);

/** Draws how often numbers occur, h below x, and the range of a byte over them. */
function rangePicture(figure, numbers, range) {
  const width = widthFor(figure),
    height = 200,
    left = 10,
    right = width - 10;
  const letters = ["h", "x"];
  const most = Math.max(1.2, ...letters.flatMap((letter) => numbers[letter].map(Math.abs)), ...range.map((end) => Math.min(Math.abs(end), 4)));
  const x = (value) => left + ((right - left) * (Math.min(Math.max(value, -most), most) + most)) / (2 * most);
  const bars = Array.from({ length: BARS }, () => ({ h: 0, x: 0, isOutside: false }));
  for (const letter of letters)
    for (const number of numbers[letter]) {
      const bar = bars[Math.min(BARS - 1, Math.floor((BARS * (number + most)) / (2 * most)))];
      ++bar[letter];
      bar.isOutside ||= number < range[0] || number > range[1];
    }
  const tallest = Math.max(...bars.map(({ x, h }) => x + h)),
    size = (right - left) / BARS;
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height + 44}`, role: "img", class: "chart" });
  picture.setAttribute("aria-label", "how often the values of x and h occur, and the range that a byte has");
  bars.forEach((bar, i) => {
    let y = height;
    for (const letter of letters) {
      const tall = (height - 26) * (bar[letter] / tallest);
      y -= tall;
      const box = { x: left + i * size, y, width: size - 1, height: tall };
      picture.append(svg("rect", { ...box, class: bar.isOutside ? "over" : `q-${letter}`, "fill-opacity": 0.75 }));
    }
  });
  const [from, to] = range.map(x);
  picture.append(
    svg("path", { d: `M${from} 8V${height}M${to} 8V${height}M${from} 14H${to}`, class: "now" }),
    svg("text", { x: (from + to) / 2, y: 11, "text-anchor": "middle", class: "over-line" }, "a byte"),
    ...[-most, 0, most].map((value, i) =>
      svg("text", { x: x(value), y: height + 18, "text-anchor": ["start", "middle", "end"][i] }, shown(value, 3)),
    ),
    svg("text", { x: width / 2, y: height + 36, "text-anchor": "middle" }, "value of ", letterText("x"), " or ", letterText("h")),
  );
  return picture;
}

class ScalesPage {
  constructor() {
    this.state = new PageState(byId("choices"), { open: () => this.open() });
    addPresets(this.state);
    this.open();
  }

  open() {
    const of = (id) => byId(id).value;
    const [scale, zero, inputs] = ["scale", "zero", "inputs"].map((id) => Number(of(id)));
    const [cell, states, weights] = ["cell", "states", "weights"].map(of);
    const { errors, counts, numbers } = bytesBesideExact({ cell, states, weights, scale, zero, inputs });
    const isBytes = states === "bytes";
    for (const id of ["scale", "zero"]) byId(id).disabled = byId(id).slider.disabled = !isBytes;
    const range = isBytes ? [-zero / scale, (255 - zero) / scale] : [-Infinity, Infinity];
    byId("summary").textContent = isBytes
      ? `A byte reaches from ${shown(range[0], 3)} to ${shown(range[1], 3)} in steps of ${shown(1 / scale, 3)}. Saturated: ` +
        `${counts.x.saturated} of ${counts.x.all} inputs, ${counts.h.saturated} of ${counts.h.all} values of h. ` +
        `Largest error: ${shown(Math.max(...errors), 2)}.`
      : `${states === "f32" ? "States stay in f32" : "bf16 keeps 8 binary digits of a number of any size"}: nothing is saturated. Largest error: ${shown(Math.max(...errors), 2)}.`;
    showChart(byId("errors"), "Largest error of h over 200 steps", [{ name: `|h of ${states} − exact h|`, values: errors, colour: "line0" }],
      { first: 1, axis: "step" });
    byId("range").replaceChildren(rangePicture(byId("range"), numbers, range));
    const kept = [errors[0], errors[9], errors[49], errors[199], Math.max(...errors)];
    byId("numbers").innerHTML = `<tr><th scope=row>now${kept.map((error) => `<td class=number>${shown(error, 2)}`).join("")}`;
  }
}

startPage(async () => {
  globalThis.scalesPage = new ScalesPage();
});
