// What the shim knows of a kernel: made from the kernel's own type, so that it cannot go out of date.

#ifndef PECF_KERNEL_TABLE_H
#define PECF_KERNEL_TABLE_H

#include <cstring>
#include <functional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace shim {

using Translate = void *(*)(void *);

/* A kernel by name, whatever its parameters. */
struct Kernel {
  std::string name;
  // The launch bound.
  unsigned most_threads;
  // The bytes of each parameter, negative for pointers.
  std::vector<int> sizes;
  // Read arguments once, and return what each thread runs.
  std::function<std::function<void()>(void **, Translate)> bind;
};

template <typename T>
T argument(const void *source, Translate translate) {
  T value;
  std::memcpy(&value, source, sizeof(T));
  if constexpr (std::is_pointer_v<T>) {
    if (translate != nullptr && value != nullptr) {
      value = static_cast<T>(
          translate(const_cast<void *>(static_cast<const void *>(value))));
    }
  }
  return value;
}

template <typename... Parameters, std::size_t... Index>
std::tuple<Parameters...> arguments(void **params, Translate translate,
                                    std::index_sequence<Index...>) {
  return std::tuple<Parameters...>(argument<Parameters>(params[Index], translate)...);
}

template <typename... Parameters>
Kernel kernel(const char *name, unsigned most_threads, void (*function)(Parameters...)) {
  return Kernel{
      name,
      most_threads,
      {(std::is_pointer_v<Parameters> ? -1 : 1) * static_cast<int>(sizeof(Parameters))...},
      [function](void **params, Translate translate) -> std::function<void()> {
        auto values =
            arguments<Parameters...>(params, translate, std::index_sequence_for<Parameters...>{});
        return [function, values] { std::apply(function, values); };
      }};
}

/* Return all kernels: defined where the kernels' source is included. */
const std::vector<Kernel> &kernels();

}  // namespace shim

#endif
