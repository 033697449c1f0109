// ONNX Runtime for a test: onnx_peer.mjs FOLDER-OF-onnxruntime-node MODEL <inputs >outputs, both JSON: {name: [dims, numbers]}
import fs from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';

const [folder, model] = process.argv.slice(2);
const {InferenceSession, Tensor} = createRequire(path.join(folder, 'any.js'))('onnxruntime-node');
const session = await InferenceSession.create(model, {intraOpNumThreads: 1, interOpNumThreads: 1});
const inputs = Object.entries(JSON.parse(fs.readFileSync(0, 'utf8')));
const said = await session.run(Object.fromEntries(inputs.filter(([name]) => session.inputNames.includes(name)).map(
    ([name, [dims, numbers]]) => [name, new Tensor('float32', Float32Array.from(numbers), dims)])));
fs.writeSync(1, JSON.stringify(Object.fromEntries(Object.entries(said).map(
    ([name, value]) => [name, [value.dims, Array.from(value.data)]]))));
