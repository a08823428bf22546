package org.pecf.plugin.backend.cuda.device;

import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;

/** Own a piece of the device's memory. Use and close it where its {@link Device} is current. */
public final class DeviceMemory implements AutoCloseable {
  private final Start start;
  private final long bytes;

  /** An address that the driver fills in. */
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
   * @throws CudaFailure.OutOfMemory if there is not so much
   */
  static DeviceMemory allocate(long bytes) {
    Start start = new Start();
    long size = Math.max(1, bytes);
    CudaFailure.check(JCudaDriver.cuMemAlloc(start, size), "allocating " + size + " bytes");
    return new DeviceMemory(start, size);
  }

  /** Return the address of a byte, of meaning to the device alone. */
  public long address(long offset) {
    return start.address() + offset;
  }

  /** Return the address of the first byte, of meaning to the device alone. */
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
    // A broken device says so at every call; it is destroyed with its context.
    JCudaDriver.cuMemFree(start);
  }
}
