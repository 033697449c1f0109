#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <new>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "api/core/error.h"
#include "conformance/cli/arguments.h"
#include "conformance/cli/cli.h"
#include "conformance/cli/environment.h"
#include "conformance/cli/terminal.h"
#include "conformance/cli/version.h"
#include "conformance/problem/base/nearest.h"
#include "conformance/problem/problem_options.h"
#include "conformance/sandbox/interrupt.h"

namespace tandem::conformance {
namespace {

[[noreturn]] void Refuse(const CLI::App& program, const UnknownOption& unknown) {
  std::vector<std::string> names = OptionsOf(program);
  for (const ProblemOption& option : ProblemOptions()) names.push_back(std::string("--") + option.name);
  const std::string name = unknown.option.substr(0, unknown.option.find('='));
  throw UsageError("there is no option " + unknown.option + DidYouMean(name, names));
}

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
  add("compare", "what changed between two reports", AddCompareCommand);
  add("help", "help COMMAND: its options; help problem: how a problem is written", AddHelpCommand);
  add("list", "implementations, targets, and who serves what", AddListCommand);
  add("merge", "join the reports of the parts of a campaign", AddMergeCommand);
  add("trace", "every equation with its numbers", AddTraceCommand);
  add("diagnose", "which known mistake explains an implementation's output", AddDiagnoseCommand);
  add("mutants", "the mutation score: which check catches which known mistake", AddMutantsCommand);
  add("tune", "numbers that suit this machine better than those of the table", AddTuneCommand);
  add("vectors", "golden vectors for implementations that cannot be linked", AddVectorsCommand);
  app.set_version_flag("--version", std::string("tandem ") + kVersion, "the version");
  app.require_subcommand(1);
  const std::vector<std::string> words = WithHelpAsked(app, {argv + std::min(argc, 1), argv + argc});
  CheckArguments(app, words);
  std::vector<std::string> last_first(words.rbegin(), words.rend());  // CLI11 takes them in this order
  try {
    app.parse(last_first);
  } catch (const CLI::Success& help) {
    std::ostringstream text;
    const int code = app.exit(help, text, text);
    Print(text.str(), stdout);
    return code;
  } catch (const CLI::ParseError& error) {
    throw UsageError(InWords(app, error));
  }
  for (const auto& [subcommand, run] : commands) {
    if (!subcommand->parsed()) continue;
    CheckEnvironment();
    // `check` writes a report of the problems that it has judged before the interrupt.
    if (subcommand->get_name() != "check") EndAtInterrupts();
    try {
      return run();
    } catch (const UnknownOption& unknown) {
      Refuse(app, unknown);
    }
  }
  return kExitUsage;
}

// Output that could not be written is an error: a full disk must not look like a short report.
int FinishOutput(int code) {
  std::cout.flush();
  const bool lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout;
  if (!lost) return code;
  PrintError(std::string("standard output cannot be written: ") + std::strerror(errno));
  return kExitUsage;
}

// A file that the program opens must not take the number of a stream that the caller has closed: the program's text would reach
// it. /dev/null takes these numbers. It refuses reading, or writing, as a closed stream does.
void FillClosedStreams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

// This limit is also the size of the stacks of the program's threads. 384 KB were measured to be enough for all commands.
void RequireStack() {
  constexpr rlim_t kLeast = rlim_t{1} << 20;
  rlimit limit = {};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kLeast) return;
  throw UsageError("stacks have " + std::to_string(limit.rlim_cur >> 10) + " KB here, but tandem needs " +
                   std::to_string(kLeast >> 10) + ": type ulimit -s " + std::to_string(kLeast >> 10));
}

}  // namespace
}  // namespace tandem::conformance

int main(int argc, char** argv) {
  using namespace tandem::conformance;
  FillClosedStreams();
  // Beyond the limit of a file's size (ulimit -f) a write fails with a message, rather than end the program without one.
  std::signal(SIGXFSZ, SIG_IGN);
  // A write to a pipe that nobody reads any more (`| head`) fails with a message, too, because the reports come later. There is
  // a handler, because children would inherit SIG_IGN.
  std::signal(SIGPIPE, [](int) {});
  try {
    const LeavesTheEndToSignals signals;
    RequireStack();
    return FinishOutput(RunCommandLine(argc, argv));
  } catch (const NotationError& error) {
    PrintError(error.what());
  } catch (const UsageError& error) {
    PrintError(error.what());
  } catch (const tandem::Error& error) {
    PrintError(std::string("not a valid problem: ") + error.what());
  } catch (const std::bad_alloc&) {
    std::fputs("tandem: there is not enough memory\n", stderr);  // PrintError() takes some
  } catch (const std::exception& error) {
    PrintError(error.what());
  }
  return kExitUsage;
}
