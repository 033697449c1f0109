// Gives each letter of a cell one colour: in formulas, in code, in the picture and in the curves (site.css).
"use strict";

const LETTERS = { x: "x", h: "h", c: "c", "c~": "ct", i: "i", f: "f", o: "o", u: "u", r: "r", "u~": "u" };

/** Returns the class of a value's letter: "q-f" of f, Δ_f and dW_f's f; empty if it has none. */
function letterClass(name) {
  const letter = name.replace(/^(\||Δ_|d(?=.))/, "").replace(/['′^|]+$/, "");
  return Object.hasOwn(LETTERS, letter) ? `q-${LETTERS[letter]}` : "";
}

const TILDE = '<mover accent="true"><mi>c</mi><mo>˜</mo>';
/** Returns a <math> element. */
function math(inner) {
  const coloured = inner
    // A space at the end of a text would be lost.
    .replace(/<mtext>([^<]*)<\/mtext>/g, (_, text) => `<mtext>${text.replace(/^ | $/g, "\u00a0")}</mtext>`)
    // At the beginning it is a sign, which has no space behind it.
    .replace(/(^|<mo>[(=[]<\/mo>)<mo>-<\/mo>/g, '$1<mo form="prefix">−</mo>')
    .replaceAll("<mo>-</mo>", "<mo>−</mo>")
    .replaceAll(TILDE, '<mover accent="true" class="q-ct"><mi class="q-ct">c</mi><mo>˜</mo>')
    .replace(/<(mi|mtext)>([a-z])<\/\1>/g, (all, tag, letter) =>
      Object.hasOwn(LETTERS, letter) ? `<${tag} class="q-${LETTERS[letter]}">${letter}</${tag}>` : all,
    );
  return `<math><mrow>${coloured}</mrow></math>`;
}
/** Gives the <math> elements of HTML their colours. */
const withMath = (html) => html.replace(/<math><mrow>(.*?)<\/mrow><\/math>/g, (_, inner) => math(inner));

/** Returns the value that a variable of the reference has: "c_prev" is c', and "delta_f" is Δ_f. */
function valueNamed(word) {
  const name = word.replace("_tilde", "~").replace(/_prev$/, "'");
  return name.replace(/^delta_/, "Δ_").replace(/^diff_/, "d");
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
/** Returns a <code> element: "c_prev" and "delta_c_tilde" have the colours of c and c~. */
function codeElement(code) {
  const coloured = escaped(code).replace(/[A-Za-z_]\w*/g, (word) => {
    const name = word.replace(/^(diff|delta)_/, "").replace(/_(prev|hat)$/, "").replace("_tilde", "~");
    const css = letterClass(name);
    return css ? `<span class="${css}" data-name="${valueNamed(word)}">${word}</span>` : word;
  });
  return `<code>${coloured}</code>`;
}

Object.assign(globalThis, { codeElement, escaped, letterClass, math, withMath });
