package org.pecf.engine.model;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.pecf.api.support.CheckedArrowReader;

/**
 * An Arrow file of one column without nulls. It is one batch, so that its buffers can be used as
 * they lie in the file; only a column of more elements than a batch may have is cut into several.
 *
 * @param path the file
 * @param allocator the source of the memory of what is read
 * @param rows the number of rows of the column
 * @param opening how the content comes into memory
 */
record ColumnFile(Path path, BufferAllocator allocator, int rows, Opening opening) {
  /** Name a file to be written. */
  ColumnFile(Path path, BufferAllocator allocator, int rows) {
    this(path, allocator, rows, Opening.READ);
  }

  /**
   * Some rows of a column.
   *
   * @param rows the number of rows
   * @param nodes the number of values of the column and its children
   * @param buffers the buffers as Arrow orders them, without those that say which values are null;
   *     borrowed
   */
  record Rows(int rows, List<Integer> nodes, List<ArrowBuf> buffers) {}

  /** A reader of a column. */
  @FunctionalInterface
  interface Reading<T> {
    /**
     * Read the column.
     *
     * @param field the type of the column
     * @param parts its rows, in one part but for very many elements. Valid during the call: retain
     *     the buffers that are kept.
     */
    T from(Field field, List<Rows> parts);
  }

  /** A writer of batches that are given as buffers. */
  private static final class BatchWriter extends ArrowFileWriter {
    BatchWriter(VectorSchemaRoot root, DigestingChannel channel) {
      super(root, null, channel);
    }

    void write(ArrowRecordBatch batch) throws IOException {
      start();
      writeRecordBatch(batch);
    }
  }

  /** Return a buffer's first bytes, which are what is written of it; the buffer is borrowed. */
  static ArrowBuf first(ArrowBuf buffer, long bytes) {
    return buffer.slice(0, bytes).writerIndex(bytes);
  }

  /** Write the column to a new file and return its entry in the manifest. */
  Manifest.FileEntry write(Field field, List<Rows> parts) throws IOException {
    try (DigestingChannel channel = DigestingChannel.create(path);
        VectorSchemaRoot root = VectorSchemaRoot.create(new Schema(List.of(field)), allocator);
        BatchWriter writer = new BatchWriter(root, channel)) {
      for (Rows part : parts) {
        List<ArrowFieldNode> nodes =
            part.nodes.stream().map(count -> new ArrowFieldNode(count, 0)).toList();
        List<ArrowBuf> buffers = new ArrayList<>(part.buffers);
        for (int place : nullBuffers(field)) {
          buffers.add(place, allocator.getEmpty());
        }
        try (ArrowRecordBatch batch = new ArrowRecordBatch(part.rows, nodes, buffers)) {
          writer.write(batch);
        }
      }
      writer.end();
      return channel.finish();
    }
  }

  /** Return the places of the buffers that say which values are null. */
  private static List<Integer> nullBuffers(Field field) {
    List<Integer> places = new ArrayList<>();
    addNullBuffers(field, 0, places);
    return places;
  }

  private static int addNullBuffers(Field field, int first, List<Integer> places) {
    places.add(first);
    int next =
        first
            + switch (field.getType().getTypeID()) {
              case Struct, FixedSizeList -> 1;
              case Utf8 -> 3;
              default -> 2;
            };
    for (Field child : field.getChildren()) {
      next = addNullBuffers(child, next, places);
    }
    return next;
  }

  /** Read the column. */
  <T> T read(Reading<T> reading) throws IOException {
    List<ArrowRecordBatch> batches = new ArrayList<>();
    try (FileChannel channel =
            FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        CheckedArrowReader reader = reader(channel)) {
      List<Field> fields = reader.getVectorSchemaRoot().getSchema().getFields();
      if (fields.size() != 1) {
        throw new IllegalArgumentException("it holds " + fields.size() + " columns instead of one");
      }
      List<Rows> parts = new ArrayList<>();
      long read = 0;
      for (Optional<ArrowRecordBatch> next = reader.readBatch();
          next.isPresent();
          next = reader.readBatch()) {
        batches.add(next.get());
        parts.add(part(fields.get(0), next.get()));
        read += next.get().getLength();
      }
      if (read != rows) {
        throw new IllegalArgumentException("it holds " + read + " rows instead of " + rows);
      }
      return reading.from(fields.get(0), parts);
    } finally {
      batches.forEach(ArrowRecordBatch::close);
    }
  }

  private CheckedArrowReader reader(FileChannel channel) throws IOException {
    return opening.mapped()
        ? CheckedArrowReader.mapping(channel, allocator)
        : new CheckedArrowReader(channel, allocator);
  }

  private static Rows part(Field field, ArrowRecordBatch batch) {
    if (batch.getNodes().stream().anyMatch(node -> node.getNullCount() != 0)) {
      throw new IllegalArgumentException("some of its values are missing");
    }
    List<ArrowBuf> buffers = new ArrayList<>(batch.getBuffers());
    List<Integer> places = nullBuffers(field);
    for (int k = places.size() - 1; k >= 0; k--) {
      buffers.remove(places.get(k).intValue());
    }
    return new Rows(
        batch.getLength(),
        batch.getNodes().stream().map(ArrowFieldNode::getLength).toList(),
        buffers);
  }

  /** Return the only part of a column that is never cut into several. */
  static Rows only(List<Rows> parts) {
    if (parts.size() != 1) {
      throw new IllegalArgumentException("it holds " + parts.size() + " batches instead of one");
    }
    return parts.get(0);
  }

  /**
   * Return the only part of a column of lists, which together must have the stated number of
   * elements.
   */
  static Rows only(List<Rows> parts, int elements, String name) {
    Rows rows = only(parts);
    if (rows.nodes.get(1) != elements) {
      throw new IllegalArgumentException(
          "it holds " + rows.nodes.get(1) + " " + name + " instead of " + elements);
    }
    return rows;
  }

  /** Return a buffer that stays when its batch is closed. */
  static ArrowBuf kept(ArrowBuf buffer) {
    buffer.getReferenceManager().retain();
    return buffer;
  }
}
