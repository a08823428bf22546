// What the shim knows of a kernel: made from the kernel's own type, so that it cannot go out of date.

#ifndef PECF_KERNEL_TABLE_H
#define PECF_KERNEL_TABLE_H

#include "cuda_on_host.h"

namespace shim {

/* A kernel by name, whatever its parameters. */
struct Kernel {
  const char *name;
  // The launch bound.
  unsigned most_threads;
  // The bytes of each parameter, negative for pointers.
  const int *sizes;
  int count;
  // Run one thread with arguments that lie at the given addresses.
  void (*run)(void **arguments);
};

/* The bytes of a type, negative for pointers. */
template <typename T>
constexpr int size_of = static_cast<int>(sizeof(T));
template <typename T>
constexpr int size_of<T *> = -static_cast<int>(sizeof(T *));

template <int... Numbers>
struct Sequence {};

template <auto Function>
struct Described;

template <typename... Parameters, void (*Function)(Parameters...)>
struct Described<Function> {
  static constexpr int sizes[] = {size_of<Parameters>...};

  template <int... Index>
  static void call(void **arguments, Sequence<Index...>) {
    Function(*static_cast<Parameters *>(arguments[Index])...);
  }

  static void run(void **arguments) {
    call(arguments, Sequence<__integer_pack(static_cast<int>(sizeof...(Parameters)))...>{});
  }
};

template <auto Function>
constexpr Kernel kernel(const char *name, unsigned most_threads) {
  using Type = Described<Function>;
  return {name, most_threads, Type::sizes, static_cast<int>(sizeof(Type::sizes) / sizeof(int)), Type::run};
}

/* All kernels, the last one without a name: defined where the kernels' source is included. */
extern const Kernel all_kernels[];

}  // namespace shim

#endif
