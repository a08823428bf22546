#include "device.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "shim.h"

namespace standin {

struct Work {
  std::function<int()> run;
};

struct Stream {
  bool blocking = true;  // waits for, and is waited for by, the default stream
  std::deque<Work> queue;
  long submitted = 0;
  long done = 0;
  bool running = false;
};

struct Event {
  Stream* stream = nullptr;
  long at = 0;  // the number of works on the stream that come before it
  double milliseconds = 0;
};

struct Allocation {
  std::size_t bytes;
  unsigned char* memory;  // where the contents are
  unsigned char* mapping;
  std::size_t mapped;
};

struct Context {
  int device;
};

struct Function {
  std::string name;
  // The bytes of each argument, negative for a pointer.
  std::vector<int> sizes;
  // The most shared memory of a launch: what the function was given, or what all have.
  unsigned shared_bytes = 48u << 10;
};

struct Module {
  std::string text;
  std::vector<std::unique_ptr<Function>> functions;
};

// Addresses that the host cannot read or write: reserved, never mapped.
constexpr std::size_t ADDRESS_SPACE = std::size_t(1) << 42;
constexpr std::size_t PAGE = 4096;

std::recursive_mutex guard;
std::map<std::uint64_t, Allocation> allocations;
std::map<std::uint64_t, std::size_t> pinned;
std::set<Stream*> streams;
std::set<Event*> events;
std::set<Context*> contexts;
std::set<Module*> modules;
Stream default_stream;
std::uint64_t next_address = 0;
std::uint64_t space = 0;
std::size_t used = 0;
int status = SUCCESS;
bool initialized = false;
long double_frees = 0;
long launches = 0;
long most_used = 0;
long copied_in = 0;
long copied_out = 0;
int math_mode = -1;
long handles = 0;
long countdown[FAILURES] = {-1, -1, -1, -1};
bool others_first = false;
bool in_turns = false;
bool may_pin = true;
int version_of_cublas = 120600;
long products = 0;
long all_allocations = 0;
thread_local std::vector<Context*> current;
double clock_milliseconds = 0;

long setting(const char* name, long otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtol(text, nullptr, 10);
}

std::size_t capacity_override = 0;

std::size_t capacity() {
  return capacity_override > 0 ? capacity_override
                               : std::size_t(setting("PECF_STANDIN_MEMORY", 512l << 20));
}

int devices() { return int(setting("PECF_STANDIN_DEVICES", 1)); }

int driver_version() { return int(setting("PECF_STANDIN_DRIVER", 12040)); }

bool fails(Failure kind) {
  std::lock_guard<std::recursive_mutex> lock(guard);
  return countdown[kind] >= 0 && countdown[kind]-- == 0;
}

int device_status() { return status; }

void note_math_mode(int mode) { math_mode = mode; }

int cublas_version() { return version_of_cublas; }


void note_handle(int change) { handles += change; }

void note_product() { products++; }

int broken(int with) {
  if (status == SUCCESS) {
    status = with;
  }
  return with;
}

Allocation* allocation_of(std::uint64_t address, std::uint64_t* start) {
  auto after = allocations.upper_bound(address);
  if (after == allocations.begin()) {
    return nullptr;
  }
  --after;
  *start = after->first;
  return address < after->first + after->second.bytes ? &after->second : nullptr;
}

void* memory(std::uint64_t address, std::size_t bytes) {
  std::lock_guard<std::recursive_mutex> lock(guard);
  std::uint64_t start = 0;
  Allocation* found = allocation_of(address, &start);
  if (found == nullptr || address + bytes > start + found->bytes) {
    broken(ILLEGAL_ADDRESS);
    return nullptr;
  }
  return found->memory + (address - start);
}

void* memory_at(void* address) {
  if (address == nullptr) {
    return nullptr;
  }
  std::uint64_t start = 0;
  Allocation* found = allocation_of(std::uint64_t(address), &start);
  if (found == nullptr) {
    broken(ILLEGAL_ADDRESS);
    return nullptr;
  }
  return found->memory + (std::uint64_t(address) - start);
}

// Does the first works of a stream, up to a number of them over its life.
void run(Stream* stream, long up_to) {
  if (stream->running) {
    return;
  }
  stream->running = true;
  while (stream->done < up_to && !stream->queue.empty()) {
    Work work = std::move(stream->queue.front());
    stream->queue.pop_front();
    if (status == SUCCESS) {
      int result = fails(FAIL_EXECUTION) ? LAUNCH_FAILED : work.run();
      if (result != SUCCESS) {
        broken(result);
      }
    }
    stream->done++;
  }
  stream->running = false;
}

// Does all work of the other streams, if they come first; or one work of each stream in turn until
// this one has done a number of them over its life.
void run_others(Stream* stream, long up_to) {
  while (in_turns && !stream->running && stream->done < up_to) {
    for (Stream* other : streams) {
      run(other, other->done + (other == stream ? 0 : 1));
    }
    run(stream, stream->done + 1);
  }
  if (others_first) {
    for (Stream* other : streams) {
      if (other != stream) {
        run(other, other->submitted);
      }
    }
  }
}

void finish(Stream* stream) {
  run_others(stream, stream->submitted);
  // The default stream comes after all that was submitted to blocking streams before.
  if (stream == &default_stream) {
    for (Stream* other : streams) {
      if (other->blocking) {
        run(other, other->submitted);
      }
    }
  }
  run(stream, stream->submitted);
}

int submit(Stream* stream, std::function<int()> work) {
  std::lock_guard<std::recursive_mutex> lock(guard);
  if (status != SUCCESS) {
    return status;
  }
  stream->queue.push_back({std::move(work)});
  stream->submitted++;
  return SUCCESS;
}

Stream* stream_of(void* handle) {
  if (handle == nullptr) {
    return &default_stream;
  }
  return streams.count(static_cast<Stream*>(handle)) != 0 ? static_cast<Stream*>(handle) : nullptr;
}

bool is_pinned(const void* host, std::size_t bytes) {
  auto after = pinned.upper_bound(std::uint64_t(host));
  if (after == pinned.begin()) {
    return false;
  }
  --after;
  return std::uint64_t(host) + bytes <= after->first + after->second;
}

// Whether a kernel is in what was loaded: in PTX by its entry.
bool names(const std::string& text, const std::string& kernel) {
  for (std::size_t at = text.find(kernel); at != std::string::npos; at = text.find(kernel, at + 1)) {
    bool starts = at > 0 && text[at - 1] == ' ';
    bool ends = at + kernel.size() < text.size() && text[at + kernel.size()] == '(';
    if (starts && ends) {
      return true;
    }
  }
  return false;
}

}  // namespace standin

