#include <cstdint>
#include <initializer_list>
#include <utility>

#include "conformance/problem/base/format.h"
#include "conformance/problem/generator.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/problem/random/random_problem.h"
#include "conformance/vectors/vectors.h"

namespace tandem::conformance {
namespace {

using Flags = std::vector<std::string>;

constexpr const char* kCells[] = {"VANILLA_RNN", "VANILLA_LSTM", "VANILLA_GRU", "LBR_GRU"};
constexpr const char* kAttentionCells[] = {"VANILLA_AUGRU", "LBR_AUGRU"};
constexpr const char* kAllCells[] = {"VANILLA_RNN", "VANILLA_LSTM",  "VANILLA_GRU",
                                     "LBR_GRU",     "VANILLA_AUGRU", "LBR_AUGRU"};
constexpr const char* kPropagations[] = {"FWD_I", "FWD_D", "BWD_DW"};
constexpr const char* kDirections[] = {"left2right", "right2left", "concat", "sum"};
constexpr const char* kTypes[] = {"f32", "bf16f32", "f16c32"};

class CaseList {
 public:
  size_t size() const { return cases_.size(); }
  // Every case has another seed.
  void Add(const std::string& name, const std::string& words, Flags flags) {
    AddSeeded(name, words, std::move(flags), cases_.size() + 1);
  }
  void AddSeeded(const std::string& name, const std::string& words, Flags flags, uint64_t seed_number) {
    const std::string seed = " --seed=" + std::to_string(seed_number) + " ";
    const size_t descriptor = words.rfind(' ') + 1;
    cases_.push_back({Format("%03zu_", cases_.size()) + name,
                      ParseProblem(words.substr(0, descriptor) + seed + words.substr(descriptor)), std::move(flags)});
  }
  std::vector<GoldenCase> Take() { return std::move(cases_); }

