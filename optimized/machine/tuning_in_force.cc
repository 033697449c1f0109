#include "optimized/machine/tuning_in_force.h"

#include <strings.h>

#include <cmath>
#include <cstdlib>
#include <type_traits>

#include "api/core/environment.h"
#include "api/core/error.h"
#include "api/core/text/text.h"

namespace tandem {
namespace optimized {
namespace {

template <auto GROUP, auto NUMBER>
double Get(const Tuning& tuning) {
  return static_cast<double>(tuning.*GROUP.*NUMBER);
}

template <auto GROUP, auto NUMBER>
void Set(double value, Tuning* tuning) {
  auto& number = tuning->*GROUP.*NUMBER;
  number = static_cast<std::remove_reference_t<decltype(number)>>(value);
}

template <auto GROUP, auto NUMBER>
constexpr TunableNumber Number(const char* name, double least, double most, double multiple) {
  return {name, least, most, multiple, &Get<GROUP, NUMBER>, &Set<GROUP, NUMBER>};
}

[[noreturn]] void Refuse(const std::string& word, const std::string& why) {
  std::string names;
  for (const TunableNumber& number : TunableNumbers()) names += std::string(names.empty() ? "" : ", ") + number.name;
  ThrowInvalid("TANDEM_TUNING: '" + word + "' " + why + "; the numbers are " + names);
}

void SetNumber(const std::string& word, const std::string& name, const std::string& value, Tuning* tuning) {
  for (const TunableNumber& number : TunableNumbers()) {
    if (name != number.name) continue;
    const std::optional<double> read = ReadNumber(value);
    if (!read) Refuse(word, "is no number");
    if (!(*read >= number.least && *read <= number.most)) {
      Refuse(word, "is not from " + NumberText(number.least) + " to " + NumberText(number.most));
    }
    if (number.multiple > 0 && std::fmod(*read, number.multiple) != 0) {
      Refuse(word, "is no multiple of " + std::to_string(static_cast<int>(number.multiple)));
    }
    return number.set(*read, tuning);
  }
  Refuse(word, "names no number");
}

}  // namespace

const std::vector<TunableNumber>& TunableNumbers() {
  using Forward = ForwardTuning;
  using Team = TeamTuning;
  constexpr auto kForward = &Tuning::forward;
  constexpr auto kTeam = &Tuning::team;
  static const std::vector<TunableNumber> numbers = {
      Number<kForward, &Forward::chunk_rows>("chunk_rows", 1, 1 << 16, 1),
      Number<kForward, &Forward::most_input_k>("most_input_k", 0, 1 << 24, 1),
      Number<kForward, &Forward::input_k_per_row>("input_k_per_row", 0, 1 << 16, 1),
      Number<kForward, &Forward::panels_beside_rows>("panels_beside_rows", 0, 1 << 10, 1),
      Number<kForward, &Forward::resident_l2>("resident_l2", 0, 16, 0),
      Number<kForward, &Forward::least_l3_bytes>("least_l3_bytes", 0, 1 << 30, 1),
      Number<kForward, &Forward::most_l3_bytes>("most_l3_bytes", 0, 1 << 30, 1),
      // Pairs of bf16 are packed from it.
      Number<&Tuning::backward, &BackwardTuning::product_rows>("product_rows", 8, 1 << 16, 8),
      Number<kTeam, &Team::region>("region", 0, 1e9, 0),
      Number<kTeam, &Team::wake_sleepers>("wake_sleepers", 0, 1e9, 0),
      Number<kTeam, &Team::barrier>("barrier", 0, 1e9, 0),
      Number<kTeam, &Team::l2_bytes_per_cycle>("l2_bytes_per_cycle", 0.01, 1e4, 0),
      Number<kTeam, &Team::l3_bytes_per_cycle>("l3_bytes_per_cycle", 0.01, 1e4, 0),
      Number<kTeam, &Team::divided_units>("divided_units", 0.01, 1e2, 0),
  };
  return numbers;
}

Tuning WithNumbers(const std::string& words, const Target& target, Tuning tuning) {
  Tuning unused;  // what is said of another target
  Tuning* said_of = &tuning;
  for (const std::string& word : Split(words, ',')) {
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals), value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (name == "target") {
      said_of = strcasecmp(value.c_str(), TargetName(target)) == 0 ? &tuning : &unused;
    } else {
      SetNumber(word, name, value, said_of);
    }
  }
  return tuning;
}

Tuning TuningInForce(const Target& target) {
  const Tuning table = TuningOf(target.highway, ThisProcessor());
  const char* words = ValueOf(Variable::kTandemTuning);
  return words == nullptr || *words == '\0' ? table : WithNumbers(words, target, table);
}

}  // namespace optimized
}  // namespace tandem
