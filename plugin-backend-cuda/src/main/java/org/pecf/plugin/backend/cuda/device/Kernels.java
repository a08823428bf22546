package org.pecf.plugin.backend.cuda.device;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import jcuda.driver.CUfunction;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;
import jcuda.nvrtc.JNvrtc;
import jcuda.nvrtc.nvrtcProgram;
import jcuda.nvrtc.nvrtcResult;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;

/**
 * The kernels: as shipped, or compiled for the device. Where kernels are compiled, more of them can
 * be defined.
 */
final class Kernels implements AutoCloseable {
  private static final String SOURCE = "pecf-kernels.cu";
  private static final String SHIPPED = "pecf-kernels.ptx";

  /** The line that starts a section of the source. */
  private static final String SECTION = "// -----";

  /** The start of a kernel in the source. */
  private static final String KERNEL = "extern \"C\" __global__";

  /** The shared memory that a kernel can have without opting in to more. */
  private static final int PLAIN_SHARED_BYTES = 48 << 10;

  private final CUmodule module;
  private final @Nullable Compiler compiler;
  private final Map<String, Optional<CUmodule>> defined = new HashMap<>();
  private final Map<String, CUfunction> functions = new HashMap<>();
  private final Map<String, Integer> sharedBytes = new HashMap<>();

  private Kernels(CUmodule module, @Nullable Compiler compiler) {
    this.module = module;
    this.compiler = compiler;
  }

  /** Load the shipped kernels; the driver makes them ready, and keeps the result on disk. */
  static Kernels shipped() {
    return new Kernels(module(resource(SHIPPED)), null);
  }

  /** Compile the kernels for a device. */
  static Kernels compiled(DeviceDescription device, CompiledKernels compiled) {
    if (!Driver.compiles()) {
      throw PecfException.unavailable(
          "Kernels cannot be compiled here: NVRTC 12 does not load. Install it with the CUDA 12"
              + " toolkit, or leave the option kernels at ptx.");
    }
    Compiler compiler = new Compiler(architecture(device), compiled);
    return new Kernels(module(compiler.ptx(SOURCE, resource(SOURCE))), compiler);
  }

  /** Return whether more kernels can be defined. */
  boolean extensible() {
    return compiler != null;
  }

  /**
   * Define a kernel, unless that was done or tried before.
   *
   * @param name the kernel's name, under which it is launched
   * @param text the kernel's source, which may use all that is above the first kernel of the
   *     kernels' own source
   * @param complaint receives the reason if it cannot be compiled
   * @return whether it can be launched
   */
  boolean define(String name, String text, Consumer<String> complaint) {
    if (compiler == null) {
      return false;
    }
    Optional<CUmodule> known = defined.get(name);
    if (known == null) {
      known = load(compiler, name, text, complaint);
      defined.put(name, known);
    }
    return known.isPresent();
  }

  private static Optional<CUmodule> load(
      Compiler compiler, String name, String text, Consumer<String> complaint) {
    try {
      return Optional.of(module(compiler.ptx(name, sharedSource() + text)));
    } catch (CudaFailure e) {
      complaint.accept(e.status().lines().findFirst().orElse("no reason given"));
      return Optional.empty();
    }
  }

  /** Return the source up to the section of the first kernel. */
  private static String sharedSource() {
    String all = resource(SOURCE);
    return all.substring(0, all.lastIndexOf(SECTION, all.indexOf(KERNEL)));
  }

  /** The run-time compiler for one architecture. */
  private record Compiler(int architecture, CompiledKernels compiled) {
    String ptx(String name, String source) {
      return compiled.get(architecture, name, () -> compile(architecture, name, source));
    }
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

  private static String compile(int architecture, String name, String source) {
    nvrtcProgram program = new nvrtcProgram();
    CudaFailure.checkCompiler(
        JNvrtc.nvrtcCreateProgram(program, source, name, 0, null, null), "reading the kernels");
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
          JCudaDriver.cuModuleGetFunction(
              function, defined.getOrDefault(name, Optional.empty()).orElse(module), name),
          "finding kernel " + name);
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
    defined.values().forEach(known -> known.ifPresent(JCudaDriver::cuModuleUnload));
    JCudaDriver.cuModuleUnload(module);
  }
}
