// This module has the pipe protocol (docs/test_your_library.md, "A pipe") for adapters in JavaScript, and finds their packages.
import fs from 'node:fs';
import {createRequire} from 'node:module';
import os from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

// Returns the package of npm that `listed`, a folder of npm/ beside this file, asks for. If it is missing, the program ends
// with the command that installs it and all that it needs, each with the hash that is listed.
export function requirePackage(name, listed) {
  const cache = process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache');
  const folder = path.join(cache, 'tandem', 'npm', listed);
  try {
    return createRequire(path.join(folder, 'any.js'))(name);
  } catch (error) {
    const why = String(error.message).split('\n')[0];
    const lists = path.join(path.dirname(fileURLToPath(import.meta.url)), 'npm', listed);
    console.error(`${name} is missing (${why}); install it with: mkdir -p '${folder}' && cp '${lists}'/*.json ` +
        `'${folder}' && npm ci --ignore-scripts --prefix '${folder}'`);
    process.exit(2);
  }
}

// run() and prepare() throw this for values of sequence_lengths that the library does not take.
export class NotServed extends Error {}

let buffered = Buffer.alloc(0);

// Returns false at the end of stdin.
function fill() {
  const chunk = Buffer.allocUnsafe(1 << 16);
  const size = fs.readSync(0, chunk);
  buffered = Buffer.concat([buffered, chunk.subarray(0, size)]);
  return size > 0;
}

function take(size) {
  const parts = [buffered.subarray(0, size)];
  let have = parts[0].length;
  buffered = buffered.subarray(have);
  while (have < size) {
    const part = Buffer.allocUnsafe(size - have);
    const got = fs.readSync(0, part);
    if (got === 0) process.exit(1);
    parts.push(part.subarray(0, got));
    have += got;
  }
  return Buffer.concat(parts);
}

function takeLine() {
  let end;
  while ((end = buffered.indexOf(10)) < 0) {
    if (!fill()) return null;
  }
  const line = buffered.toString('utf8', 0, end);
  buffered = buffered.subarray(end + 1);
  return line;
}

function answer(line, parts = []) {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  let rest = Buffer.concat([Buffer.from(JSON.stringify({...line, bytes}) + '\n'), ...parts]);
  while (rest.length > 0) rest = rest.subarray(fs.writeSync(1, rest));
}

const ARRAYS = {f32: Float32Array, s32: Int32Array, s8: Int8Array, u8: Uint8Array};

// The array is copied, because an array of numbers must start at a multiple of four.
function toNumbers(type, bytes) {
  return new ARRAYS[type](bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

function toBytes(tensor, floats) {
  if (floats === undefined || floats.byteLength !== tensor.bytes) {
    throw new Error(`${tensor.name} has ${floats && floats.byteLength} bytes, not ${tensor.bytes}`);
  }
  return Buffer.from(floats.buffer, floats.byteOffset, floats.byteLength);
}

// Returns seconds. One thread is timed by the CPU time of the process, so that other processes do not count.
export function clock(threads) {
  if (threads !== 1) return Number(process.hrtime.bigint()) * 1e-9;
  const {user, system} = process.cpuUsage();
  return (user + system) * 1e-6;
}

// Returns the mean of executions of five milliseconds: the CPU time has microseconds, and the first executions are slow.
async function timed({execute}, threads) {
  let count = 0;
  await execute();
  const start = clock(threads);
  do {
    await execute();
    ++count;
  } while (clock(threads) - start < 5e-3);
  return (clock(threads) - start) / count;
}

// Answers the requests of bench: prepare, execute, release.
async function answerBench({request, prepared, problem}, all, prepare) {
  if (request === 'prepare') {
    const inputs = readInputs(problem);
    if (prepare === undefined) return {status: 'not_supported', message: 'this adapter does not time'};
    try {
      all[prepared] = {...await prepare(problem, inputs), threads: problem.threads};
    } catch (error) {
      if (!(error instanceof NotServed)) throw error;
      return {status: 'not_supported', message: error.message};
    }
    return {status: 'ok', create_seconds: all[prepared].createSeconds};
  }
  if (request === 'execute') return {status: 'ok', seconds: await timed(all[prepared], all[prepared].threads)};
  await all[prepared].release();
  delete all[prepared];
  return {status: 'ok'};
}

function readInputs(problem) {
  const inputs = {};
  for (const tensor of problem.inputs) inputs[tensor.name] = toNumbers(tensor.type, take(tensor.bytes));
  return inputs;
}

// Answers requests until the end of stdin. whyNot(problem) returns what the library does not have, or null. run(problem,
// inputs) returns all outputs. Inputs and outputs are arrays of numbers of their types by name, dense and row-major.
// prepare(problem, inputs), for bench, returns createSeconds, and functions that execute once and release.
export async function serve(description, whyNot, run, prepare) {
  const prepared = {};
  for (let line; (line = takeLine()) !== null;) {
    const asked = JSON.parse(line), {request, problem} = asked;
    if (request === 'describe') {
      answer(description);
      continue;
    }
    if (['prepare', 'execute', 'release'].includes(request)) {
      answer(await answerBench(asked, prepared, prepare));
      continue;
    }
    const lack = whyNot(problem);
    if (lack !== null) {
      answer({status: 'not_supported', message: lack});
    } else if (request === 'supports') {
      answer({status: 'ok'});
    } else {
      const inputs = readInputs(problem);
      try {
        const outputs = await run(problem, inputs);
        answer({status: 'ok'}, problem.outputs.map(tensor => toBytes(tensor, outputs[tensor.name])));
      } catch (error) {
        answer({status: error instanceof NotServed ? 'not_supported' : 'failed', message: String(error.message).slice(0, 200)});
      }
    }
  }
}
