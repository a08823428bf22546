package org.pecf.plugin.backend.cuda.device;

import java.util.function.Supplier;
import jcuda.driver.CUresult;
import jcuda.jcublas.cublasStatus;
import org.pecf.api.PecfException;

/** A failed call of CUDA, which sessions explain. */
public class CudaFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CudaFailure(String call, String status) {
    super(call + " failed with " + status);
  }

  /** A failure for lack of memory on the device. */
  public static final class OutOfMemory extends CudaFailure {
    private static final long serialVersionUID = 1L;

    OutOfMemory(String call, String status) {
      super(call, status);
    }
  }

  /**
   * Do some work.
   *
   * @throws PecfException if a call of CUDA fails
   */
  public static <T> T explained(Supplier<T> work) {
    try {
      return work.get();
    } catch (OutOfMemory e) {
      throw PecfException.resources(
              "The CUDA device has too little free memory (%s). Close other programs on the"
                  + " device, lower the rank, or use the cpu backend.",
              e.getMessage())
          .causedBy(e);
    } catch (CudaFailure e) {
      throw PecfException.internal(
              "The CUDA device failed: %s. Use the cpu backend, and report the output of the cuda"
                  + " backend's self-test.",
              e.getMessage())
          .causedBy(e);
    }
  }

  /** Throw if a call of the driver failed. */
  static void check(int status, String call) {
    if (status == CUresult.CUDA_SUCCESS) {
      return;
    }
    String name = CUresult.stringFor(status);
    // Smaller launches also help a kernel without room for its stack or registers.
    if (status == CUresult.CUDA_ERROR_OUT_OF_MEMORY
        || status == CUresult.CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES) {
      throw new OutOfMemory(call, name);
    }
    throw new CudaFailure(call, name);
  }

  /** Throw if a call of cuBLAS failed. */
  static void checkProduct(int status, String call) {
    if (status == cublasStatus.CUBLAS_STATUS_SUCCESS) {
      return;
    }
    String name = cublasStatus.stringFor(status);
    if (status == cublasStatus.CUBLAS_STATUS_ALLOC_FAILED) {
      throw new OutOfMemory(call, name);
    }
    throw new CudaFailure(call, name);
  }
}
