package org.pecf.plugin.backend.cuda.device;

import java.util.ArrayDeque;
import java.util.Deque;

/** Memory of the device that is released all at once. */
public final class Scratch implements AutoCloseable {
  private final Deque<DeviceMemory> pieces = new ArrayDeque<>();

  /** Allocate floats of any value. */
  public DeviceMemory floats(long count) {
    return bytes(Math.multiplyExact(count, Float.BYTES));
  }

  /** Allocate ints of any value. */
  public DeviceMemory ints(long count) {
    return bytes(Math.multiplyExact(count, Integer.BYTES));
  }

  /** Allocate doubles of any value. */
  public DeviceMemory doubles(long count) {
    return bytes(Math.multiplyExact(count, Double.BYTES));
  }

  /** Allocate bytes of any value. */
  public DeviceMemory bytes(long count) {
    DeviceMemory piece = DeviceMemory.allocate(count);
    pieces.push(piece);
    return piece;
  }

  @Override
  public void close() {
    while (!pieces.isEmpty()) {
      pieces.pop().close();
    }
  }
}
