// These checks hold the package to what it promises of streams. A check throws if that does not hold.
import { fail, numbers, same, sentence } from "./helpers.mjs";

const SLC = 9, STEPS = 8;

// The networks have every cell with one layer and, if there may be more, with two.
const NETS = [
  ...[1, 2].flatMap((layers) => [
    { cell: "lstm", layers, dhc: 21 }, { cell: "lstm", layers, dhc: 40, peephole: true, dic: 7 },
    { cell: "gru", layers, dhc: 21 }, { cell: "lbr_gru", layers, dhc: 64 },
    { cell: "vanilla_rnn", layers, dhc: 5, activation: "relu" }, { cell: "lstm", layers, dhc: 32, precision: "bfloat16" },
    { cell: "gru", layers, dhc: 21, bias: false },
  ]),
  { cell: "augru", dhc: 21 }, { cell: "lbr_augru", dhc: 40 },
];

function sameBits(got, want, name) {
  const bits = (array) => new Uint32Array(array.slice().buffer);
  same(bits(got), bits(want), name);
}
function sameState(got, want, name) {
  if (Object.keys(got).join() !== (want.c === undefined ? "h" : "h,c")) fail(`${name}: has ${Object.keys(got)}`);
  sameBits(got.h, want.h, `${name} h`);
  if (want.c !== undefined) sameBits(got.c, want.c, `${name} c`);
}

/** Returns the steps [begin, end) of an array of STEPS; undefined for undefined. */
const stepsOf = (array, begin, end = begin + 1) => array?.subarray(begin * array.length / STEPS, end * array.length / STEPS);
const attentionOf = ({ cell }, count) => (cell.endsWith("augru") ? numbers(count).map(Math.abs) : undefined);

function streamsHaveTheBitsOfRun({ rnn }) {
  for (const net of NETS) {
    const name = JSON.stringify(net), network = rnn.network(net.cell, { slc: SLC, ...net });
    const x = numbers(STEPS * SLC), attention = attentionOf(net, STEPS), want = network.run(x, { attention });
    const voice = network.stream();
    for (const time of ["first", "second"]) {
      const out = new Float32Array(want.y.length), label = `${name}, ${time} time`;
      out.set(voice.step(stepsOf(x, 0), undefined, attention?.[0]));
      const y = stepsOf(out, 1);
      if (voice.step(stepsOf(x, 1), y, stepsOf(attention, 1)) !== y) fail(`${label}: y is not the caller's`);
      stepsOf(out, 2, 4).set(voice.run(stepsOf(x, 2, 4), 2, undefined, stepsOf(attention, 2, 4)));
      // The block is longer than the one before, then shorter.
      voice.run(stepsOf(x, 4, 7), 3, stepsOf(out, 4, 7), stepsOf(attention, 4, 7));
      voice.run(stepsOf(x, 7, 8), 1, stepsOf(out, 7, 8), stepsOf(attention, 7, 8));
      sameBits(out, want.y, `${label}: y`);
      sameState(voice.state, want, `${label}: state`);
      voice.reset();
    }
    voice.free();
    network.free();
  }
}

function groupsHaveTheBitsOfTheirStreams({ rnn }) {
  const orders = [[0, 1, 2, 3, 4], [3], new Int32Array([4, 0]), [], [1, 4, 3, 0], [2, 1]];
  for (const net of NETS) {
    const name = JSON.stringify(net), network = rnn.network(net.cell, { slc: SLC, ...net });
    const desk = network.streamGroup(5), voices = Array.from({ length: desk.count }, () => network.stream());
    for (const rows of orders) {
      const x = numbers(rows.length * SLC), attention = attentionOf(net, rows.length);
      const want = Array.from(rows, (row, i) => [
        ...voices[row].step(x.subarray(i * SLC, (i + 1) * SLC), undefined, attention?.[i])]);
      sameBits(desk.step(rows, x, undefined, attention), Float32Array.from(want.flat()), `${name} y of rows ${rows}`);
    }
    voices.forEach((voice, row) => sameState(desk.state(row), voice.state, `${name} state of row ${row}`));
    desk.setState(2, desk.state(4));
    desk.reset(3);
    sameState(desk.state(2), voices[4].state, `${name} state that was set`);
    sameState(desk.state(3), network.stream().state, `${name} state after reset`);
    sameState(desk.state(1), voices[1].state, `${name} state of a row beside them`);
    const x = numbers(SLC), attention = attentionOf(net, 1), y = new Float32Array(network.run(x, { attention }).y.length);
    if (desk.step([2], x, y, attention) !== y) fail(`${name}: y is not the caller's`);
    sameBits(y, voices[4].step(x, undefined, attention), `${name} y from the state that was set`);
    desk.free();
    network.free();
  }
}

