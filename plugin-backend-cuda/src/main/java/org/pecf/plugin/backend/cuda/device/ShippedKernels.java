package org.pecf.plugin.backend.cuda.device;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import jcuda.Pointer;
import jcuda.driver.CUfunction;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;
import org.pecf.api.PecfException;

/** The shipped kernels, loaded by the driver. */
final class ShippedKernels implements AutoCloseable {
  private static final String SHIPPED = "/org/pecf/plugin/backend/cuda/pecf-kernels.ptx.gz";

  /** The shared memory that a kernel can have without opting in to more. */
  private static final int PLAIN_SHARED_BYTES = 48 << 10;

  private final CUmodule module;
  private final Map<String, CUfunction> functions = new HashMap<>();
  private final Map<String, Integer> sharedBytes = new HashMap<>();

  private ShippedKernels(CUmodule module) {
    this.module = module;
  }

  /** Load the kernels; the driver makes them ready, and keeps the result on disk. */
  static ShippedKernels load() {
    CUmodule module = new CUmodule();
    CudaFailure.check(
        JCudaDriver.cuModuleLoadDataEx(module, ptx(), 0, new int[0], null), "loading the kernels");
    return new ShippedKernels(module);
  }

  /** Return the text of the kernels, which ends with a zero. */
  private static Pointer ptx() {
    try (InputStream compressed = ShippedKernels.class.getResourceAsStream(SHIPPED)) {
      if (compressed == null) {
        throw PecfException.internal(
            "The plugin lacks its file %s. Install the plugin again.", SHIPPED);
      }
      byte[] text = new GZIPInputStream(compressed).readAllBytes();
      return Pointer.to(Arrays.copyOf(text, text.length + 1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Return a kernel, opted in to the shared memory it is launched with. */
  CUfunction function(String name, int shared) {
    CUfunction function = functions.get(name);
    if (function == null) {
      function = new CUfunction();
      CudaFailure.check(
          JCudaDriver.cuModuleGetFunction(function, module, name), "finding kernel " + name);
      functions.put(name, function);
    }
    if (shared > Math.max(PLAIN_SHARED_BYTES, sharedBytes.getOrDefault(name, 0))) {
      CudaFailure.check(
          JCudaDriver.cuFuncSetAttribute(
              function,
              CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
              shared),
          "giving kernel " + name + " shared memory");
      sharedBytes.put(name, shared);
    }
    return function;
  }

  @Override
  public void close() {
    JCudaDriver.cuModuleUnload(module);
  }
}
