// Finds sections that have every word. The index is a script, loaded with the first letter: a page from a file cannot fetch one.
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

  // A section gets points for each word: most for one in the page's title, then in its heading, then in its text. A whole word
  // counts more than a part. SITE_SYNONYMS has other meanings of a word.
  const PLACES = [
    { points: [40, 24, 10], text: ({ heading, title }) => (heading === title ? title : "") },
    { points: [20, 12, 6], text: ({ heading }) => heading },
    { points: [8, 5, 3], text: ({ title }) => title },
    { points: [2, 1.5, 1], text: ({ text }) => text },
  ];
  const escaped = (word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const patterns = (word) =>
    ["(?<![\\p{L}\\d])WORD(?![\\p{L}\\d])", "(?<![\\p{L}\\d])WORD", "WORD"].map((form) => new RegExp(form.replace("WORD", escaped(word)), "iu"));
  const meanings = (word) => [word, ...(globalThis.SITE_SYNONYMS[word] ?? [])].map(patterns);

  function pointsOf(section, [whole, start, part]) {
    for (const { points, text } of PLACES) {
      const place = [whole, start, part].findIndex((pattern) => pattern.test(text(section)));
      if (place >= 0) return points[place];
    }
    return 0;
  }

  function rank(section, words) {
    let sum = 0;
    for (const word of words) {
      const points = Math.max(...word.map((meaning) => pointsOf(section, meaning)));
      if (points === 0) return 0;
      sum += points;
    }
    return sum * section.weight;
  }

  function item({ address, heading, title, text }, word) {
    const line = document.createElement("li"),
      link = document.createElement("a"),
      part = document.createElement("small");
    link.href = root + address;
    // A heading of the reference may have many names.
    const named = heading.length > 90 ? (heading.split(", ").find((name) => name.toLowerCase().includes(word)) ?? heading.slice(0, 90)) : heading;
    link.textContent = heading === title ? title : `${title}: ${named}`;
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
    const looked = words.map(meanings);
    const found = sections
      .map((section) => [rank(section, looked), section])
      .filter(([points]) => points > 0)
      .sort((a, b) => b[0] - a[0])
      .slice(0, 12);
    list.replaceChildren(...found.map(([, section]) => item(section, words[0])));
    if (found.length === 0) list.append(Object.assign(document.createElement("li"), { textContent: "Nothing found" }));
  });
  box.addEventListener("keydown", ({ key }) => {
    if (key === "Enter") list.querySelector("a")?.click();
  });
})();