function statesGoBetweenRunsAndStreams({ rnn }) {
  for (const net of [{ cell: "lstm", dhc: 20, dic: 6, layers: 2 }, { cell: "gru", dhc: 20, layers: 2 }]) {
    const network = rnn.network(net.cell, { slc: SLC, ...net }), x = numbers(STEPS * SLC), whole = network.run(x);
    const voice = network.stream(), name = net.cell;
    voice.state = network.run(stepsOf(x, 0, 3));
    const y = voice.run(stepsOf(x, 3, 5), 2), state = voice.state;
    sameBits(y, stepsOf(whole.y, 3, 5), `${name}: y of the stream`);
    voice.run(stepsOf(x, 5, 8), 3); // this changes nothing in the copy of the state
    sameBits(network.run(stepsOf(x, 5, 8), state).y, stepsOf(whole.y, 5, 8), `${name}: y of the second run`);
    voice.state = undefined;
    sameBits(voice.step(stepsOf(x, 0)), stepsOf(whole.y, 0), `${name}: y from zeros`);
    voice.state = { h: state.h };
    sameState(voice.state, { h: state.h, c: state.c?.map(() => 0) }, `${name}: state with h alone`);
    network.free();
  }
}

function streamsKeepTheirWeights({ rnn }) {
  const lstm = rnn.lstm({ slc: SLC, dhc: 21, layers: 2 }), x = numbers(STEPS * SLC), { y } = lstm.run(x);
  const voice = lstm.stream(), first = voice.run(stepsOf(x, 0, 4), 4);
  lstm.setWeights(rnn.lstm({ slc: SLC, dhc: 21, layers: 2, seed: 7 }).weights);
  const other = lstm.run(x).y, another = lstm.stream();
  lstm.free();
  sameBits([first, voice.run(stepsOf(x, 4, 8), 4)].reduce((a, b) => Float32Array.of(...a, ...b)), y, "y of the older weights");
  sameBits(another.run(x, STEPS), other, "y of the newer weights");
  sameBits(lstm.stream().run(x, STEPS), other, "y after free() of the network");
  if (y.every((value, i) => value === other[i])) fail("both weights give the same y");
}

/** Opens a module whose memory can be looked at: {rnn, memory, calls}, the calls of its functions by their names. */
async function openModule(load) {
  const { instantiate } = WebAssembly, calls = {}, opened = { calls };
  WebAssembly.instantiate = async (...args) => {
    const { exports } = await instantiate(...args);
    opened.memory = exports.memory;
    return { exports: Object.fromEntries(Object.entries(exports).map(([name, value]) => [name, typeof value !== "function" ? value
      : (...given) => {
        calls[name] = (calls[name] ?? 0) + 1;
        return value(...given);
      }])) };
  };
  try {
    opened.rnn = await load();
  } finally {
    WebAssembly.instantiate = instantiate;
  }
  return opened;
}

async function streamsShareTheWeightsOfRun({ load }) {
  const { rnn, calls } = await openModule(load);
  for (const precision of ["float32", "bfloat16"]) {
    const lstm = rnn.lstm({ slc: SLC, dhc: 64, dic: 24, layers: 2, precision }), plans = calls.tandem_rnn_stream_plan_create ?? 0;
    lstm.run(numbers(STEPS * 3 * SLC), { rows: 3 });
    const reorders = calls.tandem_reorder_primitive_desc_create;
    for (let n = 0; n < 3; ++n) {
      lstm.stream();
      lstm.streamGroup(3);
    }
    if (calls.tandem_reorder_primitive_desc_create !== reorders) fail(`${precision}: weights were packed again`);
    if (calls.tandem_rnn_stream_plan_create !== plans + 1) fail(`${precision}: streams have plans of their own`);
  }
}

async function streamsThatAreFreedNeedNoMemory({ load }) {
  const { rnn, memory } = await openModule(load);
  const repeat = (name, times, act) => {
    for (let n = 0; n < 3; ++n) act();
    const before = memory.buffer.byteLength;
    for (let n = 0; n < times; ++n) act();
    if (memory.buffer.byteLength !== before) fail(`${name}: took ${memory.buffer.byteLength - before} bytes`);
  };
  const large = rnn.lstm({ slc: 256, dhc: 256 }), small = rnn.gru({ slc: 16, dhc: 16 }), wide = rnn.gru({ slc: 256, dhc: 4 });
  const x = new Float32Array(200 * 256), half = x.subarray(0, 100 * 256), voice = wide.stream();
  repeat("plans", 60, () => {
    large.stream().free();
    large.free();
  });
  repeat("blocks", 300, () => {
    const other = wide.stream();
    other.run(half, 100);
    other.run(x, 200);
    other.free();
  });
  repeat("a stream's blocks", 300, () => {
    voice.run(half, 100);
    voice.run(x, 200);
  });
  repeat("groups", 60, () => small.streamGroup(20000).free());
}

