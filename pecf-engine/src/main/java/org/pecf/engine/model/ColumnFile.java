package org.pecf.engine.model;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.pecf.api.memory.CheckedArrowReader;

/**
 * An Arrow file of one column, written and read in bounded batches.
 *
 * @param path the file
 * @param allocator the source of the memory of a batch
 * @param rows the number of rows of the column
 */
record ColumnFile(Path path, BufferAllocator allocator, int rows) {
  /** The approximate size of a batch in bytes. */
  static final int BATCH_BYTES = 4 << 20;

  /** A supplier of a column. */
  @FunctionalInterface
  interface Source {
    /**
     * Fill a vector with rows from the given one on, and set its value count.
     *
     * @param vector empty. Modified.
     */
    void fill(int firstRow, FieldVector vector);
  }

  /** A receiver of a column. */
  @FunctionalInterface
  interface Sink {
    /**
     * Take the rows from the given one on.
     *
     * @param vector the rows of one batch. Not modified.
     */
    void take(int firstRow, FieldVector vector);
  }

  /** Write the column to a new file and return its entry in the manifest. */
  Manifest.FileEntry write(Field field, Source source) throws IOException {
    try (DigestingChannel channel = DigestingChannel.create(path);
        VectorSchemaRoot root = VectorSchemaRoot.create(new Schema(List.of(field)), allocator);
        ArrowFileWriter writer = new ArrowFileWriter(root, null, channel)) {
      FieldVector vector = root.getVector(0);
      writer.start();
      for (int row = 0; row < rows; ) {
        source.fill(row, vector);
        row += vector.getValueCount();
        root.setRowCount(vector.getValueCount());
        writer.writeBatch();
        root.clear();
      }
      writer.end();
      return channel.finish();
    }
  }

  /**
   * Check that the file is long enough for its rows, before memory is allocated for them.
   *
   * @param rowBytes the least number of bytes of a row
   */
  void requireBytes(long rowBytes) throws IOException {
    long bytes = Files.size(path);
    if (rows > 0 && rowBytes > bytes / rows) {
      throw new IllegalArgumentException(
          "its " + bytes + " bytes cannot hold " + rows + " rows of " + rowBytes + " bytes");
    }
  }

  private static FieldVector onlyVector(VectorSchemaRoot root) {
    if (root.getFieldVectors().size() != 1) {
      throw new IllegalArgumentException(
          "it holds " + root.getFieldVectors().size() + " columns instead of one");
    }
    FieldVector vector = root.getVector(0);
    if (vector.getNullCount() != 0
        || vector.getChildrenFromFields().stream().anyMatch(child -> child.getNullCount() != 0)) {
      throw new IllegalArgumentException("some of its values are missing");
    }
    return vector;
  }

  /** Read the column. */
  void read(Sink sink) throws IOException {
    try (FileChannel channel =
            FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        CheckedArrowReader reader = new CheckedArrowReader(channel, allocator)) {
      int row = 0;
      while (reader.loadNextBatch()) {
        FieldVector vector = onlyVector(reader.getVectorSchemaRoot());
        int end = Math.addExact(row, vector.getValueCount());
        if (end > rows) {
          throw new IllegalArgumentException("it holds more rows than the " + rows + " expected");
        }
        sink.take(row, vector);
        row = end;
      }
      if (row != rows) {
        throw new IllegalArgumentException("it holds " + row + " rows instead of " + rows);
      }
    }
  }
}
