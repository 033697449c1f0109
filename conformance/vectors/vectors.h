// Golden vectors: for implementations that cannot be linked, problems with their inputs and, for each output element,
// the interval that the oracle accepts.
//
// A directory holds vectors.json (vectors.schema.json) and a safetensors file for each case with
//   in.NAME      the inputs, dense row-major over the logical dims
//   expect.NAME  the equations in double, rounded to the tensor's type
//   lo.NAME, hi.NAME  the smallest and the largest accepted value; both NaN: NaN is required
// Another tool writes a file of the same name with its outputs as NAME.
#ifndef TANDEM_CONFORMANCE_VECTORS_VECTORS_H_
#define TANDEM_CONFORMANCE_VECTORS_VECTORS_H_

#include <string>
#include <vector>

#include "conformance/oracle/oracle.h"
#include "conformance/problem/problem_spec.h"
#include "conformance/vectors/safetensors.h"

namespace tandem::conformance {

struct GoldenCase {
  std::string name;
  ProblemSpec spec;
  std::vector<std::string> flags;  // the mistakes that this case shows, of GoldenFlags()
};
// Around 300 small problems that among them show every kind of mistake of docs/verdicts/method.md.
std::vector<GoldenCase> GoldenCases();

// A word for a mistake, the rows of the catalogue in docs/verdicts/method.md that it stands for, and what shows it: a
// property of the numbers, or a way to run the case.
struct GoldenFlag {
  std::string name;
  std::vector<std::string> rows;
  std::string note;
};
const std::vector<GoldenFlag>& GoldenFlags();

struct GoldenVector {
  RnnProblem problem;
  TensorSet inputs;
  OracleResult oracle;
};
GoldenVector MakeGoldenVector(const ProblemSpec& spec);

// Creates `directory`. Throws std::runtime_error.
void ExportVectors(const std::vector<GoldenCase>& cases, const std::string& directory);

struct VectorsSummary {
  int cases = 0, passed = 0, missing = 0;
  std::vector<std::string> complaints;  // one line each
};
// Judges the outputs in `outputs` against the vectors in `directory`. Throws std::runtime_error if those cannot be
// read.
VectorsSummary VerifyVectors(const std::string& directory, const std::string& outputs);

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_VECTORS_VECTORS_H_
