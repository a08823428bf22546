package org.pecf.plugin.backend.cuda.device;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;

/** The kernels compiled so far, by architecture: compiling takes a second or two. */
public final class CompiledKernels {
  private final Map<Integer, String> ptx = new ConcurrentHashMap<>();

  /** Return the kernels for an architecture, compiled at the first call. */
  String get(int architecture, IntFunction<String> compiler) {
    return ptx.computeIfAbsent(architecture, compiler::apply);
  }
}
