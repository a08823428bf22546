package org.pecf.plugin.backend.cuda;

import org.pecf.api.plugin.Option;

/**
 * The options of the CUDA backend.
 *
 * @param device the device, counted from 0
 * @param math the precision of products
 * @param kernels the origin of the kernels
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
  /** The precisions of products. */
  enum Math {
    FULL,
    TF32
  }

  /** The origins of kernels. */
  enum Kernels {
    AUTO,
    SOURCE,
    PTX
  }
}