using namespace standin;

#define ENTER                                           \
  std::lock_guard<std::recursive_mutex> lock(guard);    \
  if (!initialized) return NOT_INITIALIZED;

#define ENTER_CONTEXT                                   \
  ENTER                                                 \
  if (current.empty()) return INVALID_CONTEXT;          \
  if (status != SUCCESS) return status;

extern "C" {

// Versions, devices, contexts

int cuInit(unsigned flags) {
  (void)flags;
  std::lock_guard<std::recursive_mutex> lock(guard);
  if (devices() == 0) {
    return NO_DEVICE;
  }
  shim_set_translate(memory_at);
  initialized = true;
  return SUCCESS;
}

int cuDriverGetVersion(int* version) {
  *version = driver_version();
  return SUCCESS;
}

int cuDeviceGetCount(int* count) {
  ENTER
  *count = devices();
  return SUCCESS;
}

int cuDeviceGet(int* device, int ordinal) {
  ENTER
  if (ordinal < 0 || ordinal >= devices()) {
    return INVALID_DEVICE;
  }
  *device = ordinal;
  return SUCCESS;
}

int cuDeviceGetName(char* name, int length, int device) {
  ENTER
  std::snprintf(name, std::size_t(length), "Stand-in device %d", device);
  return SUCCESS;
}

int cuDeviceTotalMem_v2(std::size_t* bytes, int device) {
  ENTER
  (void)device;
  *bytes = capacity();
  return SUCCESS;
}

int cuDeviceGetAttribute(int* value, int attribute, int device) {
  ENTER
  (void)device;
  switch (attribute) {
    case 1: *value = 1024; return SUCCESS;     // threads of a block
    case 8: *value = 49152; return SUCCESS;    // shared memory of a block
    case 10: *value = 32; return SUCCESS;      // warp
    case 13: *value = 1000000; return SUCCESS; // clock, kHz
    case 16: *value = 2; return SUCCESS;       // multiprocessors
    case 36: *value = 1000000; return SUCCESS; // memory clock, kHz
    case 37: *value = 128; return SUCCESS;     // bus width
    case 75: *value = int(setting("PECF_STANDIN_MAJOR", 8)); return SUCCESS;
    case 76: *value = int(setting("PECF_STANDIN_MINOR", 6)); return SUCCESS;
    case 97: *value = 101376; return SUCCESS;  // shared memory of a block, if asked for
    default: return INVALID_VALUE;
  }
}

int cuGetErrorName(int code, const char** text) {
  switch (code) {
    case SUCCESS: *text = "CUDA_SUCCESS"; return SUCCESS;
    case INVALID_VALUE: *text = "CUDA_ERROR_INVALID_VALUE"; return SUCCESS;
    case OUT_OF_MEMORY: *text = "CUDA_ERROR_OUT_OF_MEMORY"; return SUCCESS;
    case NO_DEVICE: *text = "CUDA_ERROR_NO_DEVICE"; return SUCCESS;
    case ILLEGAL_ADDRESS: *text = "CUDA_ERROR_ILLEGAL_ADDRESS"; return SUCCESS;
    case LAUNCH_FAILED: *text = "CUDA_ERROR_LAUNCH_FAILED"; return SUCCESS;
    case LAUNCH_OUT_OF_RESOURCES: *text = "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"; return SUCCESS;
    case NOT_SUPPORTED: *text = "CUDA_ERROR_NOT_SUPPORTED"; return SUCCESS;
    default: *text = nullptr; return INVALID_VALUE;
  }
}

int cuCtxCreate_v2(void** context, unsigned flags, int device) {
  ENTER
  (void)flags;
  auto* made = new Context{device};
  contexts.insert(made);
  current.push_back(made);
  *context = made;
  return SUCCESS;
}

// What a context held goes with it, as on a device; the control interface has counted it by then.
int cuCtxDestroy_v2(void* context) {
  ENTER
  if (contexts.erase(static_cast<Context*>(context)) == 0) {
    double_frees++;
    return INVALID_CONTEXT;
  }
  while (!current.empty() && current.back() == context) {
    current.pop_back();
  }
  delete static_cast<Context*>(context);
  if (contexts.empty()) {
    status = SUCCESS;
    default_stream.queue.clear();
    default_stream.done = default_stream.submitted;
  }
  return SUCCESS;
}

int cuCtxPushCurrent_v2(void* context) {
  ENTER
  if (contexts.count(static_cast<Context*>(context)) == 0) {
    return INVALID_CONTEXT;
  }
  current.push_back(static_cast<Context*>(context));
  return SUCCESS;
}

int cuCtxPopCurrent_v2(void** context) {
  ENTER
  if (current.empty()) {
    return INVALID_CONTEXT;
  }
  if (context != nullptr) {
    *context = current.back();
  }
  current.pop_back();
  return SUCCESS;
}

int cuCtxGetCurrent(void** context) {
  ENTER
  *context = current.empty() ? nullptr : current.back();
  return SUCCESS;
}

int cuCtxSynchronize() {
  ENTER_CONTEXT
  run(&default_stream, default_stream.submitted);
  for (Stream* stream : streams) {
    run(stream, stream->submitted);
  }
  return status;
}

// Memory

int cuMemGetInfo_v2(std::size_t* free_bytes, std::size_t* total) {
  ENTER_CONTEXT
  *total = capacity();
  *free_bytes = used > capacity() ? 0 : capacity() - used;
  return SUCCESS;
}

int cuMemAlloc_v2(std::uint64_t* address, std::size_t bytes) {
  ENTER_CONTEXT
  if (bytes == 0) {
    return INVALID_VALUE;
  }
  if (fails(FAIL_ALLOCATION) || used + bytes > capacity()) {
    return OUT_OF_MEMORY;
  }
  all_allocations++;
  if (space == 0) {
    void* reserved = mmap(nullptr, ADDRESS_SPACE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED) {
      return OUT_OF_MEMORY;
    }
    space = next_address = (std::uint64_t(reserved) + 255) / 256 * 256;
  }
  if (next_address + bytes + PAGE > space + ADDRESS_SPACE) {
    next_address = space;  // addresses are used again only after all others
  }
  // The contents end at a page that nothing may touch: what runs past them does not go unnoticed.
  std::size_t rounded = (bytes + 15) / 16 * 16;
  std::size_t pages = (rounded + PAGE - 1) / PAGE * PAGE;
  void* mapping = mmap(nullptr, pages + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) {
    return OUT_OF_MEMORY;
  }
  mprotect(static_cast<unsigned char*>(mapping) + pages, PAGE, PROT_NONE);
  unsigned char* contents = static_cast<unsigned char*>(mapping) + pages - rounded;
  std::memset(contents, 0xff, rounded);  // not a number, whatever reads it
  *address = next_address;
  next_address += (bytes + 256 + 255) / 256 * 256;
  allocations[*address] = {bytes, contents, static_cast<unsigned char*>(mapping), pages + PAGE};
  used += bytes;
  most_used = std::max(most_used, long(used));
  return SUCCESS;
}

int cuMemFree_v2(std::uint64_t address) {
  ENTER
  if (current.empty()) {
    return INVALID_CONTEXT;
  }
  auto found = allocations.find(address);
  if (found == allocations.end()) {
    double_frees++;
    return INVALID_VALUE;
  }
  munmap(found->second.mapping, found->second.mapped);
  used -= found->second.bytes;
  allocations.erase(found);
  return status;
}

int cuMemHostRegister_v2(void* host, std::size_t bytes, unsigned flags) {
  ENTER_CONTEXT
  (void)flags;
  if (!may_pin) {
    return OUT_OF_MEMORY;
  }
  auto after = pinned.lower_bound(std::uint64_t(host) / PAGE * PAGE);
  if (after != pinned.end() && after->first / PAGE <= (std::uint64_t(host) + bytes - 1) / PAGE) {
    return ALREADY_REGISTERED;
  }
  if (after != pinned.begin()) {
    --after;
    if ((after->first + after->second - 1) / PAGE >= std::uint64_t(host) / PAGE) {
      return ALREADY_REGISTERED;
    }
  }
  pinned[std::uint64_t(host)] = bytes;
  return SUCCESS;
}

int cuMemHostUnregister(void* host) {
  ENTER
  if (pinned.erase(std::uint64_t(host)) == 0) {
    double_frees++;
    return NOT_REGISTERED;
  }
  return status;
}

int cuMemcpyHtoDAsync_v2(std::uint64_t target, const void* source, std::size_t bytes, void* handle) {
  ENTER_CONTEXT
  Stream* stream = stream_of(handle);
  if (stream == nullptr) {
    return INVALID_HANDLE;
  }
  copied_in += long(bytes);
  if (is_pinned(source, bytes)) {
    // Read when its turn comes: what the host writes there before is what arrives.
    return submit(stream, [=] {
      void* contents = memory(target, bytes);
      if (contents != nullptr) {
        std::memcpy(contents, source, bytes);
      }
      return status;
    });
  }
  auto copy = std::make_shared<std::vector<unsigned char>>(
      static_cast<const unsigned char*>(source), static_cast<const unsigned char*>(source) + bytes);
  return submit(stream, [=] {
    void* contents = memory(target, bytes);
    if (contents != nullptr) {
      std::memcpy(contents, copy->data(), bytes);
    }
    return status;
  });
}

int cuMemcpyDtoHAsync_v2(void* target, std::uint64_t source, std::size_t bytes, void* handle) {
  ENTER_CONTEXT
  Stream* stream = stream_of(handle);
  if (stream == nullptr) {
    return INVALID_HANDLE;
  }
  copied_out += long(bytes);
  bool waits = !is_pinned(target, bytes);
  int result = submit(stream, [=] {
    void* contents = memory(source, bytes);
    if (contents != nullptr) {
      std::memcpy(target, contents, bytes);
    }
    return status;
  });
  if (waits && result == SUCCESS) {
    finish(stream);
    return status;
  }
  return result;
}

int cuMemcpyDtoDAsync_v2(std::uint64_t target, std::uint64_t source, std::size_t bytes, void* handle) {
  ENTER_CONTEXT
  Stream* stream = stream_of(handle);
  if (stream == nullptr) {
    return INVALID_HANDLE;
  }
  return submit(stream, [=] {
    void* from = memory(source, bytes);
    void* to = memory(target, bytes);
    if (from != nullptr && to != nullptr) {
      std::memmove(to, from, bytes);
    }
    return status;
  });
}

int cuMemsetD32Async(std::uint64_t target, unsigned value, std::size_t count, void* handle) {
  ENTER_CONTEXT
  Stream* stream = stream_of(handle);
  if (stream == nullptr) {
    return INVALID_HANDLE;
  }
  return submit(stream, [=] {
    auto* contents = static_cast<unsigned*>(memory(target, count * 4));
    for (std::size_t k = 0; contents != nullptr && k < count; k++) {
      contents[k] = value;
    }
    return status;
  });
}

// Streams and events

int cuStreamCreate(void** stream, unsigned flags) {
  ENTER_CONTEXT
  auto* made = new Stream;
  made->blocking = (flags & 1) == 0;
  streams.insert(made);
  *stream = made;
  return SUCCESS;
}

int cuStreamDestroy_v2(void* handle) {
  ENTER
  if (streams.count(static_cast<Stream*>(handle)) == 0) {
    double_frees++;
    return INVALID_HANDLE;
  }
  auto* stream = static_cast<Stream*>(handle);
  run(stream, stream->submitted);
  streams.erase(stream);
  delete stream;
  return SUCCESS;
}

int cuStreamSynchronize(void* handle) {
  ENTER_CONTEXT
  Stream* stream = stream_of(handle);
  if (stream == nullptr) {
    return INVALID_HANDLE;
  }
  finish(stream);
  return status;
}

int cuEventCreate(void** event, unsigned flags) {
  ENTER_CONTEXT
  (void)flags;
  auto* made = new Event;
  events.insert(made);
  *event = made;
  return SUCCESS;
}

int cuEventDestroy_v2(void* event) {
  ENTER
  if (events.erase(static_cast<Event*>(event)) == 0) {
    double_frees++;
    return INVALID_HANDLE;
  }
  delete static_cast<Event*>(event);
  return SUCCESS;
}

int cuEventRecord(void* handle, void* stream_handle) {
  ENTER_CONTEXT
  auto* event = static_cast<Event*>(handle);
  Stream* stream = stream_of(stream_handle);
  if (events.count(event) == 0 || stream == nullptr) {
    return INVALID_HANDLE;
  }
  event->stream = stream;
  event->at = stream->submitted;
  event->milliseconds = clock_milliseconds += 1;
  return SUCCESS;
}

int cuEventSynchronize(void* handle) {
  ENTER_CONTEXT
  auto* event = static_cast<Event*>(handle);
  if (events.count(event) == 0) {
    return INVALID_HANDLE;
  }
  if (event->stream != nullptr) {
    run_others(event->stream, event->at);
    run(event->stream, event->at);
  }
  return status;
}

int cuEventElapsedTime(float* milliseconds, void* from, void* to) {
  ENTER_CONTEXT
  if (events.count(static_cast<Event*>(from)) == 0 || events.count(static_cast<Event*>(to)) == 0) {
    return INVALID_HANDLE;
  }
  *milliseconds = float(static_cast<Event*>(to)->milliseconds - static_cast<Event*>(from)->milliseconds);
  return SUCCESS;
}

int cuStreamWaitEvent(void* handle, void* event_handle, unsigned flags) {
  ENTER_CONTEXT
  (void)flags;
  Stream* stream = stream_of(handle);
  auto* event = static_cast<Event*>(event_handle);
  if (stream == nullptr || events.count(event) == 0) {
    return INVALID_HANDLE;
  }
  Stream* other = event->stream;
  long at = event->at;
  return submit(stream, [=] {
    if (other != nullptr && (other == &default_stream || streams.count(other) != 0)) {
      run(other, at);
    }
    return status;
  });
}

// Modules and kernels

int cuModuleLoadDataEx(void** module, const void* image, unsigned options, int* keys, void** values) {
  ENTER_CONTEXT
  (void)options;
  (void)keys;
  (void)values;
  std::string text(static_cast<const char*>(image));
  if (text.find(".version") == std::string::npos || text.find(".target") == std::string::npos) {
    return INVALID_PTX;
  }
  auto* made = new Module{text, {}};
  modules.insert(made);
  *module = made;
  return SUCCESS;
}

int cuModuleUnload(void* module) {
  ENTER
  if (modules.erase(static_cast<Module*>(module)) == 0) {
    double_frees++;
    return INVALID_HANDLE;
  }
  delete static_cast<Module*>(module);
  return SUCCESS;
}

int cuModuleGetFunction(void** function, void* handle, const char* name) {
  ENTER_CONTEXT
  auto* module = static_cast<Module*>(handle);
  if (modules.count(module) == 0) {
    return INVALID_HANDLE;
  }
  if (!names(module->text, name) || !shim_has_kernel(name)) {
    return NOT_FOUND;
  }
  std::vector<int> sizes;
  for (int k = 0; k < shim_argument_count(name); k++) {
    sizes.push_back(shim_argument_size(name, k));
  }
  module->functions.push_back(std::make_unique<Function>(Function{name, sizes}));
  *function = module->functions.back().get();
  return SUCCESS;
}

int cuFuncSetAttribute(void* function, int attribute, int value) {
  ENTER_CONTEXT
  if (attribute != 8 || value < 0 || value > 101376) {
    return INVALID_VALUE;
  }
  auto* given = static_cast<Function*>(function);
  given->shared_bytes = std::max(48u << 10, unsigned(value));
  return SUCCESS;
}

int cuFuncGetAttribute(int* value, int attribute, void* function) {
  ENTER_CONTEXT
  (void)attribute;
  (void)function;
  *value = 0;
  return SUCCESS;
}

int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared_bytes, void* handle, void** parameters, void** extra) {
  ENTER_CONTEXT
  Stream* stream = stream_of(handle);
  if (stream == nullptr || extra != nullptr) {
    return INVALID_HANDLE;
  }
  if (gx == 0 || gy == 0 || gz == 0 || gy > 65535 || gz > 65535 || bx * by * bz == 0 ||
      bx * by * bz > 1024 || shared_bytes > static_cast<Function*>(function)->shared_bytes) {
    return INVALID_VALUE;
  }
  if (fails(FAIL_LAUNCH)) {
    return OUT_OF_MEMORY;
  }
  const std::string& name = static_cast<Function*>(function)->name;
  const std::vector<int>& sizes = static_cast<Function*>(function)->sizes;
  // The driver copies the values when the kernel is launched; pointers are looked up when it runs.
  auto values = std::make_shared<std::vector<std::vector<unsigned char>>>();
  for (std::size_t k = 0; k < sizes.size(); k++) {
    auto* value = static_cast<unsigned char*>(parameters[k]);
    values->emplace_back(value, value + std::abs(sizes[k]));
  }
  launches++;
  return submit(stream, [=] {
    std::vector<void*> pointers;
    for (std::size_t k = 0; k < sizes.size(); k++) {
      pointers.push_back((*values)[k].data());
      if (sizes[k] < 0) {
        void* pointer = nullptr;
        std::memcpy(&pointer, pointers[k], sizeof(pointer));
        if (pointer != nullptr && memory_at(pointer) == nullptr) {
          std::fprintf(stderr, "stand-in: argument %zu of %s is not an address\n", k, name.c_str());
          return int(ILLEGAL_ADDRESS);
        }
      }
    }
    int result = shim_launch(name.c_str(), gx, gy, gz, bx, by, bz, shared_bytes, pointers.data());
    if (result != SHIM_OK) {
      std::fprintf(stderr, "stand-in: %s: %s\n", name.c_str(), shim_error());
      return int(LAUNCH_FAILED);
    }
    return status;
  });
}

