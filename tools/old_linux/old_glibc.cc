// This file stands for functions of a glibc newer than 2.27, if the system has an older one. The functions
// below are this file's for our own code and for the static libstdc++ beside it; nobody else sees them.
#include <dirent.h>
#include <dlfcn.h>
#include <malloc.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>

// The first glibc of the architecture had these versions of symbols.
#ifdef __x86_64__
#define TANDEM_FIRST "GLIBC_2.2.5"
#define TANDEM_AFFINITY "GLIBC_2.3.4"
#define TANDEM_SIGNALS "GLIBC_2.3.3"
#define TANDEM_JUMP "endbr64; jmp "
#define TANDEM_PLT "@PLT"
constexpr int kStatVersion = 1;
#else
#define TANDEM_FIRST "GLIBC_2.17"
#define TANDEM_AFFINITY TANDEM_FIRST
#define TANDEM_SIGNALS TANDEM_FIRST
#define TANDEM_JUMP "b "
#define TANDEM_PLT ""
constexpr int kStatVersion = 0;
#endif

// `name` goes on to the function of that version, with whatever arguments it has.
#define TANDEM_OLD_VERSION(name, version)                                                       \
  asm(".symver old_" #name "," #name "@" version "\n.pushsection .text." #name                  \
      ",\"ax\",%progbits\n"                                                                     \
      ".globl " #name "\n.hidden " #name "\n.type " #name ",%function\n" #name ": " TANDEM_JUMP \
      "old_" #name TANDEM_PLT "\n.size " #name ",.-" #name "\n.popsection");
#define TANDEM_OLD(name) TANDEM_OLD_VERSION(name, TANDEM_FIRST)

// These have moved from libpthread and libdl into libc (2.32, 2.34).
TANDEM_OLD(dladdr)
TANDEM_OLD(dlclose)
TANDEM_OLD(dlerror)
TANDEM_OLD(dlopen)
TANDEM_OLD(dlsym)
TANDEM_OLD(pthread_attr_getstacksize)
TANDEM_OLD(pthread_attr_setstacksize)
TANDEM_OLD(pthread_create)
TANDEM_OLD(pthread_detach)
TANDEM_OLD(pthread_getcpuclockid)
TANDEM_OLD(pthread_getspecific)
TANDEM_OLD(pthread_join)
TANDEM_OLD(pthread_key_create)
TANDEM_OLD(pthread_key_delete)
TANDEM_OLD(pthread_once)
TANDEM_OLD(pthread_setspecific)
TANDEM_OLD(pthread_sigmask)
TANDEM_OLD_VERSION(pthread_attr_setaffinity_np, TANDEM_AFFINITY)
TANDEM_OLD_VERSION(pthread_getaffinity_np, TANDEM_AFFINITY)
TANDEM_OLD_VERSION(pthread_setaffinity_np, TANDEM_AFFINITY)
// These have stopped to call a handler of the program's for errors (2.29).
TANDEM_OLD(exp)
TANDEM_OLD(exp2)
TANDEM_OLD(log)
TANDEM_OLD(log2)
TANDEM_OLD(pow)

extern "C" {
int __fxstat64(int version, int file, struct stat64* status) noexcept;
int __fxstat(int version, int file, struct stat* status) noexcept;
int __lxstat(int version, const char* path, struct stat* status) noexcept;
int __xstat(int version, const char* path, struct stat* status) noexcept;
extern const char* const old_sys_sigabbrev[];
}
asm(".symver old_sys_sigabbrev,sys_sigabbrev@" TANDEM_SIGNALS);

#pragma GCC visibility push(hidden)
extern "C" {
// These functions of 2.33 were inline before.
int stat(const char* path, struct stat* status) noexcept { return __xstat(kStatVersion, path, status); }
int lstat(const char* path, struct stat* status) noexcept { return __lxstat(kStatVersion, path, status); }
int fstat(int file, struct stat* status) noexcept { return __fxstat(kStatVersion, file, status); }
int fstat64(int file, struct stat64* status) noexcept { return __fxstat64(kStatVersion, file, status); }

// libstdc++ counts references without atomic instructions if this is not 0 (2.32).
char __libc_single_threaded = 0;

// std::random_device asks for these (2.25, 2.36).
int getentropy(void* buffer, size_t bytes) noexcept {
  return syscall(SYS_getrandom, buffer, bytes, 0) == static_cast<long>(bytes) ? 0 : -1;
}
unsigned arc4random() noexcept {
  unsigned number = 0;
  if (getentropy(&number, sizeof number) != 0) std::abort();
  return number;
}

// The judge calls this function of 2.33. Without it, the heap's size is known modulo 4 GB.
struct mallinfo2 mallinfo2() noexcept {
  if (void* const newer = dlsym(RTLD_DEFAULT, "mallinfo2")) return reinterpret_cast<struct mallinfo2 (*)()>(newer)();
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  const struct mallinfo heap = mallinfo();
  struct mallinfo2 wide = {};
  wide.uordblks = static_cast<unsigned>(heap.uordblks);
  wide.hblkhd = static_cast<unsigned>(heap.hblkhd);
  return wide;
}

// The judge calls this function of 2.32, which returns the name of a signal.
const char* sigabbrev_np(int signal) noexcept { return old_sys_sigabbrev[signal]; }

// The judge calls this function of 2.34. Without it, those files are closed that are open now.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t* actions, int from) noexcept {
  using Function = int (*)(posix_spawn_file_actions_t*, int);
  if (void* const newer = dlsym(RTLD_DEFAULT, "posix_spawn_file_actions_addclosefrom_np")) {
    return reinterpret_cast<Function>(newer)(actions, from);
  }
  DIR* const open = opendir("/proc/self/fd");
  if (open == nullptr) return 0;
  int status = 0;
  while (const dirent* const entry = readdir(open)) {
    const int file = std::atoi(entry->d_name);
    if (file >= from && status == 0) status = posix_spawn_file_actions_addclose(actions, file);
  }
  closedir(open);
  return status;
}
}
#pragma GCC visibility pop
