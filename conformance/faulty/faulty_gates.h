// Functions of gates in the second implementation, with injection points.
#ifndef TANDEM_CONFORMANCE_FAULTY_FAULTY_GATES_H_
#define TANDEM_CONFORMANCE_FAULTY_FAULTY_GATES_H_

#include "conformance/faulty/faulty_network.h"

namespace tandem::conformance {

// One unit's gates of one step. It leaves their pre-activations in the step, for backward.
class FaultyGates {
 public:
  // `at`: the unit in [n][dhc]; `lane`: in its row.
  FaultyGates(const FaultyNetwork& net, FaultyStep* step, Dim at, Dim lane)
      : net_(net), step_(*step), at_(at), lane_(lane) {}

  float Recurrent(Dim gate, float a) const { return Gate(GatePlace::kRecurrent, gate, a); }
  float Candidate(Dim gate, float a) const { return Gate(GatePlace::kCandidate, gate, a); }
  // The output gate of LSTM, as an input of h.
  float OutputGate(Dim gate, float a) const;
  // The function of c_t.
  float OutputOf(float c) const;
  float Clipped(GatePlace place, float a) const;

 private:
  float Gate(GatePlace place, Dim gate, float a) const;
  float Function(GatePlace place, float a) const;

  const FaultyNetwork& net_;
  FaultyStep& step_;
  const Dim at_, lane_;
};

// The slopes of a step's gates.
class FaultySlopes {
 public:
  FaultySlopes(const FaultyNetwork& net, const FaultyStep& step) : net_(net), step_(step) {}

  // `otherwise`: the slope of the specification's function.
  float Recurrent(Dim gate, Dim at, float otherwise) const;
  float Candidate(Dim gate, Dim at, float otherwise) const;
  // At c_t, whose function has the value `y`.
  float Output(float c, float otherwise) const;
  float OutputOf(float c) const;

 private:
  float Slope(GatePlace place, Dim gate, Dim at) const;

  const FaultyNetwork& net_;
  const FaultyStep& step_;
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_FAULTY_FAULTY_GATES_H_
