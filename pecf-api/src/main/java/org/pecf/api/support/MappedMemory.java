package org.pecf.api.support;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.util.Optional;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.ForeignAllocation;
import org.apache.arrow.memory.util.MemoryUtil;
import org.jspecify.annotations.Nullable;

/**
 * Parts of files as memory, which the system reads when they are first touched. They are never
 * written to, and stay readable when the file is deleted or another one takes its name.
 *
 * <p>Where a file was cut short under its memory, access by Java code fails with an {@link
 * InternalError}, and access by native code ends the process: hand it to Java code only.
 */
final class MappedMemory {
  private MappedMemory() {}

  /**
   * Map a part of a file.
   *
   * @return the memory, owned by the caller; empty if this Java cannot map as much at once
   */
  static Optional<ArrowBuf> map(
      FileChannel channel, long offset, long bytes, BufferAllocator allocator) throws IOException {
    if (bytes == 0) {
      return Optional.of(allocator.getEmpty());
    }
    if (bytes > Integer.MAX_VALUE) {
      return mapSegment(channel, offset, bytes, allocator);
    }
    ByteBuffer buffer = channel.map(MapMode.READ_ONLY, offset, bytes);
    return Optional.of(wrap(MemoryUtil.getByteBufferAddress(buffer), bytes, buffer, allocator));
  }

  /** Map by what Java 22 and later have for it. */
  static Optional<ArrowBuf> mapSegment(
      FileChannel channel, long offset, long bytes, BufferAllocator allocator) throws IOException {
    try {
      Class<?> arenas = Class.forName("java.lang.foreign.Arena");
      Object segment =
          FileChannel.class
              .getMethod("map", MapMode.class, long.class, long.class, arenas)
              .invoke(
                  channel,
                  MapMode.READ_ONLY,
                  offset,
                  bytes,
                  arenas.getMethod("ofAuto").invoke(null));
      long address =
          (long)
              Class.forName("java.lang.foreign.MemorySegment").getMethod("address").invoke(segment);
      return Optional.of(wrap(address, bytes, segment, allocator));
    } catch (ClassNotFoundException | NoSuchMethodException | IllegalAccessException e) {
      return Optional.empty();
    } catch (InvocationTargetException e) {
      throw new IOException("it cannot be mapped: " + e.getCause(), e);
    }
  }

  private static ArrowBuf wrap(
      long address, long bytes, Object mapping, BufferAllocator allocator) {
    return allocator.wrapForeignAllocation(new Mapping(address, bytes, mapping));
  }

  /** The memory of a mapping, which the garbage collector unmaps once nobody holds it. */
  private static final class Mapping extends ForeignAllocation {
    private @Nullable Object mapping;

    Mapping(long address, long bytes, Object mapping) {
      super(bytes, address);
      this.mapping = mapping;
    }

    @Override
    protected void release0() {
      mapping = null;
    }

    @Override
    public String toString() {
      return mapping == null ? "released" : mapping.toString();
    }
  }
}
