// What CUDA C++ has and C++ has not, as far as the kernels use it, for g++.
//
// A block's threads are fibers of the calling thread. They run one at a time, each until it waits
// for others; which one runs next is chosen by shim_set_order. Barriers and warp functions that not
// all threads concerned reach end the launch with a message.

#ifndef PECF_CUDA_ON_HOST_H
#define PECF_CUDA_ON_HOST_H

// Compiled with every kernel, so it includes little: declarations take longer to read than kernels.
#include <stdint.h>

#define __global__
#define __device__
#define __launch_bounds__(...)
// Blocks run one after another, so one copy will do. A section of its own lets the shim fill all of
// it with NaN before each block.
#define __shared__ static __attribute__((section("pecf_shared")))
#define DYNAMIC_SHARED(type, name) type *name = static_cast<type *>(shim::dynamic_shared)

namespace shim {

struct Index {
  unsigned x, y, z;
};

/* What a thread of a block sees of itself. */
struct Thread {
  Index index;
  unsigned lane;
};

extern Thread *thread;
extern Index block;
extern Index block_size;
extern Index grid_size;
extern void *dynamic_shared;

/* Wait for all threads of the block. */
void barrier(int line);

/*
 * Hand in a value and wait for all lanes of the warp; return the values of all lanes, valid until
 * the thread calls this the next time but one.
 */
const uint64_t *exchange(unsigned mask, uint64_t value, int line);

template <typename T>
uint64_t to_bits(T value) {
  static_assert(sizeof(T) <= sizeof(uint64_t), "a shuffled value has up to 64 bits");
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}

template <typename T>
T from_bits(uint64_t bits) {
  T value;
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

template <typename T>
T shuffle(unsigned mask, T value, unsigned source, int line) {
  return from_bits<T>(exchange(mask, to_bits(value), line)[source % 32]);
}

template <typename T>
T shuffle_xor(unsigned mask, T value, unsigned lanes, int line) {
  unsigned lane = thread->lane;
  return from_bits<T>(exchange(mask, to_bits(value), line)[(lane ^ lanes) % 32]);
}

template <typename T>
T shuffle_up(unsigned mask, T value, unsigned delta, int line) {
  unsigned lane = thread->lane;
  const uint64_t *values = exchange(mask, to_bits(value), line);
  return from_bits<T>(values[lane >= delta ? lane - delta : lane]);
}

inline unsigned ballot(unsigned mask, bool vote, int line) {
  const uint64_t *values = exchange(mask, vote, line);
  unsigned votes = 0;
  for (int lane = 0; lane < 32; lane++) {
    votes |= values[lane] != 0 ? 1u << lane : 0;
  }
  return votes;
}

}  // namespace shim

#define threadIdx (shim::thread->index)
#define blockIdx (shim::block)
#define blockDim (shim::block_size)
#define gridDim (shim::grid_size)

#define __syncthreads() shim::barrier(__LINE__)
#define __shfl_sync(mask, value, source) shim::shuffle(mask, value, source, __LINE__)
#define __shfl_xor_sync(mask, value, lanes) shim::shuffle_xor(mask, value, lanes, __LINE__)
#define __shfl_up_sync(mask, value, delta) shim::shuffle_up(mask, value, delta, __LINE__)
#define __ballot_sync(mask, vote) shim::ballot(mask, vote, __LINE__)

// Threads are not interrupted, so plain operations are atomic.
template <typename T>
inline T atomicAdd(T *address, T value) {
  T before = *address;
  *address = before + value;
  return before;
}

inline unsigned atomicOr(unsigned *address, unsigned value) {
  unsigned before = *address;
  *address = before | value;
  return before;
}

inline int __popc(unsigned bits) { return __builtin_popcount(bits); }
inline int __ffs(int bits) { return __builtin_ffs(bits); }
inline unsigned __float_as_uint(float value) { return shim::from_bits<unsigned>(shim::to_bits(value)); }
inline float __uint_as_float(unsigned bits) { return shim::from_bits<float>(bits); }
inline double __longlong_as_double(long long bits) { return shim::from_bits<double>(shim::to_bits(bits)); }

// Of the standard library.
extern "C" {
float fabsf(float) noexcept;
float fmaf(float, float, float) noexcept;
double log(double) noexcept;
float logf(float) noexcept;
float sqrtf(float) noexcept;
}

#endif
