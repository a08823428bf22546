package org.pecf.plugin.backend.cuda;

import jcuda.jcublas.cublasMath;
import org.pecf.api.plugin.Option;

/**
 * The options of the CUDA backend.
 *
 * @param device the device, counted from 0
 * @param math the precision of products
 */
record CudaOptions(
    @Option(value = "the device, counted from 0", defaultValue = "0") int device,
    @Option(
            value =
                "products in full float32; pedantic: without cuBLAS's own shortcuts; or tf32:"
                    + " faster, of about three decimal digits",
            defaultValue = "full")
        Math math) {
  /** The precisions of products. */
  enum Math {
    FULL(cublasMath.CUBLAS_DEFAULT_MATH),
    PEDANTIC(cublasMath.CUBLAS_PEDANTIC_MATH),
    TF32(cublasMath.CUBLAS_TF32_TENSOR_OP_MATH);

    private final int cublasMode;

    Math(int cublasMode) {
      this.cublasMode = cublasMode;
    }

    /** Return the name of cuBLAS for it. */
    int cublasMode() {
      return cublasMode;
    }
  }
}
