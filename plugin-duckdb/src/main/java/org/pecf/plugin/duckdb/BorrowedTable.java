package org.pecf.plugin.duckdb;

import java.io.IOException;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;
import org.pecf.api.run.RunContext;

/**
 * The batches of another table. Its vectors are its own: whoever reads it may take them, and
 * closing it leaves the other table open.
 */
final class BorrowedTable extends ArrowReader {
  private final ArrowReader source;

  /**
   * Create a table of the same batches.
   *
   * @param source borrowed
   * @param context the source of memory
   */
  BorrowedTable(ArrowReader source, RunContext context) {
    super(context.allocator());
    this.source = source;
  }

  @Override
  protected Schema readSchema() throws IOException {
    return source.getVectorSchemaRoot().getSchema();
  }

  @Override
  public boolean loadNextBatch() throws IOException {
    prepareLoadNextBatch();
    if (!source.loadNextBatch()) {
      return false;
    }
    VectorSchemaRoot batch = source.getVectorSchemaRoot();
    try (ArrowRecordBatch shared = new VectorUnloader(batch).getRecordBatch()) {
      new VectorLoader(getVectorSchemaRoot()).load(shared);
    }
    return true;
  }

  @Override
  public long bytesRead() {
    return source.bytesRead();
  }

  @Override
  protected void closeReadSource() {
    // The source belongs to the caller.
  }
}
