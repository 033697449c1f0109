// in_browser.mjs PROFILE PAGE [CHROMIUM_OPTION...] opens a page in Chromium, and prints its report. PAGE is a file of this
// folder, which is served by http, or a URL. It gets ?report=URL and sends a text there, whose last line ends with ", 0 failed"
// if all is well; this program then exits with 0.
import { createServer } from "node:http";
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [profile, page, ...options] = process.argv.slice(2);
const TYPES = { ".html": "text/html", ".mjs": "text/javascript", ".wasm": "application/wasm" };
const root = fileURLToPath(new URL(".", import.meta.url));
let said = "";

function end(report) {
  console.log(report);
  process.exitCode = report.endsWith(", 0 failed") ? 0 : 1;
  server.close();
  server.closeAllConnections();
  clearTimeout(patience);
  browser.kill();
}

const server = createServer(async (request, response) => {
  if (request.method === "POST") {
    let report = "";
    for await (const part of request) report += part;
    response.end();
    return end(report);
  }
  const path = new URL(request.url, "http://localhost").pathname;
  try {
    const body = await readFile(join(root, path));
    response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});
let browser, patience;
server.listen(0, "127.0.0.1", () => {
  const here = `http://127.0.0.1:${server.address().port}/`, address = new URL(page, here);
  address.searchParams.set("report", `${here}report`);
  browser = spawn("chromium", ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${profile}`,
    "--enable-logging=stderr", "--v=0", ...options, address.href], { stdio: ["ignore", "ignore", "pipe"] });
  browser.stderr.on("data", (text) => (said += text));
  browser.on("error", (error) => end(`FAILED: ${error}`));
  patience = setTimeout(() => end(`FAILED: ${page} reports nothing: ${said.split("\n").filter((line) => /CONSOLE/.test(line)).join("\n")}`), 600000);
});