 private:
  std::vector<GoldenCase> cases_;
};

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return text;
}

void AddBasics(CaseList* list) {
  for (const char* type : kTypes) {
    for (const char* propagation : kPropagations) {
      for (const char* cell : kCells) {
        for (const char* direction : kDirections) {
          const std::string d = direction;
          const bool hidden = d == "sum";
          Flags flags = {"GateOrder", "InitialStates", "LastStates"};
          if (d == "right2left") flags.push_back("ReversedTime");
          if (d == "concat") flags.push_back("ConcatHalves");
          if (d == "sum") flags.push_back("SumReversed");
          if (std::string(cell) == "LBR_GRU") flags.push_back("LinearBeforeReset");
          if (std::string(propagation) == "BWD_DW") {
            flags.insert(flags.end(), {"GradientsAccumulate", "DerivativeFormula"});
            if (d == "concat" || d == "sum") flags.push_back("OverwrittenDeltas");
          } else if (std::string(type) != "f32") {
            flags.push_back("StateCopies");
          }
          list->Add(Lower(cell) + "_" + Lower(propagation) + "_" + type + "_" + d,
                    std::string("--alg=") + cell + " --activation=TANH --prop=" + propagation + " --cfg=" + type +
                        " --direction=" + d + " --gain=" + (hidden ? "0.3" : "0.6") + " l1t" + (hidden ? "2" : "3") +
                        "mb2sic6slc5",
                    flags);
        }
      }
      for (const char* cell : kAttentionCells) {
        list->Add(
            Lower(cell) + "_" + Lower(propagation) + "_" + type,
            std::string("--alg=") + cell + " --prop=" + propagation + " --cfg=" + type + " --gain=0.6 l1t3mb2sic6slc5",
            {"AttentionFormula"});
      }
    }
  }
}

void AddLayersAndVariants(CaseList* list) {
  for (const char* cell : kCells) {
    for (const char* propagation : kPropagations) {
      Flags flags = {"WeightsOfEachLayer", "StateOfEachLayer", "OutputsFullOfGarbage"};
      if (std::string(propagation) == "BWD_DW") flags.push_back("MissingGradients");
      list->Add(
          Lower(cell) + "_" + Lower(propagation) + "_layers",
          std::string("--alg=") + cell + " --activation=LOGISTIC --prop=" + propagation + " --gain=0.3 l3t3mb2sic5",
          std::move(flags));
    }
  }
  for (const char* variant :
       {"--with-peephole=true", "--with-projection=true", "--with-peephole=true --with-projection=true"}) {
    const bool projected = std::string(variant).find("projection") != std::string::npos;
    for (const char* propagation : kPropagations) {
      for (const char* direction : {"left2right", "concat"}) {
        list->Add(
            std::string("lstm_") + (projected ? "projection" : "peephole") + "_" + Lower(propagation) + "_" + direction,
            std::string("--alg=VANILLA_LSTM ") + variant + " --prop=" + propagation + " --direction=" + direction +
                " --gain=0.6 l1t3mb2" + (projected ? "sic4slc5dhc7dic4" : "sic6slc5"),
            {projected ? "ProjectedState" : "PeepholeOrder", "PeepholeCell"});
      }
    }
  }
  list->Add("relu_alpha_fwd", "--activation=RELU --alpha=0.25 --gain=0.6 l1t3mb2sic6", {"NegativeSlope"});
  list->Add("relu_alpha_bwd", "--activation=RELU --alpha=0.25 --prop=BWD_DW --gain=0.6 l1t3mb2sic6", {"NegativeSlope"});
  for (const char* cell : kCells) {
    list->Add(Lower(cell) + "_overwrite",
              std::string("--alg=") + cell + " --activation=TANH --prop=BWD_DW --flags=O --gain=0.6 l1t3mb2sic6",
              {"GradientsOverwrite"});
  }
}

void AddAbsences(CaseList* list) {
  for (const char* cell : kAllCells) {
    const bool lstm = std::string(cell) == "VANILLA_LSTM";
    for (const char* absent : {"bias", "src_iter", "dst_iter"}) {
      std::string what = absent;
      if (lstm && what != "bias") what += "+" + what + "_c";
      for (const char* propagation : {"FWD_I", "BWD_DW"}) {
        list->Add(Lower(cell) + "_" + Lower(propagation) + "_no_" + absent,
                  std::string("--alg=") + cell + " --activation=TANH --prop=" + propagation + " --absent=" + what +
                      " --gain=0.6 l1t3mb2sic5slc4",
                  {"AbsentTensorIsZero"});
      }
    }
  }
}

void AddData(CaseList* list) {
  struct Kind {
    const char* name;
    const char* flag;
  };
  constexpr Kind kKinds[] = {{"saturating", "SaturatedActivations"},
                             {"tiny", "TanhNearZero"},
                             {"cancelling", "Accumulation"},
                             {"spread", "Exponents"},
                             {"special", "NanKeptInItsRow"}};
  for (const char* cell : kAllCells) {
    for (const Kind& kind : kKinds) {
      list->Add(Lower(cell) + "_" + kind.name,
                std::string("--alg=") + cell + " --activation=TANH --data=" + kind.name + " l1t2mb4sic8slc16",
                {kind.flag});
    }
  }
  for (int channels : {1, 2, 8, 9, 15, 16, 17, 31, 33, 65}) {
    for (const char* cell : {"VANILLA_LSTM", "LBR_GRU"}) {
      const std::string c = std::to_string(channels);
      list->Add(Lower(cell) + "_tail_" + c, std::string("--alg=") + cell + " l1t2mb3sic" + c + "slc3",
                {"TailLanes", "EveryKernel"});
    }
  }
}

void AddInt8(CaseList* list) {
  for (const char* type :
       {"u8u8u8u8", "u8u8u8f32", "f32u8f32u8", "f32u8f32f32", "s8s8s8s8", "s8s8s8f32", "f32s8f32s8", "f32s8f32f32"}) {
    for (const char* direction : {"left2right", "concat"}) {
      list->Add(std::string("lstm_") + type + "_" + direction,
                std::string("--alg=VANILLA_LSTM --scaling=per_oc --cfg=") + type + " --direction=" + direction +
                    " l1t3mb2sic8slc6",
                {"WeightScales", "Compensation", "SignedBytes"});
    }
  }
  for (const char* zero : {"0", "28", "128", "255"}) {
    for (const char* cell : {"VANILLA_LSTM", "VANILLA_GRU"}) {
      const std::string words = std::string("--alg=") + cell + " --cfg=u8u8u8u8 --data-scale=63 --zero-point=" + zero;
      list->Add(Lower(cell) + "_zero_point_" + zero, words + " l1t3mb2sic8", {"ZeroPoint", "Saturation"});
      const bool lstm = std::string(cell) == "VANILLA_LSTM";
      list->Add(Lower(cell) + "_absent_state_" + zero,
                words + " --absent=" + (lstm ? "src_iter+src_iter_c" : "src_iter") + " l1t3mb2sic8",
                {"AbsentStateIsZeroPoint"});
    }
  }
  for (const char* cell : {"VANILLA_LSTM", "VANILLA_GRU"}) {
    list->Add(Lower(cell) + "_pairs", std::string("--alg=") + cell + " --cfg=u8u8u8u8 --data=saturating l1t2mb2sic16",
              {"SixteenBitPairs"});
  }
}

// Cases for mistakes in how an implementation runs, not in its formulas.
void AddExecution(CaseList* list) {
  for (const char* cell : kAllCells) {
    const std::string alg = std::string("--alg=") + cell + " --activation=TANH --gain=0.6 ";
    const std::string name = Lower(cell);
    const uint64_t first = list->size() + 1;
    for (const char* part : {"first", "second", "first_again"}) {
      const bool again = std::string(part) == "first_again";
      list->AddSeeded(name + "_" + part, alg + "l1t3mb2sic7", {"BackToBack"}, again ? first : list->size() + 1);
    }
    list->Add(name + "_one_channel", alg + "l1t1mb1sic1", {"OneChannel", "OneRow"});
    list->Add(name + "_one_row", alg + "l1t4mb1sic17slc5", {"OneRow", "BaseOffset"});
    list->Add(name + "_gaps", alg + "l1t3mb3sic9slc6", {"RowsFarApart", "BaseOffset"});
    list->Add(name + "_odd_sizes", alg + "--prop=BWD_DW l1t3mb3sic7slc9", {"ScratchSize", "OutputsFullOfGarbage"});
    list->Add(name + "_threads", alg + "l1t2mb25sic48", {"SeveralThreads"});
  }
  for (const char* mode : {"strict", "bf16", "f16", "tf32", "any"}) {
    list->Add(std::string("lstm_fpmath_") + mode,
              std::string("--alg=VANILLA_LSTM --gain=0.1 --attr-fpmath=") + mode + " l1t1mb2sic16", {"FpmathMode"});
  }
}

void AddActivations(CaseList* list) {
  for (const Activation activation : OtherActivations()) {
    const std::string name = ToString(activation),
                      words = "--activation=" + name + " --alpha=0.75 --beta=0.25 --gain=0.6";
    list->Add(name + "_fwd", words + " l1t3mb2sic6", {"ActivationNumbers"});
    list->Add(name + "_bwd", words + " --prop=BWD_DW l1t3mb2sic6", {"ActivationNumbers"});
  }
}

// Extensions that neither the specification nor oneDNN has, each forward and backward. A norm has one step: those that follow
// divide by the small deviation of numbers that have an error already, so that their intervals accept everything.
void AddExtensions(CaseList* list) {
  const struct {
    const char *name, *words, *flag, *sizes;
  } kExtensions[] = {
      {"lstm_gate_functions",
       "--alg=VANILLA_LSTM --attr-rnn-activations=hard_sigmoid:0.25:0.5+softsign+elu:0.75 --attr-rnn-clip=0.75",
       "GateFunctions", "l1t3mb2sic6"},
      {"lstm_input_forget", "--alg=VANILLA_LSTM --with-peephole=true --attr-rnn-input-forget=true", "GateFunctions",
       "l1t3mb2sic6"},
      {"gru_gate_functions", "--alg=VANILLA_GRU --attr-rnn-activations=logistic+relu:0.25+tanh", "GateFunctions",
       "l1t3mb2sic6"},
      {"lstm_masks", "--alg=VANILLA_LSTM --masks=mask_layer+mask_iter+zoneout_iter+zoneout_iter_c", "Masks",
       "l1t3mb2sic6"},
      {"gru_masks", "--alg=VANILLA_GRU --masks=mask_iter+zoneout_iter", "Masks", "l1t3mb2sic6"},
      {"lstm_norms", "--alg=VANILLA_LSTM --norm=parts:row:state", "Norms", "l1t1mb2sic16"},
      {"lbr_gru_norms", "--alg=LBR_GRU --norm=parts", "Norms", "l1t1mb2sic16"},
  };
  for (const auto& extension : kExtensions) {
    const std::string words = std::string(extension.words) + " --gain=0.6", sizes = std::string(" ") + extension.sizes;
    list->Add(std::string(extension.name) + "_fwd", words + sizes, {extension.flag});
    list->Add(std::string(extension.name) + "_bwd", words + " --prop=BWD_DW" + sizes, {extension.flag});
  }
}

}  // namespace

std::vector<GoldenCase> GoldenCases() {
  CaseList list;
  AddBasics(&list);
  AddLayersAndVariants(&list);
  AddAbsences(&list);
  AddData(&list);
  AddInt8(&list);
  AddExecution(&list);
  AddActivations(&list);
  AddExtensions(&list);
  return list.Take();
}

}  // namespace tandem::conformance