async function streamsGoOnWhereMemoryHasGrown({ load }) {
  const { rnn, memory } = await openModule(load), gru = rnn.gru({ slc: SLC, dhc: 21 }), x = numbers(STEPS * SLC);
  const voice = gru.stream(), desk = gru.streamGroup(2), { y } = gru.run(x), before = memory.buffer;
  voice.step(stepsOf(x, 0));
  voice.run(stepsOf(x, 1, 3), 2);
  desk.step([1], stepsOf(x, 0));
  rnn.rnn({ slc: 1024, dhc: 1 }).run(new Float32Array(1024 * 16384));
  if (memory.buffer === before) fail("the memory has not grown");
  sameBits(voice.step(stepsOf(x, 3)), stepsOf(y, 3), "y of a step");
  sameBits(voice.run(stepsOf(x, 4, 6), 2), stepsOf(y, 4, 6), "y of a block");
  sameBits(desk.step([1], stepsOf(x, 1)), stepsOf(y, 1), "y of a group");
}

function streamsAreRefusedWithSentences({ rnn, TandemError }) {
  const refused = (act, ...words) => sentence(TandemError, act, ...words), frame = numbers(SLC), two = numbers(2 * SLC);
  for (const direction of ["right2left", "concat", "sum"]) {
    const net = rnn.gru({ slc: SLC, dhc: 5, direction });
    refused(() => net.stream(), `the network is ${direction}`, "left2right");
    refused(() => net.streamGroup(2), `the network is ${direction}`, "left2right");
  }
  const lstm = rnn.lstm({ slc: SLC, dhc: 5 }), gru = rnn.gru({ slc: SLC, dhc: 5 }), augru = rnn.augru({ slc: SLC, dhc: 5 });
  const voice = lstm.stream(), desk = lstm.streamGroup(3);
  voice.step(frame);
  desk.step([0, 1, 2], numbers(3 * SLC));
  const { h, c } = voice.state, states = [0, 1, 2].map((row) => desk.state(row));
  refused(() => voice.step([1, 2]), "x: must be a Float32Array");
  refused(() => voice.step(two), "x: has 18 elements, but must have 9");
  refused(() => voice.step(frame, numbers(4)), "y: has 4 elements, but must have 5");
  refused(() => voice.step(frame, undefined, 0.5), "attention: is given, but lstm has none");
  refused(() => augru.stream().step(frame), "attention: an augru needs it");
  refused(() => augru.stream().step(frame, undefined, numbers(2)), "attention: has 2 elements, but must have 1");
  refused(() => augru.stream().run(two, 2, undefined, 0.5), "attention: must be a Float32Array");
  refused(() => voice.run(frame), "steps: is undefined, but must be a positive integer");
  refused(() => voice.run(frame, 0), "steps: is 0, but must be a positive integer");
  refused(() => voice.run(two, 3), "x: has 18 elements, but must have 27");
  refused(() => voice.run(two, 2, numbers(5)), "y: has 5 elements, but must have 10");
  refused(() => { voice.state = { h: numbers(4) }; }, "h: has 4 elements, but must have 5");
  refused(() => { voice.state = { h, c: numbers(4) }; }, "c: has 4 elements, but must have 5");
  refused(() => { voice.state = null; }, "state: must be an object with h");
  refused(() => { gru.stream().state = { h, c }; }, "c: is given, but gru has none");
  for (const count of [0, 1.5, "2", undefined]) {
    refused(() => lstm.streamGroup(count), `count: is ${count}, but must be a positive integer`);
  }
  refused(() => lstm.streamGroup(2 ** 40), "out of memory");
  refused(() => desk.step(1, frame), "rows: must be an array of integers");
  refused(() => desk.step([3], frame), "rows: 3 is no integer from 0 to 2");
  refused(() => desk.step([-1], frame), "rows: -1 is no integer from 0 to 2");
  refused(() => desk.step([0.5], frame), "rows: 0.5 is no integer from 0 to 2");
  refused(() => desk.step([0, 1, 2, 0], numbers(4 * SLC)), "rows: are 4, but the group has 3");
  refused(() => desk.step([2, 2], two), "row 2 is named twice");
  refused(() => desk.step([0, 1], frame), "x: has 9 elements, but must have 18");
  refused(() => desk.step([0, 1], two, numbers(5)), "y: has 5 elements, but must have 10");
  refused(() => desk.state(3), "row: 3 is no integer from 0 to 2");
  refused(() => desk.setState(-1, { h, c }), "row: -1 is no integer from 0 to 2");
  refused(() => desk.reset(), "row: undefined is no integer from 0 to 2");
  sameState(voice.state, { h, c }, "state after refusals");
  states.forEach((state, row) => sameState(desk.state(row), state, `state of row ${row} after refusals`));
  voice.free();
  desk.free();
  desk.free(); // a second time does nothing
  for (const act of [() => voice.step(frame), () => voice.run(frame, 1), () => voice.reset(), () => voice.state,
    () => { voice.state = { h, c }; }, () => desk.step([0], frame), () => desk.reset(0), () => desk.state(0),
    () => desk.setState(0, { h, c })]) {
    refused(act, "stream: was freed");
  }
}

export const STREAM_CHECKS = [streamsHaveTheBitsOfRun, groupsHaveTheBitsOfTheirStreams, statesGoBetweenRunsAndStreams,
  streamsKeepTheirWeights, streamsShareTheWeightsOfRun, streamsThatAreFreedNeedNoMemory, streamsGoOnWhereMemoryHasGrown,
  streamsAreRefusedWithSentences];
