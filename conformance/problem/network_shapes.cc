#include "conformance/problem/network_shapes.h"

#include "conformance/problem/problem_notation.h"

namespace tandem::conformance {
namespace {

// A gain below 1 where the bounds of gain 1 would be too wide to test anything: a worst-case bound grows with
// sqrt(inputs) faster than rounding errors do, and from layer to layer where the states are hidden. In backward it
// grows twice, in the gates and in the products with their gradients: at a gain of 0.3 all bounds of LBR-GRU 1024 were
// too loose, at 0.05 none. The gradient of src_iter passes through every step, and its bound with it: where
// that is too wide, training starts from absent states.
constexpr const char* kShapes[] = {
    "--alg=VANILLA_LSTM l1t1mb1sic128slc128dhc128n\"Silero VAD v5 decoder\"",
    "--alg=VANILLA_GRU l1t1mb1sic96slc114dhc96n\"RNNoise v1\"",
    "--alg=VANILLA_GRU --gain=0.2 l3t1mb1sic384slc384dhc384n\"RNNoise v2\"",
    "--alg=VANILLA_GRU --gain=0.2 l2t1mb1sic256slc256dhc256n\"DeepFilterNet3 df_gru\"",
    "--alg=VANILLA_GRU l1t1mb1sic384slc512dhc384n\"LPCNet GRU_A\"",
    "--alg=VANILLA_GRU l1t1mb1sic512slc512dhc512n\"WaveRNN\"",
    "--alg=VANILLA_LSTM --gain=0.2 l2t1mb1sic768slc768dhc768n\"denoiser dns48 streaming\"",
    "--alg=VANILLA_LSTM --gain=0.2 l2t1mb1sic320slc320dhc320n\"RNN-T prediction net\"",
    "--alg=VANILLA_LSTM l1t1mb10sic512slc1024dhc512n\"GNMT decoder, beam 10\"",
    "--alg=VANILLA_GRU l1t50mb1sic154slc100dhc154n\"keyword spotting\"",
    "--alg=VANILLA_LSTM --direction=concat l1t63mb1sic32slc24dhc32n\"small bidirectional LSTM\"",
    "--alg=VANILLA_LSTM --direction=concat l1t26mb1sic256slc512dhc256n\"CRNN OCR\"",
    "--alg=VANILLA_LSTM --direction=concat l1t80mb6sic48slc288dhc48n\"PaddleOCR mobile\"",
    "--alg=VANILLA_LSTM l1t50mb1sic512slc512dhc512n\"GNMT encoder, batch 1\"",
    "--alg=LBR_GRU --gain=0.3 l1t50mb1sic1760slc1760dhc1760n\"DeepSpeech2, batch 1\"",
    "--alg=VANILLA_GRU l1t1000mb1sic256slc256dhc256n\"DeepFilterNet offline\"",
    "--alg=VANILLA_LSTM --gain=0.1 l2t200mb8sic256slc256dhc256n\"two long layers\"",
    "--alg=VANILLA_LSTM l1t50mb64sic512slc512dhc512n\"GNMT encoder\"",
    "--alg=VANILLA_LSTM --direction=concat l1t101mb64sic256slc256dhc256n\"GNMT encoder, both ways\"",
    "--alg=VANILLA_LSTM l1t1mb640sic512slc1024dhc512n\"GNMT decoder, batch 640\"",
    "--alg=VANILLA_RNN --activation=TANH --gain=0.3 l1t50mb64sic1760slc1760dhc1760n\"DeepSpeech2 vanilla\"",
    "--alg=VANILLA_RNN --activation=RELU l1t50mb32sic128slc64dhc128n\"IRNN\"",
    "--alg=VANILLA_AUGRU l1t100mb128sic36slc36dhc36n\"DIEN\"",
    "--alg=LBR_AUGRU l1t50mb32sic64slc64dhc64n\"DIEN, linear before reset\"",
    "--alg=VANILLA_LSTM l1t96mb256sic64slc7dhc64n\"time series, 7 features\"",
    "--alg=VANILLA_LSTM l1t128mb32sic1024slc1024dhc1024n\"RNN-T encoder\"",
    "--alg=VANILLA_LSTM --with-projection=true --gain=0.1 l1t8mb16sic512slc512dhc2048dic512n\"ELMo biLM\"",
    "--alg=VANILLA_LSTM --with-peephole=true l1t20mb16sic128slc128dhc128n\"peephole LSTM\"",
    "--alg=LBR_GRU l1t83mb64sic681slc379dhc681n\"odd sizes\"",
    "--alg=VANILLA_LSTM --cfg=bf16f32 l1t50mb64sic512slc512dhc512n\"GNMT encoder bf16\"",
    "--alg=VANILLA_LSTM --cfg=bf16f32 l1t128mb1sic1024slc1024dhc1024n\"RNN-T encoder bf16\"",
    "--alg=VANILLA_GRU --cfg=f16c32 l1t50mb16sic256slc256dhc256n\"GRU f16\"",
    "--alg=VANILLA_LSTM --cfg=u8u8u8u8 --scaling=per_oc l1t50mb64sic512slc512dhc512n\"GNMT int8\"",
    "--alg=VANILLA_LSTM --cfg=u8u8u8u8 --scaling=per_oc l1t128mb1sic1024slc1024dhc1024n\"RNN-T int8\"",
    "--alg=VANILLA_GRU --cfg=u8u8u8u8 --scaling=per_oc l1t50mb1sic256slc256dhc256n\"GRU int8\"",
    "--alg=VANILLA_LSTM --cfg=u8u8u8f32 l1t200mb1sic192slc96dhc192n\"Tesseract Lfx192\"",
    "--alg=VANILLA_LSTM --prop=FWD_D l1t20mb128sic512slc512dhc512n\"GNMT encoder training\"",
    "--alg=VANILLA_LSTM --prop=BWD_DW --absent=src_iter+src_iter_c --gain=0.05 l1t20mb128sic512slc512dhc512n\"GNMT "
    "encoder backward\"",
    "--alg=VANILLA_GRU --prop=BWD_DW --gain=0.05 l1t50mb32sic256slc256dhc256n\"small GRU backward\"",
    "--alg=VANILLA_LSTM --prop=BWD_DW --gain=0.05 l1t3mb16sic256slc256dhc256n\"LSTM backward, truncated in time\"",
    "--alg=LBR_GRU --prop=BWD_DW --absent=src_iter --gain=0.05 l1t10mb32sic1024slc1024dhc1024n\"DeepSpeech2 backward\"",
    ("--alg=VANILLA_LSTM --cfg=bf16f32 --prop=BWD_DW --absent=src_iter+src_iter_c --gain=0.05 "
     "l1t10mb128sic512slc512dhc512n\"bf16 backward\""),
};

}  // namespace

std::vector<ProblemSpec> ActivationSweeps() {
  std::vector<std::string> kinds;
  for (const Cell cell : kCells) {
    const std::string alg = std::string("--alg=") + TraitsOf(cell).alg_name;
    if (!HasActivation(cell)) kinds.push_back(alg);
    for (const Activation activation : kActivations) {
      // Not every implementation has the others.
      const bool usual = IsBounded(activation) && TraitsOf(activation).random == InRandomProblems::kAll;
      if (HasActivation(cell) && usual) kinds.push_back(alg + " --activation=" + ToString(activation));
    }
  }
  std::vector<ProblemSpec> sweeps;
  for (const std::string& kind : kinds) {
    const std::string words = kind + " --data=sweep --absent=bias l1t1mb509sic12";
    sweeps.push_back(ParseProblem(words + "n\"activation sweep " + kind + "\""));
  }
  return sweeps;
}

std::vector<ProblemSpec> NetworkShapes() {
  std::vector<ProblemSpec> shapes;
  for (const char* words : kShapes) shapes.push_back(ParseProblem(words));
  return shapes;
}

}  // namespace tandem::conformance
