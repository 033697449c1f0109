#include "conformance/vectors/vectors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "conformance/problem/base/byte_order.h"
#include "conformance/problem/problem_notation.h"
#include "conformance/sandbox/runfiles.h"
#include "conformance/vectors/json_schema_testing.h"

namespace tandem::conformance {
namespace {

std::string TempPath(const std::string& name) {
  const char* directory = std::getenv("TEST_TMPDIR");
  return std::string(directory ? directory : ".") + "/" + name;
}

// A file has the header's length and the header, then the tensors' bytes.
std::string FileOf(const std::string& header, const std::string& data) {
  uint64_t size = header.size();
  ConvertLittleEndian(&size, 1, sizeof size);
  return std::string(reinterpret_cast<const char*>(&size), sizeof size) + header + data;
}

TEST(Safetensors, EveryTypeComesBackBitByBit) {
  NamedTensors tensors;
  for (DataType type : {DataType::kF32, DataType::kBf16, DataType::kF16, DataType::kS8, DataType::kU8}) {
    TensorBuffer buffer(MakePermuted({2, 3}, type, "ba"));
    for (size_t i = 0; i < buffer.size(); ++i) buffer.Set(i, 1.5 * static_cast<double>(i));
    tensors[ToString(type)] = buffer;
  }
  const std::string path = TempPath("types.safetensors");
  WriteSafetensors(path, tensors);
  const NamedTensors read = ReadSafetensors(path);
  ASSERT_EQ(read.size(), tensors.size());
  for (const auto& [name, tensor] : tensors) {
    EXPECT_EQ(read.at(name).type(), tensor.type());
    EXPECT_EQ(read.at(name).ToDoubles(), tensor.ToDoubles()) << name;
  }
}

// The expected bytes are written out, so that they hold on a processor with another byte order, too.
TEST(Safetensors, FilesAreLittleEndianOnEveryProcessor) {
  NamedTensors tensors;
  TensorBuffer f32(MakeDense({2}, DataType::kF32)), bf16(MakeDense({2}, DataType::kBf16));
  f32.FromDoubles({1, -2});          // the bits are 0x3f800000, 0xc0000000
  bf16.FromDoubles({1, -1.015625});  // the bits are 0x3f80, 0xbf82
  tensors["f32"] = f32;
  tensors["bf16"] = bf16;
  const std::string path = TempPath("order.safetensors");
  WriteSafetensors(path, tensors);
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  ASSERT_GT(bytes.size(), 20u);
  const size_t header = static_cast<unsigned char>(bytes[0]) + 256u * static_cast<unsigned char>(bytes[1]);
  EXPECT_EQ(bytes.substr(2, 6), std::string(6, '\0'));
  ASSERT_EQ(bytes.size(), 8 + header + 12);
  const char expected[] = "\x80\x3f\x82\xbf\x00\x00\x80\x3f\x00\x00\x00\xc0";  // by name: bf16, then f32
  EXPECT_EQ(bytes.substr(8 + header), std::string(expected, 12));
  std::stringstream given(
      FileOf(R"({"a":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}})", std::string("\x00\x3c\x01\xc0", 4)));
  EXPECT_EQ(ParseSafetensors(&given, given.str().size()).at("a").ToDoubles(), (std::vector<double>{1, -2.001953125}));
}

TEST(Safetensors, HostileFilesAreRefused) {
  const auto write = [](const std::string& header, const std::string& data) {
    const std::string path = TempPath("hostile.safetensors");
    std::ofstream file(path, std::ios::binary);
    file << FileOf(header, data);
    return path;
  };
  const std::string entry = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":)";
  EXPECT_EQ(ReadSafetensors(write(entry + "[0,8]}}", "12345678")).size(), 1u);
  for (const std::string& header :
       {entry + "[0,8]}}", entry + "[8,0]}}", entry + "[4,12]}}", entry + "[-8,0]}}", entry + "[0,8.5]}}",
        std::string("{"), std::string("[]"), std::string("{\"a\":{}}"),
        std::string(R"({"a":{"dtype":"F99","shape":[1],"data_offsets":[0,4]}})"),
        std::string(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})"),
        std::string(R"({"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}})"),
        std::string(R"({"a":{"dtype":"F32","shape":1,"data_offsets":[0,4]}})"),
        std::string(R"({"a":{"dtype":"U8","shape":[4611686018427387904,4],"data_offsets":[0,0]}})")}) {
    const std::string data = header == entry + "[0,8]}}" ? "1234567" : "12345678";
    EXPECT_THROW(ReadSafetensors(write(header, data)), std::runtime_error) << header;
  }
  std::ofstream(TempPath("short.safetensors")) << "abc";
  EXPECT_THROW(ReadSafetensors(TempPath("short.safetensors")), std::runtime_error);
  EXPECT_THROW(ReadSafetensors(TempPath("absent.safetensors")), std::runtime_error);
}

