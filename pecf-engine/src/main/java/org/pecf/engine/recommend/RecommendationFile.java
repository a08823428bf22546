package org.pecf.engine.recommend;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.pecf.api.PecfException;
import org.pecf.api.data.TableWriter;
import org.pecf.api.run.RunContext;
import org.pecf.engine.file.OutputFile;

/**
 * A file of recommendations as a table, which appears under its name when it is complete. While it
 * is written, lists are made, so it takes the memory of one batch whatever the number of users.
 */
public final class RecommendationFile {
  private final OutputFile file;

  private RecommendationFile(OutputFile file) {
    this.file = file;
  }

  /** Return the file at a place; nothing is written yet. */
  public static RecommendationFile at(Path place) {
    return new RecommendationFile(OutputFile.at(place));
  }

  /**
   * Write a table in the file format of Arrow IPC, also called Feather.
   *
   * @param table read to its end. Not closed.
   */
  public void writeArrow(RecommendationTable table) {
    try (OutputFile.Draft draft = file.begin()) {
      try (ArrowFileWriter writer =
          new ArrowFileWriter(table.getVectorSchemaRoot(), null, draft.channel())) {
        writer.start();
        while (table.loadNextBatch()) {
          writer.writeBatch();
        }
        writer.end();
        draft.complete();
      }
    } catch (IOException e) {
      throw file.failed(e);
    }
  }

  /**
   * Write a table in the format of a plugin.
   *
   * @param table read to its end. Not closed.
   * @param writer the writer of the format
   * @param context the resources of the run
   * @throws PecfException if that fails; if it was because lists could not be made, the reason of
   *     that
   */
  public void write(RecommendationTable table, TableWriter writer, RunContext context) {
    try (OutputFile.Draft draft = file.begin()) {
      try {
        writer.write(table, draft.path(), context);
      } catch (RuntimeException e) {
        Optional<RuntimeException> cause = table.problem();
        throw cause.orElse(e);
      }
      draft.complete();
    } catch (IOException e) {
      throw file.failed(e);
    }
  }
}
