// Files of weights want to harm. The result is a network of the numbers in them, or a TandemError that says what is wrong.
import assert from "node:assert/strict";

const { TandemError } = await import(new URL("../package/module.mjs", import.meta.url));
const { networkOf } = await import(new URL("../package/safetensors.mjs", import.meta.url));

const make = (cell, options) => ({ cell, ...options });

function fileOf(header, data = 0) {
  const text = new TextEncoder().encode(typeof header === "string" ? header : JSON.stringify(header));
  const bytes = new Uint8Array(8 + text.length + data);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(text.length), true);
  bytes.set(text, 8);
  return bytes;
}

/** Returns entries of a layer of an LSTM with 7 units, and the bytes of their data. */
function lstm(layer, inputs, begin = 0) {
  const header = {}, shapes = { weight_ih: [28, inputs], weight_hh: [28, 7], bias_ih: [28], bias_hh: [28] };
  let end = begin;
  for (const [name, shape] of Object.entries(shapes)) {
    const size = 4 * shape.reduce((a, b) => a * b);
    header[`${name}_l${layer}`] = { dtype: "F32", shape, data_offsets: [end, end + size] };
    end += size;
  }
  return { header, end };
}

function refused(bytes, words) {
  assert.throws(() => networkOf(bytes, {}, make), (error) => {
    assert.ok(error instanceof TandemError, `${error.stack} is no TandemError`);
    assert.match(error.message, words);
    return true;
  });
}

const first = lstm(0, 5), second = lstm(1, 7, first.end);
const net = networkOf(fileOf({ ...first.header, ...second.header }, second.end), {}, make);
assert.deepEqual([net.cell, net.layers, net.slc, net.dhc], ["lstm", 2, 5, 7]);
const extra = { dtype: "I64", shape: [1], data_offsets: [0, 0] };
assert.equal(networkOf(fileOf({ ...first.header, extra }, first.end), {}, make).layers, 1);
refused(fileOf({ ...first.header, weight_ih_l00: { ...extra, dtype: "F32", shape: [0] } }, first.end), /weight_ih_l00 is there twice/);

for (const number of [2, 30000000, 999999999]) {
  const last = lstm(number, 7, first.end);
  refused(fileOf({ ...first.header, ...last.header }, last.end), /layer 1 has no weights/);
}
refused(fileOf(lstm("9".repeat(300), 5).header, first.end), /no name is that of a weight/);

const shared = {};
for (let layer = 0; layer < 200; ++layer) Object.assign(shared, lstm(layer, 7).header);
refused(fileOf(shared, lstm(0, 7).end), /more bytes than the file/);

const one = { dtype: "F32", shape: [1], data_offsets: [0, 4] };
for (const size of [8, 9, 1000]) refused(new Uint8Array(size), /has no header: its first 8 bytes are 0/);
for (const bytes of [undefined, null, 5, "net", [1, 2]]) refused(bytes, /must be an ArrayBuffer or a Uint8Array/);
for (const header of ["[".repeat(50000), '{"a":'.repeat(50000), "x"]) refused(fileOf(header), /the header is no JSON/);
for (const header of ["[]", "null", "5", '"a"']) refused(fileOf(header), /the header is no object/);
for (const wrong of [null, [], 5, {}, { ...one, shape: 1 }, { ...one, shape: [-1] }, { ...one, shape: [0.5] }, { ...one, shape: null },
  { ...one, data_offsets: [0] }, { ...one, data_offsets: [-4, 0] }, { ...one, data_offsets: [0, 2 ** 60] }, { ...one, dtype: 5 }]) {
  refused(fileOf({ a: wrong }, 4), /a has no dtype, shape and data_offsets/);
}
refused(fileOf({ a: { ...one, shape: [2] } }, 4), /a does not have the bytes of its shape/);
refused(new Uint8Array(5), /ends before its header/);

const turned = { weight_ih_l1: [196], weight_hh_l1: [7, 28], bias_ih_l1: [4, 7], bias_hh_l1: [28, 1] };
for (const [name, shape] of Object.entries(turned)) {
  const header = { ...first.header, ...second.header };
  header[name] = { ...header[name], shape };
  refused(fileOf(header, second.end), new RegExp(`layer 1: ${name.slice(0, -3)} has shape`));
}

for (const metadata of [null, [], 5, { a: 1 }]) refused(fileOf({ __metadata__: metadata }), /the metadata are no object of texts/);

// This is an LSTM in 8 bits, as save() writes it.
const layer = { factor: [5], scales: [4, 7], bias: [1, 1, 4, 7], weights_layer: [1, 1, 5, 4, 7], weights_iter: [1, 1, 7, 4, 7] };
const saved = { __metadata__: { tandem_network: "1", cell: "lstm", quantization: "dynamic" } };
let end = 0;
for (const [name, shape] of Object.entries(layer)) {
  const dtype = name.startsWith("weights") ? "I8" : "F32", size = (dtype === "I8" ? 1 : 4) * shape.reduce((a, b) => a * b);
  saved[`0.${name}`] = { dtype, shape, data_offsets: [end, end += size] };
}
refused(fileOf(saved, end), /0.factor: has a number that is not above 0/);
const savedFile = fileOf(saved, end);
for (let at = savedFile.length - end; at < savedFile.length; at += 4) savedFile[at + 3] = 0x40; // 2, or bytes
assert.equal(networkOf(savedFile, {}, make).layers, 1);

// Any byte of the header may be any other.
let state = 1;
const below = (n) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % n;
for (const [whole, data] of [[fileOf({ ...first.header, ...second.header }, second.end), second.end], [savedFile, end]]) {
  for (let i = 0; i < 5000; ++i) {
    const bytes = whole.slice();
    for (let change = 0; change <= below(3); ++change) bytes[below(whole.length - data)] = below(128);
    try {
      networkOf(bytes, {}, make);
    } catch (error) {
      assert.ok(error instanceof TandemError, error.stack);
    }
  }
}
console.log("files that want to harm: refused");
