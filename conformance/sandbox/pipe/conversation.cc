#include "conformance/sandbox/pipe/conversation.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "conformance/problem/base/json_depth.h"

namespace tandem::conformance {
namespace {

constexpr size_t kLongestLine = size_t{1} << 20;
constexpr size_t kLongestQuote = 80;

// A program that prints its usage ends at once. One that has read the end of its input needs a moment to end.
constexpr std::chrono::seconds kEnding(5);

// Quotes the start of the other side's text.
std::string Quoted(const std::string& text) { return "\"" + text.substr(0, kLongestQuote) + "\""; }

bool IsObject(const std::string& line) {
  return !NestsTooDeeply(line) && Json::parse(line, nullptr, false).is_object();
}

}  // namespace

void Conversation::Remember(const char* bytes, size_t size) {
  first_.append(bytes, std::min(size, kLongestQuote - first_.size()));
}

std::string Conversation::FirstLine() const {
  const size_t begin = first_.find_first_not_of(" \t\r\n");
  return begin == std::string::npos ? "" : first_.substr(begin, first_.find_first_of("\r\n", begin) - begin);
}

void Conversation::ForgetBytes() {
  read_.clear();
  first_.clear();
}

void Conversation::Fill() {
  char bytes[65536];
  const size_t count = Read(bytes, sizeof bytes);
  Remember(bytes, count);
  read_.append(bytes, count);
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
  // A program may print its first words before the first request or after it; ReadLine() takes both.
  if (!first_.empty() && (!read_.empty() || HasBytes(0))) {
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

Json Conversation::AskFirst(const Json& request) {
  try {
    return Ask(request, {}, {});
  } catch (const ProtocolError&) {
    AwaitEnd();
    Stop();
    throw;
  }
}

// Returns at an answer, or after a while: then the other side knows the protocol, or does not end.
void Conversation::AwaitEnd() {
  const auto last = std::chrono::steady_clock::now() + kEnding;
  EndRequests();
  for (size_t size = 0; size < kLongestLine;) {
    size_t begin = 0;
    for (size_t end; (end = read_.find('\n', begin)) != std::string::npos; begin = end + 1) {
      if (IsObject(read_.substr(begin, end - begin))) return;
    }
    read_.erase(0, begin);
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(last - std::chrono::steady_clock::now());
    if (!HasBytes(static_cast<int>(std::max<int64_t>(0, left.count())))) return;
    const size_t before = read_.size();
    Fill();
    size += read_.size() - before;
  }
}

}  // namespace tandem::conformance
