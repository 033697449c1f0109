#include "conformance/sandbox/messages/messages.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace tandem::conformance {
namespace {

struct ControlBytes {
  alignas(cmsghdr) char bytes[CMSG_SPACE(kMostDescriptors * sizeof(int))];
};

void TakeDescriptors(msghdr* header, std::vector<OwnedFd>* descriptors) {
  for (cmsghdr* c = CMSG_FIRSTHDR(header); c != nullptr; c = CMSG_NXTHDR(header, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    const size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int fd;
      std::memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
      descriptors->emplace_back(fd);
    }
  }
}

// Returns whether the other side is gone. If recv() returned 0 and it is not gone, it has sent an empty message.
bool IsClosed(int socket) {
  pollfd end = {socket, POLLRDHUP, 0};
  return poll(&end, 1, 0) != 0;
}

}  // namespace

void OwnedFd::Close() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

std::pair<OwnedFd, OwnedFd> SocketPair() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    throw std::runtime_error("cannot open a socket");
  }
  return {OwnedFd(ends[0]), OwnedFd(ends[1])};
}

bool SendBytes(int socket, const void* bytes, size_t size, const std::vector<int>& descriptors) {
  iovec part = {const_cast<void*>(bytes), size};
  ControlBytes control = {};
  msghdr header = {};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  if (!descriptors.empty()) {
    header.msg_control = control.bytes;
    header.msg_controllen = CMSG_SPACE(descriptors.size() * sizeof(int));
    cmsghdr* const c = CMSG_FIRSTHDR(&header);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(descriptors.size() * sizeof(int));
    std::memcpy(CMSG_DATA(c), descriptors.data(), descriptors.size() * sizeof(int));
  }
  ssize_t sent;
  do sent = sendmsg(socket, &header, MSG_NOSIGNAL | MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(size);
}

Received ReceiveBytes(int socket, void* bytes, size_t size, Wait wait, std::vector<OwnedFd>* descriptors) {
  iovec part = {bytes, size};
  ControlBytes control = {};
  msghdr header = {};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control.bytes;
  header.msg_controllen = sizeof control.bytes;
  ssize_t received;
  do received = recvmsg(socket, &header, MSG_CMSG_CLOEXEC | (wait == Wait::kNo ? MSG_DONTWAIT : 0));
  while (received < 0 && errno == EINTR);
  if (received < 0) return errno == EAGAIN ? Received::kNothing : Received::kClosed;
  std::vector<OwnedFd> taken;
  TakeDescriptors(&header, &taken);
  if (received == 0) return IsClosed(socket) ? Received::kClosed : Received::kMalformed;
  if (received != static_cast<ssize_t>(size) || (header.msg_flags & MSG_TRUNC) != 0) return Received::kMalformed;
  if (descriptors != nullptr) *descriptors = std::move(taken);
  return Received::kMessage;
}

}  // namespace tandem::conformance
