// Runs the checks on the package that is installed beside this file.
import * as tandem from "tandem-rnn";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { CHECKS, runAll } from "./checks.mjs";
import { savedChecks } from "./saved_checks.mjs";

const names = (await readdir("golden")).filter((name) => name.endsWith(".safetensors"));
const saved = savedChecks(new Map(await Promise.all(names.map(async (name) => [name, await readFile(`golden/${name}`)]))));
const failures = await runAll(tandem, console.log, saved);
// The module comes from elsewhere.
const bytes = await readFile(new URL(import.meta.resolve?.("tandem-rnn/tandem.wasm") ?? "./node_modules/tandem-rnn/tandem.wasm", import.meta.url));
const lstm = (await tandem.load(bytes)).lstm({ slc: 3, dhc: 4 });
console.log(`implementation: ${lstm.implementation()}`);
if (!lstm.implementation().startsWith("hwy:wasm")) failures.push("another implementation");
// Bundlers for browsers warn about node's modules.
for (const name of await readdir("node_modules/tandem-rnn")) {
  if (!name.endsWith(".mjs") || name === "node.mjs") continue;
  if (/["']node:/.test(await readFile(`node_modules/tandem-rnn/${name}`, "utf8"))) failures.push(`FAILED: ${name} needs a module of node`);
}
// Runs the programs of the README, one after the other. Those of pages and workers are left out.
const readme = await readFile(new URL("./node_modules/tandem-rnn/README.md", import.meta.url), "utf8");
const program = [...readme.matchAll(/^```js\n(.*?)^```/gms)].map(([, text]) => text).join("\n");
await writeFile("readme.mjs", `${program}
if (!(loss < 0.05)) throw new Error(\`the loop ends with a loss of \${loss}\`);
if (again.run(frames).y.join() !== gru.run(frames).y.join()) throw new Error("the saved network computes something else");
const exact = lstm.run(frames).y;
if (!near.every((value, i) => Math.abs(value - exact[i]) < 0.05)) throw new Error("8 bits are far away");
`);
try {
  await import(new URL("./readme.mjs", import.meta.url));
  console.log("passed: README.md");
} catch (error) {
  failures.push(`FAILED: README.md: ${error.stack}`);
}
failures.forEach((failure) => console.log(failure));
console.log(`node: ${CHECKS.length + saved.length + 1} checks, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
