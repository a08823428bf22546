package org.pecf.plugin.backend.cuda.device;

import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_CLOCK_RATE;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import jcuda.driver.CUdevice;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import org.pecf.api.compute.Availability;
import org.pecf.api.compute.PeakRates;
import org.pecf.plugin.backend.cuda.device.NativeLibraries.Library;

/** The NVIDIA driver of this machine, and the reason why it cannot be used, if any. */
public final class Driver {
  /** The least version of CUDA that a driver must support: JCuda's libraries are of CUDA 12. */
  private static final int LEAST_VERSION = 12000;

  /** The least compute capability, for which the kernels are shipped. */
  private static final int LEAST_MAJOR = 5;

  private Driver() {}

  /** Return whether CUDA can be used here, with the device or the reason. */
  public static Availability probe(int ordinal) {
    try {
      Optional<String> problem = problem(ordinal);
      return problem.isPresent()
          ? new Availability(false, problem.get())
          : new Availability(true, describe(ordinal).toString());
    } catch (LinkageError | RuntimeException e) {
      return new Availability(false, "CUDA cannot be used: " + e);
    }
  }

  /** Return the peak rates of the first device. */
  public static Optional<PeakRates> peakRates(int ordinal) {
    return probe(ordinal).available()
        ? Optional.of(describe(ordinal).peakRates())
        : Optional.empty();
  }

  private static Optional<String> problem(int ordinal) {
    return libraries()
        .or(Driver::version)
        .or(Driver::devices)
        .or(() -> present(ordinal))
        .or(() -> capability(ordinal))
        .or(Driver::cublas);
  }

  private static Optional<String> libraries() {
    return NativeLibraries.problem(Library.DRIVER)
        .map(
            reason -> {
              if (reason.startsWith("JCuda has no")) {
                return String.format(
                    "CUDA is available on Linux and Windows on x86-64 processors only, not on %s"
                        + " (%s). Use the cpu backend.",
                    System.getProperty("os.name"), System.getProperty("os.arch"));
              }
              if (missing(reason, "libcuda.so")) {
                return String.format(
                    "There is no NVIDIA driver (libcuda does not load). Install one for CUDA %s or"
                        + " later, or use the cpu backend.",
                    DeviceDescription.version(LEAST_VERSION));
              }
              return String.format(
                  "JCuda's libraries do not load (%s). Set java.io.tmpdir to a folder from which"
                      + " programs may be loaded.",
                  reason);
            });
  }

  private static boolean missing(String reason, String library) {
    return reason.contains(library) || reason.contains("dependent libraries");
  }

  private static Optional<String> version() {
    int[] version = new int[1];
    int status = JCudaDriver.cuDriverGetVersion(version);
    if (status == CUresult.CUDA_SUCCESS && version[0] < LEAST_VERSION) {
      return Optional.of(
          String.format(
              "The NVIDIA driver supports CUDA %s only, and %s is needed. Update the driver to"
                  + " 525.60 or later, or use the cpu backend.",
              DeviceDescription.version(version[0]), DeviceDescription.version(LEAST_VERSION)));
    }
    return Optional.empty();
  }

  private static Optional<String> devices() {
    int status = JCudaDriver.cuInit(0);
    int[] count = {0};
    if (status == CUresult.CUDA_SUCCESS) {
      status = JCudaDriver.cuDeviceGetCount(count);
    }
    if (status == CUresult.CUDA_ERROR_NO_DEVICE
        || status == CUresult.CUDA_SUCCESS && count[0] == 0) {
      return Optional.of(
          "The NVIDIA driver finds no device. Check that nvidia-smi lists one and that"
              + " CUDA_VISIBLE_DEVICES does not hide it, or use the cpu backend.");
    }
    if (status != CUresult.CUDA_SUCCESS) {
      return Optional.of(
          String.format(
              "The NVIDIA driver does not start (%s). Check the output of nvidia-smi; after an"
                  + " update of the driver, restart the machine.",
              CUresult.stringFor(status)));
    }
    return Optional.empty();
  }

  private static Optional<String> present(int ordinal) {
    int count = count();
    return ordinal >= 0 && ordinal < count
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "There is no CUDA device %d. Choose a device from 0 to %d.",
                ordinal,
                count - 1));
  }

  private static Optional<String> capability(int ordinal) {
    DeviceDescription device = describe(ordinal);
    return device.major() >= LEAST_MAJOR
        ? Optional.empty()
        : Optional.of(
            String.format(
                "%s has compute capability %d.%d, and %d.0 is needed. Use the cpu backend.",
                device.name(), device.major(), device.minor(), LEAST_MAJOR));
  }

  private static Optional<String> cublas() {
    return NativeLibraries.problem(Library.CUBLAS)
        .map(
            reason ->
                missing(reason, "libcublas")
                    ? "cuBLAS 12 is not installed (libcublas.so.12 does not load; that of CUDA 13"
                        + " is another library). Install the package libcublas-12-6 of NVIDIA"
                        + " beside what is there, or the CUDA 12 toolkit, and name the folder of"
                        + " the library in LD_LIBRARY_PATH (on Windows, in PATH)."
                    : "JCuda's library for cuBLAS does not load (" + reason + ").");
  }

  /** Return the number of devices. The driver must be available. */
  static int count() {
    int[] count = new int[1];
    CudaFailure.check(JCudaDriver.cuDeviceGetCount(count), "counting devices");
    return count[0];
  }

  /** Return the properties of a device. The driver must be available. */
  static DeviceDescription describe(int ordinal) {
    CUdevice device = new CUdevice();
    CudaFailure.check(JCudaDriver.cuDeviceGet(device, ordinal), "finding device " + ordinal);
    byte[] name = new byte[256];
    CudaFailure.check(JCudaDriver.cuDeviceGetName(name, name.length, device), "naming a device");
    int length = 0;
    while (length < name.length && name[length] != 0) {
      length++;
    }
    long[] bytes = new long[1];
    CudaFailure.check(JCudaDriver.cuDeviceTotalMem(bytes, device), "asking for a device's memory");
    int[] version = new int[1];
    CudaFailure.check(JCudaDriver.cuDriverGetVersion(version), "asking for the driver's version");
    return new DeviceDescription(
        ordinal,
        new String(name, 0, length, StandardCharsets.UTF_8),
        attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
        attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
        bytes[0],
        attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
        attribute(device, CU_DEVICE_ATTRIBUTE_CLOCK_RATE),
        attribute(device, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE),
        attribute(device, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH),
        version[0]);
  }

  private static int attribute(CUdevice device, int attribute) {
    int[] value = new int[1];
    CudaFailure.check(
        JCudaDriver.cuDeviceGetAttribute(value, attribute, device), "describing a device");
    return value[0];
  }
}
