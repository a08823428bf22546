package org.pecf.plugin.backend.cuda.device;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jcuda.Pointer;
import jcuda.driver.CUfunction;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * A queue of work for the device: copies, kernels and linear algebra, done in the order in which
 * they are added. The work of two streams may overlap. Nothing is done yet when a method returns,
 * unless it says so.
 */
public final class DeviceStream implements AutoCloseable {
  private final ShippedKernels kernels;
  private final CUstream stream;
  private final DeviceAlgebra algebra;
  private final Staging staging;

  private DeviceStream(
      ShippedKernels kernels, CUstream stream, DeviceAlgebra algebra, Staging staging) {
    this.kernels = kernels;
    this.stream = stream;
    this.algebra = algebra;
    this.staging = staging;
  }

  static DeviceStream open(ShippedKernels kernels, BufferAllocator allocator, int mathMode) {
    CUstream stream = new CUstream();
    CudaFailure.check(
        JCudaDriver.cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING),
        "creating a stream");
    try {
      DeviceAlgebra algebra = DeviceAlgebra.open(stream, mathMode);
      return new DeviceStream(kernels, stream, algebra, new Staging(allocator, stream));
    } catch (RuntimeException e) {
      JCudaDriver.cuStreamDestroy(stream);
      throw e;
    }
  }

  /** Return the linear algebra on this stream. */
  public DeviceAlgebra algebra() {
    return algebra;
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
    upload(target, 0, source);
  }

  /** Copy ints to the device, from a byte on; the array may be changed when this returns. */
  public void upload(DeviceMemory target, long offset, int[] source) {
    staging.upload(
        target,
        offset,
        (long) source.length * Integer.BYTES,
        (first, count, address) ->
            buffer(address, count)
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
            buffer(address, count)
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
            buffer(address, count)
                .asFloatBuffer()
                .put(source, (int) (first / Float.BYTES), (int) (count / Float.BYTES)));
  }

  /** Wait for all work added so far, then copy bytes from the device. */
  public void download(DeviceMemory source, long offset, long target, long bytes) {
    staging.download(
        source,
        offset,
        bytes,
        (first, count, address) -> MemoryUtil.copyMemory(address, target + first, count));
  }

  /** Wait for all work added so far, then copy floats from the device. */
  public void download(DeviceMemory source, long offset, float[] target, int count) {
    staging.download(
        source,
        offset,
        (long) count * Float.BYTES,
        (first, bytes, address) ->
            buffer(address, bytes)
                .asFloatBuffer()
                .get(target, (int) (first / Float.BYTES), (int) (bytes / Float.BYTES)));
  }

  /** Wait for all work added so far, then copy doubles from the device. */
  public void download(DeviceMemory source, double[] target) {
    staging.download(
        source,
        0,
        (long) target.length * Double.BYTES,
        (first, bytes, address) ->
            buffer(address, bytes)
                .asDoubleBuffer()
                .get(target, (int) (first / Double.BYTES), (int) (bytes / Double.BYTES)));
  }

  /** Wait for all work added so far, then copy longs from the device. */
  public void download(DeviceMemory source, long[] target) {
    staging.download(
        source,
        0,
        (long) target.length * Long.BYTES,
        (first, bytes, address) ->
            buffer(address, bytes)
                .asLongBuffer()
                .get(target, (int) (first / Long.BYTES), (int) (bytes / Long.BYTES)));
  }

  /** Wait for all work added so far, then copy ints from the device. */
  public void download(DeviceMemory source, long offset, int[] target, int count) {
    staging.download(
        source,
        offset,
        (long) count * Integer.BYTES,
        (first, bytes, address) ->
            buffer(address, bytes)
                .asIntBuffer()
                .get(target, (int) (first / Integer.BYTES), (int) (bytes / Integer.BYTES)));
  }

  /** Copy from pinned memory, which must not change until the stream has been waited for. */
  public void copyIn(PinnedMemory source, DeviceMemory target, long bytes) {
    CudaFailure.check(
        JCudaDriver.cuMemcpyHtoDAsync(target.at(0, bytes), source.at(0, bytes), bytes, stream),
        "copying " + bytes + " bytes to the device");
  }

  /** Copy to pinned memory, which is not valid until the stream has been waited for. */
  public void copyOut(DeviceMemory source, PinnedMemory target, long bytes) {
    CudaFailure.check(
        JCudaDriver.cuMemcpyDtoHAsync(target.at(0, bytes), source.at(0, bytes), bytes, stream),
        "copying " + bytes + " bytes from the device");
  }

  /** Set words of four bytes to zero. */
  public void clear(DeviceMemory target, long words) {
    clear(target, 0, words);
  }

  /** Set words of four bytes to zero, from a byte on. */
  public void clear(DeviceMemory target, long offset, long words) {
    if (words > 0) {
      CudaFailure.check(
          JCudaDriver.cuMemsetD32Async(target.at(offset, words * 4), 0, words, stream),
          "clearing memory");
    }
  }

  /**
   * Launch a kernel.
   *
   * @param name the kernel's name
   * @param grid the blocks and threads
   * @param sharedBytes the dynamic shared memory of a block
   * @param arguments the arguments in the kernel's order and of its types: {@link DeviceMemory} or
   *     {@link DeviceSlice} for pointers, else numbers
   */
  public void launch(String name, LaunchGrid grid, int sharedBytes, Object... arguments) {
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

  private static Pointer value(Object argument) {
    if (argument instanceof DeviceMemory memory) {
      return Pointer.to(new long[] {memory.address()});
    }
    if (argument instanceof DeviceSlice slice) {
      return Pointer.to(new long[] {slice.address()});
    }
    if (argument instanceof Long whole) {
      return Pointer.to(new long[] {whole});
    }
    if (argument instanceof Float real) {
      return Pointer.to(new float[] {real});
    }
    if (argument instanceof Double real) {
      return Pointer.to(new double[] {real});
    }
    return Pointer.to(new int[] {(Integer) argument});
  }

  /** Wait for all work added so far. */
  public void await() {
    CudaFailure.check(JCudaDriver.cuStreamSynchronize(stream), "waiting for the device");
  }

  /** Return a view of memory of the host. */
  private static ByteBuffer buffer(long address, long bytes) {
    return MemoryUtil.directBuffer(address, (int) bytes).order(ByteOrder.nativeOrder());
  }

  /** Wait for all work added so far, whether it succeeds or not. */
  void settle() {
    JCudaDriver.cuStreamSynchronize(stream);
  }

  @Override
  public void close() {
    settle();
    staging.close();
    algebra.close();
    JCudaDriver.cuStreamDestroy(stream);
  }
}
