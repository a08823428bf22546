package org.pecf.plugin.backend.cuda.device;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The kernels compiled so far, by architecture and name: compiling takes a second or two. */
public final class CompiledKernels {
  private final Map<String, String> ptx = new ConcurrentHashMap<>();

  /** Return the kernels of a name for an architecture, compiled at the first call. */
  String get(int architecture, String name, Supplier<String> compiler) {
    return ptx.computeIfAbsent(architecture + " " + name, key -> compiler.get());
  }
}
