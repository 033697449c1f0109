// The judge and a worker exchange messages of fixed size, over a socket that keeps their borders (SOCK_SEQPACKET).
#ifndef TANDEM_CONFORMANCE_SANDBOX_MESSAGES_MESSAGES_H_
#define TANDEM_CONFORMANCE_SANDBOX_MESSAGES_MESSAGES_H_

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace tandem::conformance {

// This descriptor is closed with its owner.
class OwnedFd {
 public:
  OwnedFd() = default;
  explicit OwnedFd(int fd) : fd_(fd) {}
  ~OwnedFd() { Close(); }
  OwnedFd(OwnedFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OwnedFd& operator=(OwnedFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  void Close();

 private:
  int fd_ = -1;
};

// Returns two ends of one socket; both are closed by exec. Throws std::runtime_error.
std::pair<OwnedFd, OwnedFd> SocketPair();

enum class Received {
  kMessage,
  kNothing,   // there is none yet, and the call was not to wait
  kClosed,    // the other side is gone
  kMalformed  // the message has another size
};
enum class Wait { kNo, kYes };
constexpr size_t kMostDescriptors = 4;

// Returns false if the other side is gone or does not read. Never waits and never raises SIGPIPE.
bool SendBytes(int socket, const void* bytes, size_t size, const std::vector<int>& descriptors);
// Receives exactly `size` bytes. The descriptors that come with them, at most kMostDescriptors, are added to *descriptors.
Received ReceiveBytes(int socket, void* bytes, size_t size, Wait wait, std::vector<OwnedFd>* descriptors);

template <class Message>
bool Send(int socket, const Message& message, const std::vector<int>& descriptors = {}) {
  static_assert(std::is_trivially_copyable_v<Message>);
  return SendBytes(socket, &message, sizeof message, descriptors);
}
// `descriptors` receives those that came with it. If it is null, they are closed.
template <class Message>
Received Receive(int socket, Wait wait, Message* message, std::vector<OwnedFd>* descriptors = nullptr) {
  static_assert(std::is_trivially_copyable_v<Message>);
  return ReceiveBytes(socket, message, sizeof *message, wait, descriptors);
}

}  // namespace tandem::conformance

#endif  // TANDEM_CONFORMANCE_SANDBOX_MESSAGES_MESSAGES_H_
