#include "conformance/vectors/vectors.h"

namespace tandem::conformance {

const std::vector<GoldenFlag>& GoldenFlags() {
  static const std::vector<GoldenFlag> flags = {
      {"AbsentStateIsZeroPoint", {"M01"}, "an absent src_iter stands for 0, whose byte is the zero point"},
      {"AbsentTensorIsZero", {"M02"}, "each optional tensor may be absent alone; h without c, bias without states"},
      {"Accumulation", {"M21"}, "cancelling sums show accumulators narrower than f32"},
      {"AttentionFormula", {"M12"}, "(1 - a) u, with an attention of its own for each step and row"},
      {"BackToBack",
       {"M04", "M13"},
       "three cases of one shape, the third with the inputs of the first: run them in this order in one process and on "
       "the same buffers, written anew only for the second"},
      {"BaseOffset", {"M18"}, "place every tensor one element past an aligned address"},
      {"Compensation", {"M23"}, "zero point times the sum of the weights, of one input and of many"},
      {"ConcatHalves", {"M08"}, "which half belongs to which direction, and where the next layer reads"},
      {"DerivativeFormula", {"M26"}, "signed gradients through every activation and gate"},
      {"EveryKernel", {"M39"}, "run once for each instruction set and kernel there is"},
      {"Exponents", {"M21"}, "columns of very different size"},
      {"FpmathMode", {"M20"}, "f32 with permission for narrower products: f16 and tf32 are held to more than bf16"},
      {"GateOrder", {"M09"}, "weights and bias of all gates differ"},
      {"GradientsAccumulate", {"M30"}, "diff_weights hold something before"},
      {"GradientsOverwrite", {"M30"}, "what diff_weights held before is gone"},
      {"InitialStates", {"M05"}, "dense states, other ones for each layer, direction and row"},
      {"LastStates", {"M06"}, "dst_iter of every layer and direction, from the end of the processing"},
      {"LinearBeforeReset", {"M11"}, "the fourth bias lies inside the reset gate's product"},
      {"MissingGradients", {"M28", "M29"}, "every gradient of several layers and steps, each judged"},
      {"NanKeptInItsRow", {"M32"}, "NaN and infinities reach what depends on them and nothing else"},
      {"NegativeSlope", {"M26"}, "relu below 0, forward and backward"},
      {"ActivationNumbers", {"M26", "M31"}, "alpha and beta of an activation, forward and backward"},
      {"OneChannel", {"M34"}, "every dimension 1"},
      {"OneRow", {"M36"}, "a batch of one, for which implementations have a path of their own"},
      {"OutputsFullOfGarbage",
       {"M03"},
       "fill outputs, workspace and scratchpad with NaN before: each element is judged"},
      {"OverwrittenDeltas", {"M27"}, "backward in both directions, which share inputs"},
      {"PeepholeCell", {"M10"}, "i and f see the old cell state, o the new one"},
      {"PeepholeOrder", {"M10"}, "the peepholes of i, f and o differ"},
      {"ProjectedState", {"M14"}, "dic differs from dhc"},
      {"ReversedTime", {"M07"}, "right2left reverses steps, not rows"},
      {"RowsFarApart",
       {"M15", "M33"},
       "place rows with gaps full of NaN between them; with strides beyond 2^31 bytes where memory can be mapped so"},
      {"Saturation", {"M25"}, "bytes at both ends of their range, ties to even"},
      {"SaturatedActivations", {"M31", "M37"}, "large arguments: exact limits, and no clipping before them"},
      {"ScratchSize", {"M38"}, "give exactly the bytes of workspace and scratchpad that were asked for"},
      {"SeveralThreads", {"M35"}, "large enough to be shared; run it with 1, 2 and 3 threads, several times"},
      {"SignedBytes", {"M22"}, "s8 activations below 0, u8 activations above 127"},
      {"SixteenBitPairs", {"M24"}, "neighbouring products of large bytes, whose sum has more than 16 bits"},
      {"StateCopies", {"M19"}, "dst_iter is a copy of the last dst_layer, in 16 bits"},
      {"StateOfEachLayer", {"M05", "M06"}, "the states of three layers"},
      {"SumReversed", {"M08"}, "both halves of the sum belong to the same step"},
      {"TailLanes", {"M16", "M17"}, "channels around multiples of vectors; put unreadable pages around the tensors"},
      {"TanhNearZero", {"M31"}, "small results need small errors"},
      {"WeightScales", {"M23"}, "a scale for each output channel and gate"},
      {"WeightsOfEachLayer", {"M14"}, "three layers, of which the first may have other channels"},
      {"ZeroPoint", {"M08", "M25"}, "zero points from 0 to 255"},
  };
  return flags;
}

}  // namespace tandem::conformance
