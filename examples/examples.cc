// One program has the examples of this folder, and is linked once: examples NAME [ARGUMENT...]. Each source is compiled with
// another name for its main() (BUILD). Those that are not linked into this program are null.
#include <cstdio>
#include <cstring>

[[gnu::weak]] int main_encoder_decoder(int, char**);
[[gnu::weak]] int main_lstm_dynamic();
[[gnu::weak]] int main_lstm_int8();
[[gnu::weak]] int main_lstm_training();
[[gnu::weak]] int main_network(int, char**);
[[gnu::weak]] int main_onednn_departures(int, char**);
[[gnu::weak]] int main_ragged_encoder();
[[gnu::weak]] int main_two_generations();
[[gnu::weak]] int main_two_generations_training();
extern "C" [[gnu::weak]] int main_lstm_inference_c(void);
extern "C" [[gnu::weak]] int main_ragged_encoder_c(void);

namespace {

struct Example {
  const char* name;
  int (*plain)();
  int (*with_arguments)(int, char**);
};

const Example kExamples[] = {
    {"encoder_decoder", nullptr, main_encoder_decoder},
    {"lstm_dynamic", main_lstm_dynamic, nullptr},
    {"lstm_inference_c", main_lstm_inference_c, nullptr},
    {"lstm_int8", main_lstm_int8, nullptr},
    {"lstm_training", main_lstm_training, nullptr},
    {"network", nullptr, main_network},
    {"onednn_departures", nullptr, main_onednn_departures},
    {"ragged_encoder", main_ragged_encoder, nullptr},
    {"ragged_encoder_c", main_ragged_encoder_c, nullptr},
    {"two_generations", main_two_generations, nullptr},
    {"two_generations_training", main_two_generations_training, nullptr},
};

}  // namespace

int main(int argc, char** argv) {
  const char* const name = argc > 1 ? argv[1] : "";
  for (const Example& example : kExamples) {
    if (std::strcmp(name, example.name) != 0) continue;
    if (example.plain != nullptr) return example.plain();
    if (example.with_arguments != nullptr) return example.with_arguments(argc - 1, argv + 1);
  }
  std::fprintf(stderr, "FAILED: no example \"%s\" is in %s\n", name, argv[0]);
  return 2;
}
