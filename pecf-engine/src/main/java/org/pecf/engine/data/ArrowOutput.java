package org.pecf.engine.data;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.pecf.api.data.RatingBatch;
import org.pecf.api.data.RatingSchema;

/** An Arrow IPC file of ratings, with one record batch per batch. */
final class ArrowOutput implements RatingsWriter.Output {
  private final VectorSchemaRoot root;
  private final ArrowFileWriter writer;

  ArrowOutput(WritableByteChannel file, RatingSchema schema, BufferAllocator allocator)
      throws IOException {
    // An empty batch has the vectors, and so the fields, of all others.
    try (RatingBatch pattern = RatingBatch.allocate(allocator, schema, 1)) {
      List<FieldVector> columns = new ArrayList<>();
      for (FieldVector vector : vectors(pattern)) {
        columns.add(vector.getField().createVector(allocator));
      }
      root = new VectorSchemaRoot(columns);
    }
    writer = new ArrowFileWriter(root, null, file);
    writer.start();
  }

  private static List<FieldVector> vectors(RatingBatch batch) {
    List<FieldVector> vectors = new ArrayList<>(List.of(batch.users(), batch.items()));
    batch.ratings().ifPresent(vectors::add);
    batch.times().ifPresent(vectors::add);
    return vectors;
  }

  @Override
  public void write(RatingBatch batch, int count) throws IOException {
    List<FieldVector> vectors = vectors(batch);
    for (int column = 0; column < vectors.size(); column++) {
      vectors.get(column).setValueCount(count);
      vectors.get(column).makeTransferPair(root.getVector(column)).transfer();
    }
    root.setRowCount(count);
    writer.writeBatch();
    root.clear();
  }

  @Override
  public void finish() throws IOException {
    writer.end();
  }

  @Override
  public void close() throws IOException {
    writer.close();
    root.close();
  }
}
