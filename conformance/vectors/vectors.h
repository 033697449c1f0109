// Golden vectors are problems with inputs and the oracle's intervals, for implementations that cannot be linked.
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

// This is the member `format` of vectors.json.
constexpr char kVectorsFormat[] = "tandem-vectors/1";

struct GoldenCase {
  std::string name;
  ProblemSpec spec;
  std::vector<std::string> flags;  // words of GoldenFlags() for the mistakes that this case shows
};
// Returns around 300 small problems that among them show every kind of mistake of docs/verdicts/method.md.
std::vector<GoldenCase> GoldenCases();
// Returns problems that somebody wrote, with names such as 000_lstm_backward and no flags.
std::vector<GoldenCase> CasesOf(const std::vector<ProblemSpec>& problems);

// A flag is a word for a mistake, with the rows of the catalogue in docs/verdicts/method.md that it stands for, and what shows
// it: a property of the numbers, or a way to run the case.
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
// `inputs_file` is that of ExportVectors().
GoldenVector MakeGoldenVector(const ProblemSpec& spec, const std::string& inputs_file = "");

// Creates `directory`. Tensors of the safetensors file `inputs_file`, if any, replace generated ones. Throws runtime_error.
void ExportVectors(const std::vector<GoldenCase>& cases, const std::string& directory,
                   const std::string& inputs_file = "");

// An implementation needs these parts of a case in a directory.
struct StoredVector {
  RnnProblem problem;
  TensorSet inputs;
};
// Returns the cases that the directory's index lists, with their flags. Throws std::runtime_error.
std::vector<GoldenCase> ReadCases(const std::string& directory);
StoredVector ReadVector(const GoldenCase& golden, const std::string& directory);

// Returns those whose name contains one of the words, or that have it as a flag; all of them if there is no word. Throws
// std::runtime_error for a word that chooses none.
std::vector<GoldenCase> Chosen(const std::vector<GoldenCase>& cases, const std::vector<std::string>& words);

struct VectorsSummary {
  int cases = 0, passed = 0, missing = 0;
  std::vector<std::string> complaints;  // one line each
};
// Judges the outputs in `outputs` for the cases that `only` chooses. Throws std::runtime_error if vectors cannot be read.
VectorsSummary VerifyVectors(const std::string& directory, const std::string& outputs,
                             const std::vector<std::string>& only = {});

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_VECTORS_VECTORS_H_