// The sizes that a file promises are compared with its length before memory is taken for them.
TEST(Safetensors, PromisesBeyondTheFileAreRefusedFirst) {
  const auto complaint = [](const std::string& header) {
    std::stringstream file(FileOf(header, "12345678"));
    try {
      ParseSafetensors(&file, file.str().size());
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string a = R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
  const std::string b = R"("b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
  const std::string large = R"("a":{"dtype":"U8","shape":[1000000000000],"data_offsets":[0,8]})";
  EXPECT_EQ(complaint("{" + a + "}"), "");
  EXPECT_EQ(complaint("{" + a + "," + b + "}"), "its tensors have more bytes than the file");
  EXPECT_EQ(complaint("{" + large + "}"), "data_offsets do not fit the shape and the file");
}

TEST(GoldenCases, AreManyDistinctAndFlagged) {
  std::set<std::string> names, flags;
  for (const GoldenCase& golden : GoldenCases()) {
    EXPECT_TRUE(names.insert(golden.name).second) << golden.name;
    EXPECT_FALSE(golden.flags.empty()) << golden.name;
    flags.insert(golden.flags.begin(), golden.flags.end());
  }
  EXPECT_GE(names.size(), 300u);
  std::set<std::string> known;
  for (const GoldenFlag& flag : GoldenFlags()) known.insert(flag.name);
  EXPECT_EQ(flags, known) << "every flag has a note, and a case";
}

TEST(GoldenCases, HaveAFlagForEachRowOfTheCatalogue) {
  std::set<std::string> rows, wanted;
  for (const GoldenFlag& flag : GoldenFlags()) rows.insert(flag.rows.begin(), flag.rows.end());
  // M40 is a mistake of the judge itself.
  for (int i = 1; i < 40; ++i) wanted.insert((i < 10 ? "M0" : "M") + std::to_string(i));
  EXPECT_EQ(rows, wanted);
}

// A vector whose interval accepts everything tests nothing.
TEST(GoldenCases, AcceptNarrowIntervalsThatHoldTheExpectedValue) {
  for (const GoldenCase& golden : GoldenCases()) {
    const GoldenVector vector = MakeGoldenVector(golden.spec);
    for (const OracleTensor& tensor : vector.oracle.outputs) {
      // Intervals of bytes are always wide for their range; NaN and infinity of `special` have no range.
      if (tensor.type != DataType::kU8 && tensor.type != DataType::kS8 && !vector.problem.IsInt8()) {
        EXPECT_LT(tensor.vacuous_share, 0.1) << golden.name << " " << ToString(tensor.tensor);
      }
      for (size_t i = 0; i < tensor.value.size(); ++i) {
        if (tensor.cls[i] != ElementClass::kFinite) continue;
        const double rounded = RoundToType(tensor.value[i], tensor.type);
        ASSERT_TRUE(tensor.lo[i] <= tensor.hi[i]) << golden.name;
        if (vector.problem.IsInt8()) continue;  // the equations' values come before quantization
        ASSERT_TRUE(rounded >= tensor.lo[i] && rounded <= tensor.hi[i])
            << golden.name << " " << ToString(tensor.tensor) << " " << i;
      }
    }
  }
}

TEST(Vectors, TheIndexFollowsItsSchema) {
  const std::vector<GoldenCase> all = GoldenCases();
  std::vector<GoldenCase> some;
  // One case of each kind is enough; examples/vectors exports all of them.
  for (size_t i = 0; i < all.size(); i += 20) some.push_back(all[i]);
  some.push_back({"gates",
                  ParseProblem("--alg=VANILLA_LSTM --attr-rnn-activations=relu:0.5+tanh+softsign --attr-rnn-clip=0.5 "
                               "--attr-rnn-input-forget=true l1t2mb2sic3"),
                  {}});
  some.push_back({"norms", ParseProblem("--alg=VANILLA_LSTM --norm=parts:row:state l1t2mb2sic3"), {}});
  ExportVectors(some, TempPath("some"));
  const auto parse = [](const std::string& path) { return nlohmann::json::parse(std::ifstream(path)); };
  JsonSchema schema(parse(RunfilePath("conformance/vectors/vectors.schema.json")));
  nlohmann::json index = parse(TempPath("some") + "/vectors.json");
  EXPECT_EQ(schema.Violations(index), std::vector<std::string>());
  EXPECT_EQ(index["cases"].back()["layer_normalization"]["scope"], "row");
  EXPECT_EQ(index["cases"].back().count("gates"), 0u);
  const nlohmann::json& gates = index["cases"][index["cases"].size() - 2]["gates"];
  EXPECT_EQ(gates["recurrent"], nlohmann::json({{"activation", "relu"}, {"alpha", 0.5}, {"beta", 0.0}}));
  EXPECT_EQ(gates["output"]["activation"], "softsign");
  EXPECT_EQ(gates["clip"], 0.5);
  EXPECT_EQ(gates["input_forget"], true);
  index["cases"][0].erase("problem");
  index["notes"]["GateOrder"]["rows"] = "M09";
  EXPECT_EQ(schema.Violations(index).size(), 2u);
}

template <class Enum>
nlohmann::json NamesOf() {
  nlohmann::json names;
  for (const Enum value : AllOf<Enum>()) names.push_back(ToString(value));
  return names;
}

// The problem's words alone do not say it to a reader of another language.
TEST(Vectors, MasksAreTensorsOfTheirCase) {
  const GoldenCase golden = {
      "masks", ParseProblem("--alg=VANILLA_LSTM --masks=mask_iter+zoneout_iter_c l1t2mb2sic3"), {}};
  ExportVectors({golden}, TempPath("masks"));
  const NamedTensors file = ReadSafetensors(TempPath("masks") + "/masks.safetensors");
  EXPECT_EQ(file.count("in.mask_iter"), 1u);
  EXPECT_EQ(file.count("in.zoneout_iter_c"), 1u);
  EXPECT_EQ(file.count("in.mask_layer"), 0u);
}

TEST(Vectors, TheSchemaHasEachEnumerator) {
  const auto schema = nlohmann::json::parse(std::ifstream(RunfilePath("conformance/vectors/vectors.schema.json")));
  const nlohmann::json& properties = schema["definitions"]["case"]["properties"];
  EXPECT_EQ(properties["cell"]["enum"], NamesOf<Cell>());
  EXPECT_EQ(properties["propagation"]["enum"], NamesOf<Propagation>());
  EXPECT_EQ(properties["direction"]["enum"], NamesOf<Direction>());
  EXPECT_EQ(schema["definitions"]["activation"]["enum"], NamesOf<Activation>());
  EXPECT_EQ(properties["fpmath"]["enum"], NamesOf<FpmathMode>());
  const nlohmann::json& norm = schema["definitions"]["layer_normalization"]["properties"];
  EXPECT_EQ(norm["kind"]["enum"], NamesOf<NormKind>());
  EXPECT_EQ(norm["scope"]["enum"], NamesOf<NormScope>());
  EXPECT_EQ(norm["cell"]["enum"], NamesOf<CellNorm>());
}

TEST(Vectors, ADirectoryWithoutAnIndexIsAnError) {
  EXPECT_THROW(VerifyVectors(TempPath("nowhere"), "."), std::runtime_error);
}

// Returns one case of each of three cells, on disk.
std::vector<GoldenCase> ThreeCases(const std::string& directory) {
  const std::vector<GoldenCase> cases =
      CasesOf({ParseProblem("--alg=VANILLA_LSTM l1t2mb2sic3"), ParseProblem("--alg=VANILLA_GRU l1t2mb2sic3"),
               ParseProblem("--alg=VANILLA_GRU --prop=BWD_DW l1t2mb2sic3")});
  ExportVectors(cases, directory);
  return cases;
}

void WriteOutputs(const std::string& file, const OracleResult& oracle, const RnnProblem& problem) {
  NamedTensors outputs;
  for (const OracleTensor& tensor : oracle.outputs) {
    const MemoryDesc& md = problem.md[tensor.tensor];
    TensorBuffer buffer(MakeDense(Dims(md.dims, md.dims + md.ndims), tensor.type));
    buffer.FromDoubles(tensor.value);
    outputs[ToString(tensor.tensor)] = buffer;
  }
  WriteSafetensors(file, outputs);
}

TEST(Vectors, ProblemsOfSomebodyElseAreExportedAndReadBack) {
  const std::string directory = TempPath("three");
  ThreeCases(directory);
  const std::vector<GoldenCase> read = ReadCases(directory);
  ASSERT_EQ(read.size(), 3u);
  EXPECT_EQ(read[0].name, "000_lstm_forward_inference");
  EXPECT_EQ(read[2].name, "002_gru_backward");
  for (const GoldenCase& golden : read) {
    const GoldenVector made = MakeGoldenVector(golden.spec);
    const StoredVector stored = ReadVector(golden, directory);
    for (int i = 0; i < kNumTensors; ++i) {
      const Tensor t = static_cast<Tensor>(i);
      if (!made.problem.Has(t) || !IsInput(made.problem, t)) continue;
      EXPECT_EQ(stored.inputs[t].ToDoubles(), made.inputs[t].ToDoubles()) << golden.name << " " << ToString(t);
    }
  }
}

TEST(Vectors, TensorsOfAFileStandForTheGeneratedOnes) {
  const ProblemSpec spec = ParseProblem("--alg=VANILLA_GRU l1t2mb1sic1");
  TensorBuffer own(MakeDense({2, 1, 1}, DataType::kF32));
  own.FromDoubles({0.5, -0.25});
  const std::string file = TempPath("own.safetensors"), directory = TempPath("own");
  WriteSafetensors(file, {{"src_layer", own}});
  ExportVectors(CasesOf({spec}), directory, file);
  const StoredVector stored = ReadVector(ReadCases(directory)[0], directory);
  EXPECT_EQ(stored.inputs[kSrcLayer].ToDoubles(), own.ToDoubles());
  EXPECT_EQ(stored.inputs[kBias].ToDoubles(), MakeGoldenVector(spec).inputs[kBias].ToDoubles());
  WriteSafetensors(file, {{"src_layer", TensorBuffer(MakeDense({1, 2, 1}, DataType::kF32))}});
  EXPECT_THROW(ExportVectors(CasesOf({spec}), directory, file), std::runtime_error);
}

TEST(Vectors, OnlyTheChosenCasesAreVerified) {
  const std::string directory = TempPath("chosen");
  const GoldenCase gru = ThreeCases(directory)[1];
  const GoldenVector vector = MakeGoldenVector(gru.spec);
  const std::string outputs = TempPath("chosen_outputs");
  ExportVectors({}, outputs);  // this makes the directory
  WriteOutputs(outputs + "/" + gru.name + ".safetensors", vector.oracle, vector.problem);
  const VectorsSummary all = VerifyVectors(directory, outputs);
  EXPECT_EQ(all.cases, 3);
  EXPECT_EQ(all.missing, 2);
  const VectorsSummary one = VerifyVectors(directory, outputs, {"gru_forward"});
  EXPECT_EQ(one.cases, 1);
  EXPECT_EQ(one.passed, 1);
  EXPECT_THROW(VerifyVectors(directory, outputs, {"gru_forward", "LSTN"}), std::runtime_error);
}

TEST(Vectors, AFlagChoosesItsCases) {
  const std::vector<GoldenCase> all = GoldenCases();
  const std::vector<GoldenCase> peephole = Chosen(all, {"PeepholeCell"});
  EXPECT_GT(peephole.size(), 5u);
  EXPECT_LT(peephole.size(), 50u);
  for (const GoldenCase& golden : peephole) EXPECT_TRUE(golden.spec.with_peephole || golden.spec.with_projection);
  EXPECT_EQ(Chosen(all, {}).size(), all.size());
}

TEST(Vectors, AComplaintNamesTheElement) {
  const std::string directory = TempPath("named");
  const GoldenCase backward = ThreeCases(directory)[2];
  GoldenVector vector = MakeGoldenVector(backward.spec);
  for (OracleTensor& tensor : vector.oracle.outputs) {
    // The element has the index l d i g o of 1 1 3 3 3.
    if (tensor.tensor == kDiffWeightsIter) tensor.value[1 * 9 + 2 * 3 + 1] += 1;
  }
  const std::string outputs = TempPath("named_outputs");
  ExportVectors({}, outputs);
  WriteOutputs(outputs + "/" + backward.name + ".safetensors", vector.oracle, vector.problem);
  const VectorsSummary summary = VerifyVectors(directory, outputs, {backward.name});
  ASSERT_EQ(summary.complaints.size(), 1u);
  EXPECT_EQ(summary.complaints[0].find("002_gru_backward: diff_weights_iter l=0 d=0 input=1 gate=o unit=1 is "), 0u)
      << summary.complaints[0];
}

}  // namespace
}  // namespace tandem::conformance
