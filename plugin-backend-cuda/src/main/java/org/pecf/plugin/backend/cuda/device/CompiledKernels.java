package org.pecf.plugin.backend.cuda.device;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;

/**
 * Remember the kernels that were compiled, by architecture: that takes a second or two each time.
 */
public final class CompiledKernels {
  private final Map<Integer, String> ptx = new ConcurrentHashMap<>();

  /** Return the kernels for an architecture, compiled if they have not been yet. */
  String get(int architecture, IntFunction<String> compiler) {
    return ptx.computeIfAbsent(architecture, compiler::apply);
  }
}
