// The book's picture of a cell gets numbers on its wires: each name of a value becomes a button with the value of the unit.
"use strict";

/** Returns the lines of a step that a name in the picture stands for, in this order. */
function namesInPass(name, phase) {
  if (name === "x, h'") return [];
  return phase === "forward" ? [name] : [`Δ_${name}`, `d${name}`, ...(name === "a" ? ["Δ"] : [])];
}

class CellPicture {
  constructor(figure, choose) {
    this.places = [];
    const picture = figure.querySelector("svg");
    picture.setAttribute("role", "group");
    for (const label of picture.querySelectorAll("text")) {
      const name = label.textContent.replace("′", "'");
      if (!/^([a-z][~^']?)$/.test(name)) continue;
      label.setAttribute("class", letterClass(name));
      const isCandidate = label.getAttribute("text-anchor") === "start";
      const value = svg("text", {
        x: label.getAttribute("x"),
        y: Number(label.getAttribute("y")) + (isCandidate ? -14 : 14),
        "text-anchor": label.getAttribute("text-anchor"),
        class: `${isCandidate ? "value above" : "value"} ${letterClass(name)}`,
      });
      const button = svg("g", { class: "place" });
      label.replaceWith(button);
      button.append(label, value);
      const place = {
        name,
        label,
        button,
        line: null,
        shown: value.appendChild(document.createTextNode("")),
        called: label.firstChild,
      };
      for (const event of ["pointerenter", "focus", "click"]) {
        button.addEventListener(event, () => place.line && choose(place.line));
      }
      this.places.push(place);
    }
    this.picture = picture;
    this.arrows = [...picture.querySelectorAll("[marker-end]")].map((arrow) => [arrow, arrow.getAttribute("marker-end")]);
    for (const marker of picture.querySelectorAll("marker")) marker.setAttribute("orient", "auto-start-reverse");
    this.fitAtEdges(picture);
  }

  /** Turns the arrows to where numbers go: in backward, to the inputs. */
  turn(isBackward) {
    for (const [arrow, head] of this.arrows) {
      arrow.removeAttribute(isBackward ? "marker-end" : "marker-start");
      arrow.setAttribute(isBackward ? "marker-start" : "marker-end", head);
    }
    this.picture.classList.toggle("is-backward", isBackward);
  }

  // A number in the middle above the last or first letter would be cut off.
  fitAtEdges(picture) {
    const [, , width, height] = picture.getAttribute("viewBox").split(" ").map(Number);
    picture.setAttribute("viewBox", `-24 -4 ${width + 48} ${height + 4}`);
  }

  /** find(name) returns the line of the step that is shown, or undefined. */
  update(phase, find, valueOf) {
    this.turn(phase === "backward");
    for (const place of this.places) {
      place.line = null;
      for (const name of namesInPass(place.name, phase)) place.line ??= find(name) ?? null;
      const { line, button } = place,
        number = line ? shown(valueOf(line), 3) : "";
      const name = line ? line.name.replace("_", "") : place.name;
      setText(place.called, name);
      // A space divides the two words, in the name of the button, too.
      setText(place.shown, ` ${number}`);
      const label = `${name} ${number}`;
      if (line && button.getAttribute("aria-label") !== label) {
        for (const [key, value] of [
          ["role", "button"],
          ["tabindex", "0"],
          ["aria-label", label],
        ])
          button.setAttribute(key, value);
      } else if (!line && button.hasAttribute("role")) {
        for (const key of ["role", "tabindex", "aria-label"]) button.removeAttribute(key);
      }
    }
  }
}

Object.assign(globalThis, { CellPicture });
