// A kernel that is compiled for the host while tests run, in a library of its own: the library's
// symbol pecf_generated describes it.

#ifndef PECF_GENERATED_KERNEL_H
#define PECF_GENERATED_KERNEL_H

#include <cstddef>
#include <type_traits>
#include <utility>

#include "cuda_on_host.h"

namespace shim {

struct GeneratedKernel {
  const char *name;
  // The launch bound.
  unsigned most_threads;
  // The bytes of each parameter, negative for pointers.
  const int *sizes;
  int count;
  // Run one thread with arguments that lie at the given addresses.
  void (*run)(void **arguments);
};

template <auto Function>
struct Generated;

template <typename... Parameters, void (*Function)(Parameters...)>
struct Generated<Function> {
  static constexpr int sizes[] = {
      (std::is_pointer_v<Parameters> ? -1 : 1) * static_cast<int>(sizeof(Parameters))...};

  template <std::size_t... Index>
  static void call(void **arguments, std::index_sequence<Index...>) {
    Function(*static_cast<Parameters *>(arguments[Index])...);
  }

  static void run(void **arguments) { call(arguments, std::index_sequence_for<Parameters...>{}); }

  static constexpr GeneratedKernel describe(const char *name, unsigned most_threads) {
    return {name, most_threads, sizes, static_cast<int>(sizeof...(Parameters)), run};
  }
};

}  // namespace shim

#define PECF_GENERATED(name)                                   \
  extern "C" const shim::GeneratedKernel pecf_generated;       \
  const shim::GeneratedKernel pecf_generated =                 \
      shim::Generated<name>::describe(#name, THREADS);

#endif
