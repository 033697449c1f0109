// The checks on the package that is installed where this file lies.
import * as tandem from "tandem-rnn";
import { readFile } from "node:fs/promises";
import { CHECKS, runAll } from "./checks.mjs";

const failures = await runAll(tandem, console.log);
failures.forEach((failure) => console.log(failure));
// A module from elsewhere.
const bytes = await readFile(new URL(import.meta.resolve?.("tandem-rnn/tandem.wasm") ?? "./node_modules/tandem-rnn/tandem.wasm", import.meta.url));
const lstm = (await tandem.load(bytes)).lstm({ slc: 3, dhc: 4 });
console.log(`implementation: ${lstm.implementation()}`);
if (!lstm.implementation().startsWith("hwy:wasm")) failures.push("another implementation");
console.log(`node: ${CHECKS.length} checks, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
