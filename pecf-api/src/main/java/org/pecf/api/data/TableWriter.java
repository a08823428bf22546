package org.pecf.api.data;

import java.nio.file.Path;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apiguardian.api.API;
import org.pecf.api.run.RunContext;

/**
 * A writer of tables to files. A {@link RatingLoader} that implements this interface too writes the
 * format that it reads, and results can be written in it under the loader's id.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface TableWriter {
  /**
   * Write a table, batch by batch as they come.
   *
   * @param table the batches, whose columns are whole numbers, single-precision numbers and texts;
   *     read to its end on one thread at a time and not closed. An exception that it throws is the
   *     caller's own: it may be wrapped.
   * @param file a file that exists and is empty; the caller gives it its name when this method
   *     returns, and deletes it if it throws
   * @param context the resources of the run
   */
  void write(ArrowReader table, Path file, RunContext context);
}
