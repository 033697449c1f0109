// Finds sections that have every word. The index is a script of its own, which is loaded with the first letter: a page that is
// a file may not fetch one.
"use strict";
(() => {
  const box = document.getElementById("search"),
    list = document.getElementById("found"),
    { root } = document.body.dataset;
  let loading;
  const index = () =>
    (loading ??= new Promise((done, failed) => {
      const script = document.createElement("script");
      Object.assign(script, { src: `${root}index.js`, onload: () => done(globalThis.SITE_INDEX), onerror: failed });
      document.head.append(script);
    }));

  // A section with the word in its heading comes first.
  function rank({ heading, title, text }, words) {
    let points = 0;
    for (const word of words) {
      if (heading.toLowerCase().includes(word)) points += 10;
      else if (title.toLowerCase().includes(word)) points += 5;
      else if (text.toLowerCase().includes(word)) points += 1;
      else return 0;
    }
    return points;
  }

  function item({ address, heading, title, text }, word) {
    const line = document.createElement("li"),
      link = document.createElement("a"),
      part = document.createElement("small");
    link.href = root + address;
    link.textContent = heading === title ? title : `${title}: ${heading}`;
    const at = Math.max(text.toLowerCase().indexOf(word) - 50, 0);
    part.textContent = text.slice(at, at + 140);
    line.append(link, part);
    return line;
  }

  box.addEventListener("input", async () => {
    const words = box.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word.length > 1);
    if (words.length === 0) return list.replaceChildren();
    const sections = await index();
    const found = sections
      .map((section) => [rank(section, words), section])
      .filter(([points]) => points > 0)
      .sort((a, b) => b[0] - a[0])
      .slice(0, 12);
    list.replaceChildren(...found.map(([, section]) => item(section, words[0])));
    if (found.length === 0) list.append(Object.assign(document.createElement("li"), { textContent: "Nothing found" }));
  });
})();
