package org.pecf.plugin.backend.cuda.device;

import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;

/**
 * Memory of the device. It is used and closed on the thread where its {@link Device} is current.
 */
public final class DeviceMemory implements AutoCloseable {
  private final Start start;
  private final long bytes;

  /** An address that the driver sets. */
  private static final class Start extends CUdeviceptr {
    long address() {
      return getNativePointer();
    }
  }

  private DeviceMemory(Start start, long bytes) {
    this.start = start;
    this.bytes = bytes;
  }

  /**
   * Allocate memory of any content; at least one byte.
   *
   * @throws CudaFailure.OutOfMemory if the device has less
   */
  static DeviceMemory allocate(long bytes) {
    Start start = new Start();
    long size = Math.max(1, bytes);
    CudaFailure.check(JCudaDriver.cuMemAlloc(start, size), "allocating " + size + " bytes");
    return new DeviceMemory(start, size);
  }

  /** Return a view of all of it. */
  public DeviceSlice slice() {
    return new DeviceSlice(address(), bytes);
  }

  /** Return a view of a part of it. */
  public DeviceSlice slice(long offset, long count) {
    return slice().slice(offset, count);
  }

  /** Return a view of the rest of it from a byte on. */
  public DeviceSlice from(long offset) {
    return slice().from(offset);
  }

  /** Return the address of the first byte, valid on the device alone. */
  public long address() {
    return start.address();
  }

  CUdeviceptr at(long offset, long count) {
    if (offset < 0 || count < 0 || offset + count > bytes) {
      throw new IndexOutOfBoundsException(
          count + " bytes from " + offset + " are not within " + bytes);
    }
    return offset == 0 ? start : start.withByteOffset(offset);
  }

  @Override
  public void close() {
    // A broken device fails at every call; its memory goes with its context.
    JCudaDriver.cuMemFree(start);
  }
}
