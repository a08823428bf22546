package org.pecf.plugin.backend.cpu;

import org.pecf.api.plugin.Option;

/** The options of the CPU backend. */
record CpuOptions(
    @Option(
            value = "linear algebra: openblas, ejml, or auto for OpenBLAS where it loads",
            defaultValue = "auto")
        Library library) {
  /** The libraries. */
  enum Library {
    AUTO,
    OPENBLAS,
    EJML
  }
}
