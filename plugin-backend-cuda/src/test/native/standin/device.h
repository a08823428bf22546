// A pretended CUDA device: memory, streams, failures. Shared by the stand-ins of the driver and of
// cuBLAS. Work is only queued when it is submitted, and done as late as the rules of CUDA allow, so
// that a program that forgets to wait reads what was there before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace standin {

// The statuses of the driver that the stand-in uses.
enum Status : int {
  SUCCESS = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NOT_INITIALIZED = 3,
  NO_DEVICE = 100,
  INVALID_DEVICE = 101,
  INVALID_IMAGE = 200,
  INVALID_CONTEXT = 201,
  INVALID_PTX = 218,
  ALREADY_REGISTERED = 712,
  NOT_REGISTERED = 713,
  INVALID_HANDLE = 400,
  NOT_FOUND = 500,
  NOT_READY = 600,
  ILLEGAL_ADDRESS = 700,
  LAUNCH_OUT_OF_RESOURCES = 701,
  LAUNCH_FAILED = 719,
  NOT_SUPPORTED = 801,
};

// What can be made to fail, by its place in the control interface.
enum Failure : int { FAIL_ALLOCATION = 0, FAIL_LAUNCH = 1, FAIL_EXECUTION = 2, FAIL_PRODUCT = 3, FAILURES = 4 };

struct Stream;

// Returns the memory behind a range of device addresses, or null if it is not all of one live
// allocation; then the device is broken from now on, as a real one is.
void* memory(std::uint64_t address, std::size_t bytes);

// Returns the memory behind one address that a kernel is given; null stays null.
void* memory_at(void* address);

// Queues work on a stream; what it returns is the device's status from then on if not SUCCESS.
int submit(Stream* stream, std::function<int()> work);

// Returns the stream that a handle names, or null if there is none; null names the default stream.
Stream* stream_of(void* handle);

// Counts a call that can be made to fail, and says whether this one does.
bool fails(Failure kind);

// Returns the status of the device: not SUCCESS for good once something went wrong on it.
int device_status();

// Notes which math mode a cuBLAS handle was set to, for the control interface.
void note_math_mode(int mode);

// Returns the version that cuBLAS says it has.
int cublas_version();

// Notes that a handle of cuBLAS was made or given back.
void note_handle(int change);

// Notes that a product of matrices was asked for.
void note_product();

}  // namespace standin
