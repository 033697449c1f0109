#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "api/core/error.h"
#include "conformance/cli/cli.h"
#include "conformance/cli/environment.h"

namespace tandem::conformance {
namespace {

int RunCommandLine(int argc, char** argv) {
  CLI::App app("Tandem: the RNN primitive twice, and a judge for both");
  app.name("tandem");
  std::vector<std::pair<CLI::App*, Command>> commands;
  const auto add = [&](const char* name, const char* what, Command (*add_command)(CLI::App*)) {
    CLI::App* subcommand = app.add_subcommand(name, what);
    commands.emplace_back(subcommand, add_command(subcommand));
  };
  add("bench", "verify implementations, then time them side by side", AddBenchCommand);
  add("check", "hold implementations against the equations", AddCheckCommand);
  add("help", "help problem: how a problem is written", AddHelpCommand);
  add("list", "implementations, targets, and who serves what", AddListCommand);
  add("merge", "join the reports of the parts of a campaign", AddMergeCommand);
  add("trace", "every equation with its numbers", AddTraceCommand);
  add("diagnose", "which known mistake explains an implementation's output", AddDiagnoseCommand);
  add("mutants", "the mutation score: which check catches which injected bug", AddMutantsCommand);
  add("vectors", "golden vectors for implementations that cannot be linked", AddVectorsCommand);
  app.require_subcommand(1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help is a success; everything else is a usage error.
    return app.exit(error) == 0 ? kExitConforms : kExitUsage;
  }
  for (const auto& [subcommand, run] : commands) {
    if (!subcommand->parsed()) continue;
    CheckEnvironment();
    return run();
  }
  return kExitUsage;
}

// What could not be written is an error: a full disk must not look like a short report.
int FinishOutput(int code) {
  std::cout.flush();
  const bool lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout;
  if (!lost) return code;
  std::fprintf(stderr, "tandem: standard output cannot be written: %s\n", std::strerror(errno));
  return kExitUsage;
}

}  // namespace
}  // namespace tandem::conformance

int main(int argc, char** argv) {
  using namespace tandem::conformance;
  try {
    return FinishOutput(RunCommandLine(argc, argv));
  } catch (const NotationError& error) {
    std::fprintf(stderr, "tandem: %s\n", error.what());
  } catch (const UsageError& error) {
    std::fprintf(stderr, "tandem: %s\n", error.what());
  } catch (const tandem::Error& error) {
    std::fprintf(stderr, "tandem: not a valid problem: %s\n", error.what());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tandem: %s\n", error.what());
  }
  return kExitUsage;
}
