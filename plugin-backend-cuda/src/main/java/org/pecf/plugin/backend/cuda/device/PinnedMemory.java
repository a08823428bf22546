package org.pecf.plugin.backend.cuda.device;

import jcuda.Pointer;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Memory of the run's budget that the device accesses directly: whole pages, locked in place. Where
 * the system does not let them be locked, copies wait for the driver, which is slower.
 *
 * <p>The device may still be reading or writing after a call returns: wait for the stream before
 * the content is used, changed or released.
 */
public final class PinnedMemory implements AutoCloseable {
  private static final long PAGE = 4096;

  private final ArrowBuf buffer;
  private final long address;
  private final long bytes;
  private final boolean locked;

  private PinnedMemory(ArrowBuf buffer, long address, long bytes, boolean locked) {
    this.buffer = buffer;
    this.address = address;
    this.bytes = bytes;
    this.locked = locked;
  }

  /** Allocate memory of any content. */
  static PinnedMemory allocate(BufferAllocator allocator, long bytes) {
    long size = (Math.max(1, bytes) + PAGE - 1) / PAGE * PAGE;
    ArrowBuf buffer = allocator.buffer(size + PAGE);
    long address = (buffer.memoryAddress() + PAGE - 1) / PAGE * PAGE;
    int status = JCudaDriver.cuMemHostRegister(new Address(address), size, 0);
    boolean refused =
        status == CUresult.CUDA_ERROR_OUT_OF_MEMORY
            || status == CUresult.CUDA_ERROR_NOT_SUPPORTED
            || status == CUresult.CUDA_ERROR_OPERATING_SYSTEM;
    try {
      CudaFailure.check(refused ? CUresult.CUDA_SUCCESS : status, "pinning " + size + " bytes");
    } catch (RuntimeException e) {
      buffer.close();
      throw e;
    }
    return new PinnedMemory(buffer, address, size, !refused);
  }

  /** A pointer to memory of the host. */
  static final class Address extends Pointer {
    Address(long address) {
      super(address);
    }
  }

  /** Return the address of a byte. */
  public long address(long offset) {
    return address + offset;
  }

  /** Return the number of bytes. */
  public long bytes() {
    return bytes;
  }

  Pointer at(long offset, long count) {
    if (offset < 0 || count < 0 || offset + count > bytes) {
      throw new IndexOutOfBoundsException(
          count + " bytes from " + offset + " are not within " + bytes);
    }
    return new Address(address + offset);
  }

  @Override
  public void close() {
    if (locked) {
      JCudaDriver.cuMemHostUnregister(new Address(address));
    }
    buffer.close();
  }
}
