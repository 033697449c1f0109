// Our headers name these classes of CLI11. The compiler takes seven seconds to read CLI11, so only files with options of their
// own include it.
#ifndef TANDEM_CONFORMANCE_CLI_RUNS_CLI11_CLASSES_H_
#define TANDEM_CONFORMANCE_CLI_RUNS_CLI11_CLASSES_H_

namespace CLI {
class App;
class ParseError;
class Validator;
}  // namespace CLI

#endif  // TANDEM_CONFORMANCE_CLI_RUNS_CLI11_CLASSES_H_
