// A page of a cell offers these choices. The options are those of `tandem trace`; the pictures are the book's.
"use strict";

const ALL_TYPES = ["f32", "bf16"],
  WITH_BYTES = [...ALL_TYPES, "u8"];
const LESSON_CELLS = {
  rnn: {
    variants: {
      tanh: "--alg=VANILLA_RNN --activation=TANH",
      relu: "--alg=VANILLA_RNN --activation=RELU",
      logistic: "--alg=VANILLA_RNN --activation=LOGISTIC",
    },
    types: ALL_TYPES,
  },
  lstm: {
    variants: {
      plain: "--alg=VANILLA_LSTM",
      "with peephole": "--alg=VANILLA_LSTM --with-peephole=true",
      "with projection": "--alg=VANILLA_LSTM --with-projection=true",
      "with peephole and projection": "--alg=VANILLA_LSTM --with-peephole=true --with-projection=true",
      "two layers": "--alg=VANILLA_LSTM l2",
      "two directions, side by side": "--alg=VANILLA_LSTM --direction=concat",
      "two directions, added": "--alg=VANILLA_LSTM --direction=sum",
      "rows of different lengths": "--alg=VANILLA_LSTM --lengths=random mb3",
    },
    types: WITH_BYTES,
  },
  gru: { variants: { plain: "--alg=VANILLA_GRU" }, types: WITH_BYTES },
  lbr_gru: { variants: { plain: "--alg=LBR_GRU" }, types: WITH_BYTES },
  augru: {
    variants: { "linear after reset": "--alg=VANILLA_AUGRU", "linear before reset": "--alg=LBR_AUGRU" },
    types: ALL_TYPES,
  },
};

/**
 * Returns the words of a problem. A variant may end with its layers or rows, "l2" or "mb3". Bytes stand for -3 to 3: for every h,
 * and for the inputs of the given sequence.
 */
function problemOf({ variant, type, backward, steps, units, inputs = units, slope }) {
  const size = `sic${units}slc${inputs}dhc${units}${variant.includes("projection") ? `dic${units}` : ""}`;
  const given = (name) => new RegExp(` ${name}(\\d+)$`).exec(variant)?.[1] ?? 1;
  return [
    variant.replace(/ (l|mb)\d+$/, ""),
    ...(type === "u8" ? ["--cfg=u8u8u8u8", "--data-scale=42.5", "--zero-point=128"] : [`--cfg=${type}`]),
    ...(slope === undefined ? [] : [`--alpha=${slope}`]),
    ...(backward ? ["--prop=BWD_DW"] : []),
    `l${given("l")}t${steps}mb${given("mb")}${size}`,
  ].join(" ");
}

Object.assign(globalThis, { LESSON_CELLS, problemOf });
