package org.pecf.plugin.backend.cuda.device;

import java.nio.ByteOrder;
import jcuda.Pointer;
import jcuda.driver.CUfunction;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;
import jcuda.jcublas.JCublas2;
import jcuda.jcublas.cublasDiagType;
import jcuda.jcublas.cublasFillMode;
import jcuda.jcublas.cublasHandle;
import jcuda.jcublas.cublasOperation;
import jcuda.jcublas.cublasSideMode;
import jcuda.runtime.cudaStream_t;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Give work to the device, done in the order it is given; the work of two lanes may overlap.
 *
 * <p>Matrices are of floats, row after row. Nothing is done when a method returns unless it says
 * so.
 */
public final class Lane implements AutoCloseable {
  private final Kernels kernels;
  private final CUstream stream;
  private final cublasHandle products;
  private final Staging staging;

  private Lane(Kernels kernels, CUstream stream, cublasHandle products, Staging staging) {
    this.kernels = kernels;
    this.stream = stream;
    this.products = products;
    this.staging = staging;
  }

  static Lane open(Kernels kernels, BufferAllocator allocator, int mathMode) {
    CUstream stream = new CUstream();
    CudaFailure.check(
        JCudaDriver.cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING),
        "creating a stream");
    cublasHandle products = new cublasHandle();
    try {
      CudaFailure.checkProduct(JCublas2.cublasCreate(products), "starting cuBLAS");
    } catch (RuntimeException e) {
      JCudaDriver.cuStreamDestroy(stream);
      throw e;
    }
    Lane lane = new Lane(kernels, stream, products, new Staging(allocator, stream));
    try {
      CudaFailure.checkProduct(
          JCublas2.cublasSetStream(products, new cudaStream_t(stream)), "giving cuBLAS a stream");
      CudaFailure.checkProduct(
          JCublas2.cublasSetMathMode(products, mathMode), "setting cuBLAS's math mode");
      return lane;
    } catch (RuntimeException e) {
      lane.close();
      throw e;
    }
  }

  /**
   * Copy bytes to the device; the source may be changed when this returns.
   *
   * @param source address of the first byte. Not modified.
   */
  public void upload(DeviceMemory target, long offset, long source, long bytes) {
    staging.upload(
        target,
        offset,
        bytes,
        (first, count, address) -> MemoryUtil.copyMemory(source + first, address, count));
  }

  /** Copy ints to the device; the array may be changed when this returns. */
  public void upload(DeviceMemory target, int[] source) {
    staging.upload(
        target,
        0,
        (long) source.length * Integer.BYTES,
        (first, count, address) ->
            MemoryUtil.directBuffer(address, (int) count)
                .order(ByteOrder.nativeOrder())
                .asIntBuffer()
                .put(source, (int) (first / Integer.BYTES), (int) (count / Integer.BYTES)));
  }

  /** Copy longs to the device; the array may be changed when this returns. */
  public void upload(DeviceMemory target, long[] source) {
    staging.upload(
        target,
        0,
        (long) source.length * Long.BYTES,
        (first, count, address) ->
            MemoryUtil.directBuffer(address, (int) count)
                .order(ByteOrder.nativeOrder())
                .asLongBuffer()
                .put(source, (int) (first / Long.BYTES), (int) (count / Long.BYTES)));
  }

  /** Copy floats to the device; the array may be changed when this returns. */
  public void upload(DeviceMemory target, long offset, float[] source) {
    staging.upload(
        target,
        offset,
        (long) source.length * Float.BYTES,
        (first, count, address) ->
            MemoryUtil.directBuffer(address, (int) count)
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer()
                .put(source, (int) (first / Float.BYTES), (int) (count / Float.BYTES)));
  }

  /** Wait for the work given so far, then copy bytes from the device. */
  public void download(DeviceMemory source, long offset, long target, long bytes) {
    staging.download(
        source,
        offset,
        bytes,
        (first, count, address) -> MemoryUtil.copyMemory(address, target + first, count));
  }

  /** Wait for the work given so far, then copy floats from the device. */
  public void download(DeviceMemory source, long offset, float[] target, int count) {
    staging.download(
        source,
        offset,
        (long) count * Float.BYTES,
        (first, bytes, address) ->
            MemoryUtil.directBuffer(address, (int) bytes)
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer()
                .get(target, (int) (first / Float.BYTES), (int) (bytes / Float.BYTES)));
  }

  /** Wait for the work given so far, then copy doubles from the device. */
  public void download(DeviceMemory source, double[] target) {
    staging.download(
        source,
        0,
        (long) target.length * Double.BYTES,
        (first, bytes, address) ->
            MemoryUtil.directBuffer(address, (int) bytes)
                .order(ByteOrder.nativeOrder())
                .asDoubleBuffer()
                .get(target, (int) (first / Double.BYTES), (int) (bytes / Double.BYTES)));
  }

  /** Wait for the work given so far, then copy longs from the device. */
  public void download(DeviceMemory source, long[] target) {
    staging.download(
        source,
        0,
        (long) target.length * Long.BYTES,
        (first, bytes, address) ->
            MemoryUtil.directBuffer(address, (int) bytes)
                .order(ByteOrder.nativeOrder())
                .asLongBuffer()
                .get(target, (int) (first / Long.BYTES), (int) (bytes / Long.BYTES)));
  }

  /** Wait for the work given so far, then copy ints from the device. */
  public void download(DeviceMemory source, long offset, int[] target, int count) {
    staging.download(
        source,
        offset,
        (long) count * Integer.BYTES,
        (first, bytes, address) ->
            MemoryUtil.directBuffer(address, (int) bytes)
                .order(ByteOrder.nativeOrder())
                .asIntBuffer()
                .get(target, (int) (first / Integer.BYTES), (int) (bytes / Integer.BYTES)));
  }

  /** Copy from pinned memory, which must stay as it is until the lane has been waited for. */
  public void copyIn(PinnedMemory source, DeviceMemory target, long bytes) {
    CudaFailure.check(
        JCudaDriver.cuMemcpyHtoDAsync(target.at(0, bytes), source.at(0, bytes), bytes, stream),
        "copying " + bytes + " bytes to the device");
  }

  /** Copy to pinned memory, which is of no use until the lane has been waited for. */
  public void copyOut(DeviceMemory source, PinnedMemory target, long bytes) {
    CudaFailure.check(
        JCudaDriver.cuMemcpyDtoHAsync(target.at(0, bytes), source.at(0, bytes), bytes, stream),
        "copying " + bytes + " bytes from the device");
  }

  /** Set words of four bytes to zero. */
  public void clear(DeviceMemory target, long words) {
    if (words > 0) {
      CudaFailure.check(
          JCudaDriver.cuMemsetD32Async(target.at(0, words * 4), 0, words, stream),
          "clearing memory");
    }
  }

  /**
   * Launch a kernel.
   *
   * @param name the kernel's name
   * @param grid how many blocks of how many threads
   * @param sharedBytes how much shared memory is asked for at run time
   * @param arguments in the kernel's order and of its types: addresses are longs
   */
  public void launch(String name, Grid grid, int sharedBytes, Number... arguments) {
    if (grid.blocksX() == 0 || grid.blocksY() == 0) {
      return;
    }
    CUfunction function = kernels.function(name, sharedBytes);
    Pointer[] values = new Pointer[arguments.length];
    for (int k = 0; k < values.length; k++) {
      values[k] = value(arguments[k]);
    }
    CudaFailure.check(
        JCudaDriver.cuLaunchKernel(
            function,
            grid.blocksX(),
            grid.blocksY(),
            1,
            grid.threadsX(),
            grid.threadsY(),
            1,
            sharedBytes,
            stream,
            Pointer.to(values),
            null),
        "launching " + name);
  }

  /** Count the blocks and threads of a launch. */
  public record Grid(int blocksX, int blocksY, int threadsX, int threadsY) {
    /** The threads of a block: THREADS of the kernels' source. */
    public static final int THREADS = 256;

    /** More blocks than any device runs at once; those that there are take more rows each. */
    private static final int MOST_BLOCKS = 1 << 14;

    /** Return a block for each row. */
    public static Grid rows(int rows) {
      return new Grid(Math.min(rows, MOST_BLOCKS), 1, THREADS, 1);
    }

    /** Return a thread for each element. */
    public static Grid elements(long elements) {
      return rows((int) Math.min(MOST_BLOCKS, (elements + THREADS - 1) / THREADS));
    }
  }

  private static Pointer value(Number argument) {
    if (argument instanceof Long address) {
      return Pointer.to(new long[] {address});
    }
    if (argument instanceof Float real) {
      return Pointer.to(new float[] {real});
    }
    if (argument instanceof Double real) {
      return Pointer.to(new double[] {real});
    }
    return Pointer.to(new int[] {(Integer) argument});
  }

  /** One matrix of a product: where it is, and how many floats its rows are apart. */
  public record Operand(long address, int stride) {}

  /**
   * Multiply: {@code C = alpha op(A) op(B) + beta C}, op(A) of rows x inner and op(B) of inner x
   * columns.
   *
   * @param transposeA whether A is stored as inner x rows
   * @param transposeB whether B is stored as columns x inner
   */
  public void multiply(
      boolean transposeA,
      boolean transposeB,
      int rows,
      int columns,
      int inner,
      float alpha,
      Operand a,
      Operand b,
      float beta,
      Operand c) {
    if (rows == 0 || columns == 0) {
      return;
    }
    // cuBLAS counts by columns: what it is shown is the transpose of everything.
    CudaFailure.checkProduct(
        JCublas2.cublasSgemm(
            products,
            transposeB ? cublasOperation.CUBLAS_OP_T : cublasOperation.CUBLAS_OP_N,
            transposeA ? cublasOperation.CUBLAS_OP_T : cublasOperation.CUBLAS_OP_N,
            columns,
            rows,
            inner,
            Pointer.to(new float[] {alpha}),
            new PinnedMemory.Address(b.address()),
            b.stride(),
            new PinnedMemory.Address(a.address()),
            a.stride(),
            Pointer.to(new float[] {beta}),
            new PinnedMemory.Address(c.address()),
            c.stride()),
        "multiplying " + rows + " x " + inner + " by " + inner + " x " + columns);
  }

  /**
   * Solve triangular systems in place: {@code U' X = B} or {@code U X = B}, row after row.
   *
   * @param transpose whether U is transposed
   * @param order the order of U, of which the upper triangle is read
   * @param columns the columns of B
   * @param b B, replaced by X
   */
  public void solveTriangular(boolean transpose, int order, int columns, Operand u, Operand b) {
    if (order == 0 || columns == 0) {
      return;
    }
    // By columns U is the lower triangle L = U', and X' L' = B' or X' L = B'.
    CudaFailure.checkProduct(
        JCublas2.cublasStrsm(
            products,
            cublasSideMode.CUBLAS_SIDE_RIGHT,
            cublasFillMode.CUBLAS_FILL_MODE_LOWER,
            transpose ? cublasOperation.CUBLAS_OP_T : cublasOperation.CUBLAS_OP_N,
            cublasDiagType.CUBLAS_DIAG_NON_UNIT,
            columns,
            order,
            Pointer.to(new float[] {1}),
            new PinnedMemory.Address(u.address()),
            u.stride(),
            new PinnedMemory.Address(b.address()),
            b.stride()),
        "solving triangular systems of order " + order);
  }

  /** Wait for the work given so far. */
  public void await() {
    CudaFailure.check(JCudaDriver.cuStreamSynchronize(stream), "waiting for the device");
  }

  CUstream stream() {
    return stream;
  }

  @Override
  public void close() {
    JCudaDriver.cuStreamSynchronize(stream);
    staging.close();
    JCublas2.cublasDestroy(products);
    JCudaDriver.cuStreamDestroy(stream);
  }
}
