// index.d.ts makes these promises to TypeScript.
import { load, TandemError, type Gradients, type Network, type Stream, type StreamGroup } from "tandem-rnn";

export async function train(x: Float32Array): Promise<Gradients> {
  const tandem = await load();
  const lstm = tandem.lstm({ slc: 4, dhc: 8, peephole: true, dic: 3, direction: "concat", batchFirst: true });
  const { y, h, c } = lstm.run(x, { rows: 2, lengths: [1, 2] });
  const all: Float32Array[] = [c, lstm.quantize({ weightsOnly: true }).run(x).c, lstm.record(x).c, lstm.record(x).backward().c];
  const file: Uint8Array = tandem.gru({ slc: 4, dhc: 8, firstState: { h: all[0] } }).save();
  const any: Network = lstm;
  // @ts-expect-error: of any cell c may be undefined
  all.push(any.run(x).c);
  // @ts-expect-error: a GRU has no c
  all.push(tandem.gru({ slc: 4, dhc: 8 }).run(x).c);
  // @ts-expect-error: layers is misspelled
  tandem.gru({ slc: 4, dhc: 8, layer: 2 });
  tandem.lstm({ slc: 4, dhc: 8, activations: [["hard_sigmoid", 0.2, 0.5], "tanh", "relu"], clip: 3, inputForget: true });
  tandem.network("gru", { slc: 4, dhc: 8, activations: ["logistic", ["relu", 0.1]] });
  // @ts-expect-error: a GRU has two functions
  tandem.gru({ slc: 4, dhc: 8, activations: ["logistic", "tanh", "tanh"] });
  // @ts-expect-error: no such function
  tandem.gru({ slc: 4, dhc: 8, activations: ["sigmoid", "tanh"] });
  const eight: "dynamic" | "weights_only" | "samples" | undefined = tandem.fromSafetensors(file).quantization;
  // @ts-expect-error: no such kind
  eight === "int4";
  lstm.run(x, { h, c, out: y });
  tandem.fromSafetensors(new ArrayBuffer(8), { prefix: "encoder" }).free();
  // @ts-expect-error: no such direction
  tandem.gru({ slc: 4, dhc: 8, direction: "both" });
  // @ts-expect-error: x is an array of f32
  lstm.run([1, 2, 3]);
  const voice: Stream = lstm.stream(), desk: StreamGroup = lstm.streamGroup(2);
  voice.state = lstm.run(voice.run(voice.step(x, y, 0.5), 2, y));
  voice.state = undefined;
  desk.step(new Int32Array([desk.count - 1]), voice.state.h, y);
  desk.setState(0, desk.state(1));
  // @ts-expect-error: the number of steps is missing
  voice.run(x);
  // @ts-expect-error: readonly
  desk.count = 3;
  const error: Error = new TandemError("");
  if (error.message) throw error;
  const tape = lstm.record(x);
  const gradients = tape.backward({ dy: tape.y });
  tape.free();
  return gradients;
}
