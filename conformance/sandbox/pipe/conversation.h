// A conversation has requests and answers of the pipe protocol (docs/test_your_library.md), over whatever carries the bytes.
#ifndef TANDEM_CONFORMANCE_SANDBOX_PIPE_CONVERSATION_H_
#define TANDEM_CONFORMANCE_SANDBOX_PIPE_CONVERSATION_H_

#include <cstddef>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace tandem::conformance {

using Json = nlohmann::ordered_json;

// This error says that the other side answered, but against the protocol.
class ProtocolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// These bytes are sent or received after a line.
struct Bytes {
  void* data;
  size_t size;
};

class Conversation {
 public:
  virtual ~Conversation() = default;
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  // Sends a line and `inputs`; returns the line that comes back. If its status is "ok", its "bytes" (none: 0) must be those of
  // `outputs`, which are then read. Throws ProtocolError and the exceptions of Write() and Read().
  Json Ask(const Json& request, const std::vector<Bytes>& inputs, const std::vector<Bytes>& outputs);
  // Asks a side of which nothing is known yet. If it ends without an answer, throws Read()'s exception, no ProtocolError.
  Json AskFirst(const Json& request);
  // Stops the other side; the next request starts it again.
  virtual void Stop() = 0;

 protected:
  Conversation() = default;

  // Starts the other side, if it does not run.
  virtual void Start() = 0;
  virtual void Write(const void* bytes, size_t size) = 0;
  // Waits for at least one byte. Returns how many there were, at most `most`.
  virtual size_t Read(void* bytes, size_t most) = 0;
  // Lets the other side read the end of its input.
  virtual void EndRequests() = 0;
  // Returns true if Read() need not wait, or not after so long.
  virtual bool HasBytes(int milliseconds) = 0;
  // Adds bytes that the other side has written.
  void Remember(const char* bytes, size_t size);
  // Returns the first line with a text, or its start, that the other side has written since it was started.
  std::string FirstLine() const;
  void ForgetBytes();

 private:
  void Fill();
  void AwaitEnd();
  std::string ReadLine();
  void ReadAll(void* bytes, size_t size);

  std::string read_;   // bytes that were read but not yet taken
  std::string first_;  // the start of everything that was read
};

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_PIPE_CONVERSATION_H_
