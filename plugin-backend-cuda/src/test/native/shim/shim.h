// Run the kernels of pecf-kernels.cu on the host: what the stand-in for the driver and the native
// tests call.
//
// To link: src/test/native/shim/shim.cpp and src/test/native/kernels/kernel_table.cpp, compiled by
//   g++ -std=c++17 -ffp-contract=off -I src/test/native/shim -I src/main/cuda
// (both files say the rest themselves). Kernels run on the calling thread; one launch at a time.

#ifndef PECF_SHIM_H
#define PECF_SHIM_H

#ifdef __cplusplus
extern "C" {
#endif

// What shim_launch returns.
enum {
  SHIM_OK = 0,
  SHIM_NOT_FOUND = 1,  // there is no kernel of that name
  SHIM_BAD_LAUNCH = 2, // the grid, block or shared memory is beyond what devices or the kernel take
  SHIM_FAILED = 3      // threads of a block do not meet at a barrier; shim_error() says where
};

// The order in which the threads of a block run between barriers.
enum {
  SHIM_ASCENDING = 0,
  SHIM_DESCENDING = 1,
  SHIM_SHUFFLED = 2,       // at random, by the seed, anew after every barrier
  SHIM_WARPS_REVERSED = 3, // warps descending, lanes ascending
  SHIM_STRIDED = 4,        // every 37th, wrapping around
  SHIM_ORDERS = 5
};

// Run a kernel to its end. The parameters are those of cuLaunchKernel: params[k] points at the k-th
// argument. Pointers among them go through the function set by shim_set_translate.
int shim_launch(const char *name, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                unsigned blockY, unsigned blockZ, unsigned sharedBytes, void **params);

// Return whether there is a kernel of that name.
int shim_has_kernel(const char *name);

// Return how many kernels there are, and the name of one.
int shim_kernel_count(void);
const char *shim_kernel_name(int index);

// Return the most threads that a block of a kernel may have; 0 where there is none.
int shim_launch_bound(const char *name);

// Return how many arguments a kernel takes, and the bytes of one, negative for a pointer; -1 and 0
// where there is none.
int shim_argument_count(const char *name);
int shim_argument_size(const char *name, int argument);

// Set how device pointers become host pointers; null passes them as they are. The function is not
// called for null pointers.
void shim_set_translate(void *(*translate)(void *));

// Set the order of threads for launches from now on.
void shim_set_order(int order, unsigned long long seed);

// Launch the kernel whose name has an ending more, wherever there is one; null launches each by its
// own name.
void shim_prefer(const char *ending);

// Let the barrier in a line of the kernels' source not wait; 0 lets all wait again.
void shim_skip_barrier(int line);

// Return the lines of barriers met since this was last asked: the count, and each one.
int shim_take_barriers(void);
int shim_barrier_line(int index);

// Return what the last failed launch failed of.
const char *shim_error(void);

#ifdef __cplusplus
}
#endif

#endif
