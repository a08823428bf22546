package org.pecf.plugin.backend.cuda.device;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import jcuda.driver.CUfunction;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;
import jcuda.nvrtc.JNvrtc;
import jcuda.nvrtc.nvrtcProgram;
import jcuda.nvrtc.nvrtcResult;
import org.pecf.api.PecfException;

/** The kernels: as shipped, or compiled for the device. */
final class Kernels implements AutoCloseable {
  private static final String SOURCE = "pecf-kernels.cu";
  private static final String SHIPPED = "pecf-kernels.ptx";

  /** The shared memory that a kernel can have without opting in to more. */
  private static final int PLAIN_SHARED_BYTES = 48 << 10;

  private final CUmodule module;
  private final Map<String, CUfunction> functions = new HashMap<>();
  private final Map<String, Integer> sharedBytes = new HashMap<>();

  private Kernels(CUmodule module) {
    this.module = module;
  }

  /** Load the shipped kernels; the driver makes them ready, and keeps the result on disk. */
  static Kernels shipped() {
    return new Kernels(module(resource(SHIPPED)));
  }

  /** Compile the kernels for a device. */
  static Kernels compiled(DeviceDescription device, CompiledKernels compiled) {
    if (!Driver.compiles()) {
      throw PecfException.unavailable(
          "Kernels cannot be compiled here: NVRTC 12 does not load. Install it with the CUDA 12"
              + " toolkit, or leave the option kernels at ptx.");
    }
    return new Kernels(module(compiled.get(architecture(device), Kernels::compile)));
  }

  private static String resource(String name) {
    try (InputStream text =
        Device.class.getResourceAsStream("/org/pecf/plugin/backend/cuda/" + name)) {
      if (text == null) {
        throw PecfException.internal(
            "The plugin lacks its file %s. Install the plugin again.", name);
      }
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static CUmodule module(String ptx) {
    CUmodule module = new CUmodule();
    CudaFailure.check(
        JCudaDriver.cuModuleLoadDataEx(module, ptx, 0, new int[0], null), "loading the kernels");
    return module;
  }

  private static String compile(int architecture) {
    nvrtcProgram program = new nvrtcProgram();
    CudaFailure.checkCompiler(
        JNvrtc.nvrtcCreateProgram(program, resource(SOURCE), SOURCE, 0, null, null),
        "reading the kernels");
    try {
      String[] options = {
        "--gpu-architecture=compute_" + architecture, "--std=c++17", "--fmad=false"
      };
      int status = JNvrtc.nvrtcCompileProgram(program, options.length, options);
      if (status != 0) {
        String[] log = new String[1];
        JNvrtc.nvrtcGetProgramLog(program, log);
        throw new CudaFailure(
            "compiling the kernels", nvrtcResult.stringFor(status) + ": " + log[0]);
      }
      String[] ptx = new String[1];
      CudaFailure.checkCompiler(JNvrtc.nvrtcGetPTX(program, ptx), "compiling the kernels");
      return ptx[0];
    } finally {
      JNvrtc.nvrtcDestroyProgram(program);
    }
  }

  /** Return the newest architecture that both the compiler and the device support. */
  private static int architecture(DeviceDescription device) {
    int own = device.major() * 10 + device.minor();
    int[] count = new int[1];
    if (JNvrtc.nvrtcGetNumSupportedArchs(count) != 0) {
      return own;
    }
    int[] known = new int[count[0]];
    if (JNvrtc.nvrtcGetSupportedArchs(known) != 0) {
      return own;
    }
    int best = 0;
    for (int architecture : known) {
      best = architecture <= own ? Math.max(best, architecture) : best;
    }
    return best == 0 ? own : best;
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
