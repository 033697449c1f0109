// ONNX Runtime computes Silero VAD for a test: silero_peer.mjs FOLDER-OF-onnxruntime-node MODEL ROWS <chunks >results.
// chunks: f32, T, N = ROWS, 576. results: f32, the probabilities T, N, then h and c: 2, N, 128.
import fs from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';

const [folder, model, count] = process.argv.slice(2);
const rows = Number(count);
const {InferenceSession, Tensor} = createRequire(path.join(folder, 'any.js'))('onnxruntime-node');
const session = await InferenceSession.create(model, {intraOpNumThreads: 1, interOpNumThreads: 1});
const bytes = fs.readFileSync(0);
const samples = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
const sr = new Tensor('int64', BigInt64Array.from([16000n]), []);
let state = new Tensor('float32', new Float32Array(2 * rows * 128), [2, rows, 128]);
const results = [];
for (let at = 0; at < samples.length; at += rows * 576) {
  const input = new Tensor('float32', samples.slice(at, at + rows * 576), [rows, 576]);
  const said = await session.run({input, state, sr});
  state = said.stateN;
  results.push(...said.output.data);
}
fs.writeSync(1, Buffer.from(Float32Array.from([...results, ...state.data]).buffer));