// The control interface: native methods of the test class org.pecf.plugin.backend.cuda.StandIn.

void Java_org_pecf_plugin_backend_cuda_StandIn_failAfter(void*, void*, int kind, long long calls) {
  std::lock_guard<std::recursive_mutex> lock(guard);
  countdown[kind] = calls;
}

void Java_org_pecf_plugin_backend_cuda_StandIn_forgetWrongFrees(void*, void*) {
  std::lock_guard<std::recursive_mutex> lock(guard);
  double_frees = 0;
}

void Java_org_pecf_plugin_backend_cuda_StandIn_forgetMostBytes(void*, void*) {
  std::lock_guard<std::recursive_mutex> lock(guard);
  most_used = long(used);
}

void Java_org_pecf_plugin_backend_cuda_StandIn_setCapacity(void*, void*, long long bytes) {
  std::lock_guard<std::recursive_mutex> lock(guard);
  capacity_override = std::size_t(bytes);
}

void Java_org_pecf_plugin_backend_cuda_StandIn_setOthersFirst(void*, void*, unsigned char value) {
  std::lock_guard<std::recursive_mutex> lock(guard);
  others_first = value != 0;
}

void Java_org_pecf_plugin_backend_cuda_StandIn_setInTurns(void*, void*, unsigned char value) {
  std::lock_guard<std::recursive_mutex> lock(guard);
  in_turns = value != 0;
}

