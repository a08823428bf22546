package org.pecf.plugin.backend.cuda.device;

/**
 * A view of consecutive bytes of the device's memory, which it does not own. Bounds are asserted.
 *
 * @param address the address of the first byte, valid on the device alone
 * @param bytes the number of bytes
 */
public record DeviceSlice(long address, long bytes) {
  /** No memory: a null pointer. */
  public static final DeviceSlice NONE = new DeviceSlice(0, 0);

  /** Return a part of this slice. */
  public DeviceSlice slice(long offset, long count) {
    assert offset >= 0 && count >= 0 && offset + count <= bytes
        : count + " bytes from " + offset + " are not within " + bytes;
    return new DeviceSlice(address + offset, count);
  }

  /** Return the rest of this slice from a byte on. */
  public DeviceSlice from(long offset) {
    return slice(offset, bytes - offset);
  }
}
