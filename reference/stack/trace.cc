#include "reference/stack/trace.h"

#include "api/core/error.h"
#include "reference/numerics/numerics.h"
#include "reference/numerics/numerics_int8.h"
#include "reference/stack/stack_input.h"

namespace tandem {
namespace reference {
namespace {

// Tells the values of one step in the order of its cell's equations.
template <class N>
struct Teller {
  const RnnProblem& problem;
  const CellInput<N>& in;
  const CellResult<N>& out;
  std::function<void(const char* equation, const char* name, const Mat<double>& value)> tell;

  void Tell() const {
    switch (problem.cell) {
      case Cell::kVanillaRnn:
        return TellVanillaRnn();
      case Cell::kLstm:
        return problem.HasPeephole() ? TellPeephole() : TellLstm();
      case Cell::kGru:
        return TellGru();
      case Cell::kLbrGru:
        return TellLbrGru();
      case Cell::kAugru:
        TellGruGates();
        return TellAttention();
      case Cell::kLbrAugru:
        TellLbrGruGates();
        return TellAttention();
    }
    ThrowNoSuchEnumerator("Cell", problem.cell);
  }

  void TellVanillaRnn() const {
    tell("RNN.1", "a", out.linear);
    tell("RNN.2", "h", out.h);
  }
  void TellLstm() const {
    tell("LSTM.1", "i", out.gate[LstmGate::kInput]);
    tell("LSTM.2", "f", out.gate[LstmGate::kForget]);
    tell("LSTM.3", "c~", out.gate[LstmGate::kCandidate]);
    tell("LSTM.4", "c", out.c);
    tell("LSTM.5", "o", out.gate[LstmGate::kOutput]);
    TellLstmState("LSTM.6");
  }
  void TellPeephole() const {
    tell("PEEP.1", "i", out.gate[LstmGate::kInput]);
    tell("PEEP.2", "f", out.gate[LstmGate::kForget]);
    tell("PEEP.3", "c~", out.gate[LstmGate::kCandidate]);
    tell("PEEP.4", "c", out.c);
    tell("PEEP.5", "o", out.gate[LstmGate::kOutput]);
    TellLstmState("PEEP.6");
  }
  void TellLstmState(const char* equation) const {
    if (!problem.HasProjection()) return tell(equation, "h", out.h);
    tell(equation, "h^", out.h_hat);
    tell("PROJ.1", "h", out.h);
  }
  void TellGruGates() const {
    tell("GRU.1", "u", out.gate[GruGate::kUpdate]);
    tell("GRU.2", "r", out.gate[GruGate::kReset]);
    tell("GRU.3", "o", out.gate[GruGate::kCandidate]);
  }
  void TellLbrGruGates() const {
    tell("LBR.1", "u", out.gate[GruGate::kUpdate]);
    tell("LBR.2", "r", out.gate[GruGate::kReset]);
    tell("LBR.3", "U_o h' + B_u'", out.linear);
    tell("LBR.3", "o", out.gate[GruGate::kCandidate]);
  }
  void TellGru() const {
    TellGruGates();
    tell("GRU.4", "h", out.h);
  }
  void TellLbrGru() const {
    TellLbrGruGates();
    tell("LBR.4", "h", out.h);
  }
  void TellAttention() const {
    tell("AUGRU.1", "u~", AttendedUpdate<N>(in.a, out.gate[GruGate::kUpdate]));
    tell("AUGRU.2", "h", out.h);
  }
};

template <class N>
struct TraceHook : NoHook {
  const RnnProblem& problem;
  const std::function<void(const TracedValue&)>& visit;

  TraceHook(const RnnProblem& p, const std::function<void(const TracedValue&)>& v) : problem(p), visit(v) {}
  void AfterStep(const StepIndex& index, const CellInput<N>& in, CellResult<N>* out) {
    Teller<N>{problem, in, *out,
              [&](const char* equation, const char* name, const Mat<double>& value) {
                visit({index, equation, name, value});
              }}
        .Tell();
  }
};

template <class N>
void Trace(const BoundProblem& bound, const std::function<void(const TracedValue&)>& visit) {
  const N num(bound.problem);
  TraceHook<N> hook(bound.problem, visit);
  RunStack(num, LoadStackInput(num, bound), &hook);
}

}  // namespace

void TraceForward(const RnnProblem& problem, const RnnBuffers& buffers,
                  const std::function<void(const TracedValue&)>& visit) {
  const BoundProblem bound = {problem, buffers};
  if (problem.IsInt8()) return Trace<QuantizedNumerics<double>>(bound, visit);
  Trace<StorageNumerics<double>>(bound, visit);
}

}  // namespace reference
}  // namespace tandem
