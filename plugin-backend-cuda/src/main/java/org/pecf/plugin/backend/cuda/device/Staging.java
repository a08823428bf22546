package org.pecf.plugin.backend.cuda.device;

import java.util.Objects;
import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The way between any memory of the host and the device, through two pinned pieces: while one is
 * transferred, the other is filled or emptied.
 */
final class Staging implements AutoCloseable {
  private static final long LARGEST = 4L << 20;

  private final BufferAllocator allocator;
  private final CUstream stream;
  private final Piece[] pieces;
  private int next;

  Staging(BufferAllocator allocator, CUstream stream) {
    this.allocator = allocator;
    this.stream = stream;
    this.pieces = new Piece[] {new Piece(), new Piece()};
  }

  /** One of the two pieces, and the event after which the device is done with it. */
  private final class Piece {
    private @Nullable PinnedMemory memory;
    private @Nullable CUevent event;
    private boolean inTransfer;

    /** Wait until the piece is free, and make it large enough. */
    void claim(long bytes) {
      await();
      if (memory != null && memory.bytes() < bytes) {
        memory.close();
        memory = null;
      }
      if (event == null) {
        CUevent made = new CUevent();
        CudaFailure.check(
            JCudaDriver.cuEventCreate(made, CUevent_flags.CU_EVENT_DISABLE_TIMING),
            "creating an event");
        event = made;
      }
      if (memory == null) {
        memory = PinnedMemory.allocate(allocator, bytes);
      }
    }

    /** Return the memory, which was claimed before. */
    PinnedMemory memory() {
      return Objects.requireNonNull(memory);
    }

    void markTransfer() {
      CudaFailure.check(JCudaDriver.cuEventRecord(event, stream), "recording an event");
      inTransfer = true;
    }

    void await() {
      if (inTransfer) {
        inTransfer = false;
        CudaFailure.check(JCudaDriver.cuEventSynchronize(event), "waiting for a copy");
      }
    }

    void close() {
      if (event != null) {
        if (inTransfer) {
          JCudaDriver.cuEventSynchronize(event);
        }
        JCudaDriver.cuEventDestroy(event);
      }
      if (memory != null) {
        memory.close();
      }
    }
  }

  private Piece claim(long bytes) {
    Piece piece = pieces[next];
    next = 1 - next;
    piece.claim(bytes);
    return piece;
  }

  /** A source or target of bytes. */
  interface Writer {
    /** Transfer bytes from the given one on, with memory at an address. */
    void write(long first, long count, long address);
  }

  /** Copy bytes to the device; the source is read before this returns. */
  void upload(DeviceMemory target, long offset, long bytes, Writer source) {
    for (long done = 0; done < bytes; ) {
      long count = Math.min(LARGEST, bytes - done);
      Piece piece = claim(count);
      source.write(done, count, piece.memory().address(0));
      CudaFailure.check(
          JCudaDriver.cuMemcpyHtoDAsync(
              target.at(offset + done, count), piece.memory().at(0, count), count, stream),
          "copying " + count + " bytes to the device");
      piece.markTransfer();
      done += count;
    }
  }

  /** Copy bytes from the device, after all work added to the stream so far. */
  void download(DeviceMemory source, long offset, long bytes, Writer target) {
    Piece arriving = null;
    long from = 0;
    long size = 0;
    for (long asked = 0; asked < bytes; ) {
      long count = Math.min(LARGEST, bytes - asked);
      Piece piece = claim(count);
      CudaFailure.check(
          JCudaDriver.cuMemcpyDtoHAsync(
              piece.memory().at(0, count), source.at(offset + asked, count), count, stream),
          "copying " + count + " bytes from the device");
      piece.markTransfer();
      if (arriving != null) {
        arriving.await();
        target.write(from, size, arriving.memory().address(0));
      }
      arriving = piece;
      from = asked;
      size = count;
      asked += count;
    }
    if (arriving != null) {
      arriving.await();
      target.write(from, size, arriving.memory().address(0));
    }
  }

  @Override
  public void close() {
    for (Piece piece : pieces) {
      piece.close();
    }
  }
}
