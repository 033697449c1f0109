#include "conformance/sandbox/worker/conversation.h"

#include <algorithm>
#include <cstring>

#include "conformance/problem/base/json_depth.h"

namespace tandem::conformance {
namespace {

constexpr size_t kLongestLine = size_t{1} << 20;

// The start of what the other side wrote, to be quoted.
std::string Quoted(const std::string& text) { return "\"" + text.substr(0, 80) + "\""; }

}  // namespace

void Conversation::Fill() {
  char bytes[65536];
  read_.append(bytes, Read(bytes, sizeof bytes));
}

std::string Conversation::ReadLine() {
  size_t searched = 0;
  while (true) {
    const size_t end = read_.find('\n', searched);
    if (end != std::string::npos) {
      const std::string line = read_.substr(0, end);
      read_.erase(0, end + 1);
      return line;
    }
    if (read_.size() > kLongestLine) throw ProtocolError("the command's line does not end: " + Quoted(read_));
    searched = read_.size();
    Fill();
  }
}

void Conversation::ReadAll(void* bytes, size_t size) {
  char* next = static_cast<char*>(bytes);
  while (size > 0) {
    if (read_.empty()) Fill();
    const size_t count = std::min(size, read_.size());
    std::memcpy(next, read_.data(), count);
    read_.erase(0, count);
    next += count;
    size -= count;
  }
}

Json Conversation::Ask(const Json& request, const std::vector<Bytes>& inputs, const std::vector<Bytes>& outputs) {
  Start();
  if (!read_.empty() || HasBytes()) {
    if (read_.empty()) Fill();
    throw ProtocolError("the command wrote to its stdout without being asked: " + Quoted(read_));
  }
  const std::string line = request.dump() + "\n";
  Write(line.data(), line.size());
  for (const Bytes& bytes : inputs) Write(bytes.data, bytes.size);
  const std::string answer = ReadLine();
  if (NestsTooDeeply(answer)) {
    throw ProtocolError("the command's answer nests deeper than an answer can: " + Quoted(answer));
  }
  Json reply = Json::parse(answer, nullptr, false);
  if (!reply.is_object()) {
    throw ProtocolError("the command's answer is no JSON object in one line: " + Quoted(answer) +
                        " (only answers belong on its stdout)");
  }
  if (outputs.empty() || reply.value("status", Json()) != "ok") return reply;
  size_t wanted = 0;
  for (const Bytes& bytes : outputs) wanted += bytes.size;
  if (reply.value("bytes", Json(0)) != wanted) {
    throw ProtocolError("the command announces " + reply.value("bytes", Json(0)).dump() + " bytes; the outputs have " +
                        std::to_string(wanted));
  }
  for (const Bytes& bytes : outputs) ReadAll(bytes.data, bytes.size);
  return reply;
}

}  // namespace tandem::conformance
