// The instructions of PTX that the shipped kernels use, as C++ functions: PtxTranslator writes code
// that calls them.
//
// A register is a variable of its declared width. An instruction reads its operands with the type
// that its own name ends with, so an f32 register may be read as b32 and the other way round.

#ifndef PECF_PTX_ON_HOST_H
#define PECF_PTX_ON_HOST_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <type_traits>

#include "cuda_on_host.h"

#define PTX_INLINE inline __attribute__((always_inline))

namespace ptx {

/* Read a value as another type: the same bits, or an integer made wider or narrower. */
template <typename To, typename From>
PTX_INLINE To as(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (std::is_integral_v<To> && std::is_integral_v<From>) {
    return static_cast<To>(value);
  } else {
    static_assert(sizeof(To) == sizeof(From), "only integers change their width");
    To result;
    std::memcpy(&result, &value, sizeof(To));
    return result;
  }
}

/* Write a value to a register; a narrower integer is extended by its own sign. */
template <typename Register, typename Value>
PTX_INLINE void set(Register &target, Value value) {
  target = as<Register>(value);
}

template <typename T>
using Unsigned = typename std::make_unsigned<T>::type;

// Integers wrap around; signed overflow would be undefined in C++.

template <typename T>
PTX_INLINE T add(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b));
  } else {
    return a + b;
  }
}

template <typename T>
PTX_INLINE T sub(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b));
  } else {
    return a - b;
  }
}

template <typename T>
PTX_INLINE T mul(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  } else {
    return a * b;
  }
}

PTX_INLINE int64_t mul_wide(int32_t a, int32_t b) { return static_cast<int64_t>(a) * b; }
PTX_INLINE uint64_t mul_wide(uint32_t a, uint32_t b) { return static_cast<uint64_t>(a) * b; }

PTX_INLINE float fma(float a, float b, float c) { return std::fmaf(a, b, c); }
PTX_INLINE double fma(double a, double b, double c) { return std::fma(a, b, c); }

template <typename T>
PTX_INLINE T div(T a, T b) {
  return a / b;
}

template <typename T>
PTX_INLINE T rem(T a, T b) {
  return a % b;
}

template <typename T>
PTX_INLINE T min(T a, T b) {
  static_assert(std::is_integral_v<T>, "minima of floats treat NaN otherwise");
  return a < b ? a : b;
}

template <typename T>
PTX_INLINE T max(T a, T b) {
  static_assert(std::is_integral_v<T>, "maxima of floats treat NaN otherwise");
  return a < b ? b : a;
}

template <typename T>
PTX_INLINE T neg(T a) {
  if constexpr (std::is_integral_v<T>) {
    return sub<T>(0, a);
  } else {
    return -a;
  }
}

PTX_INLINE float abs(float a) { return std::fabs(a); }
PTX_INLINE double abs(double a) { return std::fabs(a); }
PTX_INLINE float sqrt(float a) { return std::sqrt(a); }
PTX_INLINE float rcp(float a) { return 1 / a; }
PTX_INLINE double rcp(double a) { return 1 / a; }

/* rcp.approx.ftz.f64 reads and writes the upper halves of numbers only. */
PTX_INLINE double rcp_coarse(double a) {
  double upper = as<double>(as<uint64_t>(a) & 0xffffffff00000000ull);
  return as<double>(as<uint64_t>(1 / upper) & 0xffffffff00000000ull);
}

// Shifts by the width or more leave nothing but the sign.

template <typename T>
PTX_INLINE T shl(T a, uint32_t bits) {
  return bits < 8 * sizeof(T) ? static_cast<T>(static_cast<Unsigned<T>>(a) << bits) : 0;
}

template <typename T>
PTX_INLINE T shr(T a, uint32_t bits) {
  uint32_t most = 8 * sizeof(T) - 1;
  if (bits > most) {
    return std::is_signed_v<T> ? static_cast<T>(a >> most) : 0;
  }
  return static_cast<T>(a >> bits);
}

PTX_INLINE uint32_t popc(uint32_t a) { return static_cast<uint32_t>(__builtin_popcount(a)); }

PTX_INLINE uint32_t brev(uint32_t a) {
  uint32_t reversed = 0;
  for (int bit = 0; bit < 32; bit++) {
    reversed |= (a >> bit & 1u) << (31 - bit);
  }
  return reversed;
}

/* How far to shift left until the highest bit is set, or all ones for 0. */
PTX_INLINE uint32_t bfind_shift(uint32_t a) {
  return a == 0 ? 0xffffffffu : static_cast<uint32_t>(__builtin_clz(a));
}

/* The field of some bits from a position, by its sign. */
PTX_INLINE int64_t bfe(int64_t a, uint32_t position, uint32_t length) {
  return as<int64_t>(as<uint64_t>(a) << (64 - position - length)) >> (64 - length);
}

/* b with its bits from a position replaced by the lowest ones of a. */
PTX_INLINE uint64_t bfi(uint64_t a, uint64_t b, uint32_t position, uint32_t length) {
  uint64_t mask = (length < 64 ? (1ull << length) - 1 : ~0ull) << position;
  return (b & ~mask) | (a << position & mask);
}

/* A floating-point number as an integer, towards 0, at the ends of its range where it is beyond. */
template <typename To, typename From>
PTX_INLINE To truncate(From a) {
  constexpr To least = std::numeric_limits<To>::min();
  From bound = -static_cast<From>(least);
  return a != a ? 0 : a >= bound ? ~least : a <= -bound ? least : static_cast<To>(a);
}

template <typename T>
PTX_INLINE T load(uint64_t address) {
  return *reinterpret_cast<const T *>(address);
}

/* Read values that follow each other, from an address that is a multiple of their bytes. */
template <typename T>
PTX_INLINE void load_vector(uint64_t address, std::initializer_list<T *> targets) {
  if (address % (targets.size() * sizeof(T)) != 0) {
    __builtin_trap();
  }
  for (T *target : targets) {
    *target = load<T>(address);
    address += sizeof(T);
  }
}

template <typename T>
PTX_INLINE void store(uint64_t address, T value) {
  *reinterpret_cast<T *>(address) = value;
}

/* Write values that follow each other, to an address that is a multiple of their bytes. */
template <typename T>
PTX_INLINE void store_vector(uint64_t address, std::initializer_list<T> values) {
  if (address % (values.size() * sizeof(T)) != 0) {
    __builtin_trap();
  }
  for (T value : values) {
    store<T>(address, value);
    address += sizeof(T);
  }
}

template <typename T>
PTX_INLINE T atom_add(uint64_t address, T value) {
  return atomicAdd(reinterpret_cast<T *>(address), value);
}

PTX_INLINE uint32_t atom_or(uint64_t address, uint32_t value) {
  return atomicOr(reinterpret_cast<uint32_t *>(address), value);
}

}  // namespace ptx

#endif
