// This file reads the cases of a directory, and the outputs that another tool has for them.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "conformance/judge/verdict/location.h"
#include "conformance/problem/base/format.h"
#include "conformance/problem/base/json_depth.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/sandbox/whole_file.h"
#include "conformance/vectors/named_inputs.h"
#include "conformance/vectors/vectors.h"

namespace tandem::conformance {
namespace {

std::string FileOf(const GoldenCase& golden, const std::string& directory) {
  return directory + "/" + golden.name + ".safetensors";
}

// A case's name is a part of the names of files, which must stay in the folder.
void CheckName(const std::string& name) {
  const bool is_plain =
      !name.empty() && name[0] != '.' && name[0] != '-' &&
      std::all_of(name.begin(), name.end(), [](unsigned char c) { return c > ' ' && c != '/' && c != 0x7f; });
  if (!is_plain) throw std::runtime_error("the name of its case \"" + name + "\" cannot be that of a file");
}

bool Chooses(const std::string& word, const GoldenCase& golden) {
  return golden.name.find(word) != std::string::npos ||
         std::find(golden.flags.begin(), golden.flags.end(), word) != golden.flags.end();
}

// Returns for example "gate=u input=0 unit=3", the place of an element in a tensor of the problem.
std::string PlaceOf(const RnnProblem& problem, const std::string& tensor, size_t index) {
  for (int i = 0; i < kNumTensors; ++i) {
    const Tensor t = static_cast<Tensor>(i);
    if (tensor == ToString(t)) return ToString(Locate(problem, t, index), problem.cell);
  }
  return "element " + std::to_string(index);
}

// Returns the first element of `got` that is not in its interval; got.size() if there is none.
size_t FirstOutside(const TensorBuffer& got, const TensorBuffer& lo, const TensorBuffer& hi) {
  for (size_t i = 0; i < got.size(); ++i) {
    const double y = got.Get(i), low = lo.Get(i), high = hi.Get(i);
    if (std::isnan(low) ? !std::isnan(y) : !(y >= low && y <= high)) return i;
  }
  return got.size();
}

// Says what is wrong with `got`, the tensor `name` of the case; empty if nothing is.
std::string Departure(const RnnProblem& problem, const std::string& name, const TensorBuffer& got,
                      const NamedTensors& want) {
  const TensorBuffer &lo = want.at("lo." + name), &hi = want.at("hi." + name);
  if (got.size() != lo.size() || got.type() != lo.type()) return name + " has another shape or data type than expected";
  const size_t i = FirstOutside(got, lo, hi);
  if (i == got.size()) return "";
  return name + " " + PlaceOf(problem, name, i) +
         Format(" is %.9g, not in [%.9g, %.9g]", got.Get(i), lo.Get(i), hi.Get(i));
}

// Returns the complaint about the first wrong output of the case; empty if there is none.
std::string Complaint(const GoldenCase& golden, const NamedTensors& want, const NamedTensors& got) {
  ProblemSpec spec = golden.spec;
  ResolveDims(&spec);
  const RnnProblem problem = ToRnnProblem(spec);
  for (const auto& [key, lo] : want) {
    if (key.compare(0, 3, "lo.") != 0) continue;
    const std::string name = key.substr(3);
    const auto found = got.find(name);
    const std::string departure =
        found == got.end() ? name + " is missing" : Departure(problem, name, found->second, want);
    if (!departure.empty()) return departure;
  }
  return "";
}

std::string Listed(const std::vector<std::string>& flags) {
  std::string text;
  for (const std::string& flag : flags) text += (text.empty() ? " [" : ", ") + flag;
  return text.empty() ? "" : text + "]";
}

void VerifyCase(const GoldenCase& golden, const std::string& directory, const std::string& outputs,
                VectorsSummary* summary) {
  ++summary->cases;
  if (!std::filesystem::exists(FileOf(golden, outputs))) {
    ++summary->missing;
    return;
  }
  const NamedTensors want = ReadSafetensors(FileOf(golden, directory));
  std::string complaint;
  try {
    complaint = Complaint(golden, want, ReadSafetensors(FileOf(golden, outputs)));
  } catch (const std::runtime_error& error) {
    complaint = error.what();
  }
  if (complaint.empty()) {
    ++summary->passed;
  } else {
    summary->complaints.push_back(golden.name + Listed(golden.flags) + ": " + complaint);
  }
}

}  // namespace

std::vector<GoldenCase> ReadCases(const std::string& directory) {
  const std::string text = ReadWholeFile(directory + "/vectors.json");
  try {
    if (NestsTooDeeply(text)) throw std::runtime_error("it nests too deeply");
    const nlohmann::json index = nlohmann::json::parse(text);
    if (index.at("format") != kVectorsFormat) {
      throw std::runtime_error("its format is not " + std::string(kVectorsFormat));
    }
    std::vector<GoldenCase> cases;
    for (const nlohmann::json& golden : index.at("cases")) {
      CheckName(golden.at("name"));
      cases.push_back({golden.at("name"), ParseProblem(golden.at("problem")), golden.at("flags")});
    }
    return cases;
  } catch (const std::exception& error) {
    throw std::runtime_error(directory + "/vectors.json: " + error.what());
  }
}

StoredVector ReadVector(const GoldenCase& golden, const std::string& directory) {
  ProblemSpec spec = golden.spec;
  ResolveDims(&spec);
  StoredVector vector;
  vector.problem = ToRnnProblem(spec);
  vector.inputs = TensorSet(vector.problem);
  ReadInputs(FileOf(golden, directory), vector.problem, &vector.inputs);
  return vector;
}

std::vector<GoldenCase> Chosen(const std::vector<GoldenCase>& cases, const std::vector<std::string>& words) {
  if (words.empty()) return cases;
  std::vector<bool> chosen(cases.size());
  for (const std::string& word : words) {
    bool any = false;
    for (size_t i = 0; i < cases.size(); ++i) {
      if (Chooses(word, cases[i])) any = chosen[i] = true;
    }
    if (!any) throw std::runtime_error("no case has \"" + word + "\" in its name, or as a flag");
  }
  std::vector<GoldenCase> list;
  for (size_t i = 0; i < cases.size(); ++i) {
    if (chosen[i]) list.push_back(cases[i]);
  }
  return list;
}

VectorsSummary VerifyVectors(const std::string& directory, const std::string& outputs,
                             const std::vector<std::string>& only) {
  VectorsSummary summary;
  for (const GoldenCase& golden : Chosen(ReadCases(directory), only)) {
    VerifyCase(golden, directory, outputs, &summary);
  }
  return summary;
}

}  // namespace tandem::conformance
