package org.pecf.plugin.backend.cuda;

import org.pecf.api.plugin.Option;

/**
 * Set up the CUDA backend.
 *
 * @param device which device, counted from 0
 * @param math how precise products are
 * @param kernels where kernels come from
 */
record CudaOptions(
    @Option(value = "the device, counted from 0", defaultValue = "0") int device,
    @Option(
            value = "products in full float32, or tf32: faster, of about three decimal digits",
            defaultValue = "full")
        Math math,
    @Option(
            value = "source: compiled here; ptx: as shipped; auto: compiled where NVRTC loads",
            defaultValue = "auto")
        Kernels kernels) {
  /** Name the ways to multiply. */
  enum Math {
    FULL,
    TF32
  }

  /** Name the origins of kernels. */
  enum Kernels {
    AUTO,
    SOURCE,
    PTX
  }
}
