// A program of ours starts so if glibc is older than 2.34. Since then __libc_start_main finds a program's constructors by
// itself, and the start file that the compiler links names none.
#if defined(__x86_64__)
asm(".symver old_start_main,__libc_start_main@GLIBC_2.2.5");
#else
asm(".symver old_start_main,__libc_start_main@GLIBC_2.17");
#endif

extern "C" {
using Main = int(int, char**, char**);
using Constructor = void(int, char**, char**);
int old_start_main(Main* program, int argc, char** argv, Constructor* init, void (*fini)(), void (*rtld_fini)(),
                   void* stack);
}

#pragma GCC visibility push(hidden)
extern "C" {
// The linker and the compiler's start files define these.
void _init();
extern Constructor* __preinit_array_start[];
extern Constructor* __preinit_array_end[];
extern Constructor* __init_array_start[];
extern Constructor* __init_array_end[];

static void Construct(int argc, char** argv, char** environment) {
  for (Constructor** each = __preinit_array_start; each != __preinit_array_end; ++each)
    (*each)(argc, argv, environment);
  _init();
  for (Constructor** each = __init_array_start; each != __init_array_end; ++each) (*each)(argc, argv, environment);
}

int __libc_start_main(Main* program, int argc, char** argv, Constructor*, void (*)(), void (*rtld_fini)(),
                      void* stack) {
  return old_start_main(program, argc, argv, Construct, nullptr, rtld_fini, stack);
}
}
#pragma GCC visibility pop
