package org.pecf.plugin.backend.cpu;

import org.pecf.api.plugin.Option;

/**
 * Set up the CPU backend.
 *
 * @param library which linear algebra to use
 */
record CpuOptions(
    @Option(
            value = "linear algebra: openblas, ejml, or auto for OpenBLAS where it loads",
            defaultValue = "auto")
        Library library) {
  /** Name the libraries. */
  enum Library {
    AUTO,
    OPENBLAS,
    EJML
  }
}