void Java_org_pecf_plugin_backend_cuda_StandIn_setPinning(void*, void*, unsigned char value) {
  std::lock_guard<std::recursive_mutex> lock(guard);
  may_pin = value != 0;
}

void Java_org_pecf_plugin_backend_cuda_StandIn_setCublasVersion(void*, void*, int value) {
  std::lock_guard<std::recursive_mutex> lock(guard);
  version_of_cublas = value;
}

void Java_org_pecf_plugin_backend_cuda_StandIn_setOrder(void*, void*, int order) {
  std::lock_guard<std::recursive_mutex> lock(guard);
  shim_set_order(order, 1);
}

// What is live or was counted: allocations, pinned ranges, streams, events, contexts, modules,
// handles, wrong frees, launches, the math mode, the largest use of memory, bytes copied to the
// device and from it, products of matrices, allocations ever.
long long Java_org_pecf_plugin_backend_cuda_StandIn_count(void*, void*, int what) {
  std::lock_guard<std::recursive_mutex> lock(guard);
  switch (what) {
    case 0: return (long long)allocations.size();
    case 1: return (long long)pinned.size();
    case 2: return (long long)streams.size();
    case 3: return (long long)events.size();
    case 4: return (long long)contexts.size();
    case 5: return (long long)modules.size();
    case 6: return handles;
    case 7: return double_frees;
    case 8: return launches;
    case 9: return math_mode;
    case 10: return most_used;
    case 11: return copied_in;
    case 12: return copied_out;
    case 13: return products;
    case 14: return all_allocations;
    default: return -1;
  }
}

}  // extern "C"
