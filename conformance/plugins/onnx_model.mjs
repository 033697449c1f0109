// This module writes an ONNX model. The format is protobuf; the field numbers are those of the ONNX specification (onnx.proto).

const VARINT = 0, BYTES = 2, FIXED32 = 5;
const TYPES = {float: 1, uint8: 2, int8: 3, int32: 6, int64: 7};  // TensorProto.DataType
const ARRAYS = {float: Float32Array, uint8: Uint8Array, int8: Int8Array};

function varint(value) {
  const bytes = [];
  for (let rest = BigInt(value); ; rest >>= 7n) {
    if (rest < 128n) return Buffer.from([...bytes, Number(rest)]);
    bytes.push(Number(rest & 127n) | 128);
  }
}

function field(number, type, payload) {
  return Buffer.concat([varint(number * 8 + type), payload]);
}

const integer = (number, value) => field(number, VARINT, varint(value));

function bytes(number, value) {
  const payload = Buffer.isBuffer(value) ? value : Buffer.from(value);
  return field(number, BYTES, Buffer.concat([varint(payload.length), payload]));
}

function float(number, value) {
  const payload = Buffer.alloc(4);
  payload.writeFloatLE(value);
  return field(number, FIXED32, payload);
}

const message = (number, fields) => bytes(number, Buffer.concat(fields));

// Returns an AttributeProto: an integer, a string, a list of strings or a list of floats.
export function attribute(name, value) {
  const fields = [bytes(1, name)];
  if (typeof value === 'number') {
    fields.push(integer(3, value), integer(20, 2));
  } else if (typeof value === 'string') {
    fields.push(bytes(4, value), integer(20, 3));
  } else if (typeof value[0] === 'string') {
    fields.push(...value.map(v => bytes(9, v)), integer(20, 8));
  } else {
    fields.push(...value.map(v => float(7, v)), integer(20, 6));
  }
  return message(5, fields);
}

// Returns a TensorProto among the graph's initializers.
export function constant(name, dims, values, type = 'float') {
  const data = type === 'int64' ? new BigInt64Array(values.map(BigInt)) : new ARRAYS[type](values);
  return message(5, [
    ...dims.map(d => integer(1, d)), integer(2, TYPES[type]), bytes(8, name),
    bytes(9, Buffer.from(data.buffer))
  ]);
}

// Returns a NodeProto, of ONNX's own operators or of those of another domain. An absent input is the name ''.
export function node(op, inputs, outputs, attributes, domain = '') {
  return message(
      1, [...inputs.map(n => bytes(1, n)), ...outputs.map(n => bytes(2, n)), bytes(4, op), ...attributes,
        bytes(7, domain)]);
}

// Returns a ValueInfoProto. Without dims it has any shape.
function value(number, {name, dims, type = 'float'}) {
  const shape = dims === undefined ? [] : [message(2, dims.map(d => message(1, [integer(1, d)])))];
  return message(number, [bytes(1, name), message(2, [message(1, [integer(1, TYPES[type]), ...shape])])]);
}

const operators = (domain, version) => message(8, [bytes(1, domain), integer(2, version)]);

// Returns a ModelProto with the given nodes, of operator set 14 and of ONNX Runtime's own.
export function model({nodes, constants, inputs, outputs}) {
  const graph = [
    ...nodes, bytes(2, 'rnn'), ...constants, ...inputs.map(i => value(11, i)), ...outputs.map(name => value(12, {name}))
  ];
  return Buffer.concat([integer(1, 7), operators('', 14), operators('com.microsoft', 1), message(7, graph)]);
}
