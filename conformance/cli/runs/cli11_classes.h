// Our headers name these classes of CLI11. CLI11 takes seven seconds to compile, so only files with own options include it.
#ifndef TANDEM_CONFORMANCE_CLI_RUNS_CLI11_CLASSES_H_
#define TANDEM_CONFORMANCE_CLI_RUNS_CLI11_CLASSES_H_

namespace CLI {
class App;
class ParseError;
class Validator;
}  // namespace CLI

#endif  // TANDEM_CONFORMANCE_CLI_RUNS_CLI11_CLASSES_H_
