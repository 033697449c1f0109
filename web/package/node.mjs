// This is tandem-rnn in node: load() reads the module of the package as a file.
import { readFile } from "node:fs/promises";
import { load as loadFrom } from "./index.mjs";

export { TandemError } from "./index.mjs";

export async function load(source) {
  return loadFrom(source ?? (await readFile(new URL("./tandem.wasm", import.meta.url))));
}
