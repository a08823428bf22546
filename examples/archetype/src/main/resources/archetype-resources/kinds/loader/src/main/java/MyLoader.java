package ${package};

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.IdKind;
import org.pecf.api.run.RunContext;
import org.pecf.api.data.RatingBatch;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.data.RatingSink;
import org.pecf.api.data.Recognition;

/** The loader of files with a mark in the first line, then lines of user, item and rating. */
final class MyLoader implements RatingLoader {
  static final String MARK = "ratings ${id}";
  private static final RatingSchema SCHEMA =
      new RatingSchema(IdKind.TEXT, IdKind.TEXT, true, false);
  private static final int BATCH = 10_000;

  @Override
  public Recognition recognise(DataSource source) {
    Path file = source.path().orElse(null);
    if (file == null || !Files.isRegularFile(file)) {
      return Recognition.NO;
    }
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      char[] start = new char[MARK.length()];
      int count = reader.read(start);
      return count == start.length && MARK.equals(new String(start))
          ? Recognition.CERTAIN
          : Recognition.NO;
    } catch (IOException e) {
      return Recognition.NO;
    }
  }

  @Override
  public void load(DataSource source, RatingSink sink, RunContext context) {
    Path file = source.requiredPath();
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      if (!MARK.equals(reader.readLine())) {
        throw PecfException.badData(
            "%s:1:1: the first line must be '%s'. Choose another format for other files.",
            file, MARK);
      }
      int line = 2;
      long ordinal = 0;
      for (boolean more = true; more; ordinal++) {
        context.cancellation().check();
        int count = batch(reader, file, line, ordinal, sink);
        line += count;
        more = count == BATCH;
      }
    } catch (IOException e) {
      throw PecfException.badData("%s cannot be read as UTF-8 text (%s). Check the file.", file, e.getMessage()).causedBy(e);
    }
  }

  /** Read a batch and return its number of lines. A batch that is not published is closed. */
  private static int batch(
      BufferedReader reader, Path file, int firstLine, long ordinal, RatingSink sink)
      throws IOException {
    RatingBatch batch = sink.batch(SCHEMA, BATCH);
    int count = 0;
    try {
      for (; count < BATCH; count++) {
        String line = reader.readLine();
        if (line == null) {
          break;
        }
        read(line, file + ", line " + (firstLine + count), batch, count);
      }
    } catch (RuntimeException | IOException e) {
      batch.close();
      throw e;
    }
    sink.publish(ordinal, batch, count);
    return count;
  }

  private static void read(String line, String place, RatingBatch batch, int index) {
    String[] fields = line.split("\t", -1);
    if (fields.length != 3) {
      throw PecfException.badData(
          "%s: '%s' has %d fields. Write user, item and rating.", place, line, fields.length);
    }
    set(batch.users(), index, fields[0]);
    set(batch.items(), index, fields[1]);
    try {
      batch.ratings().orElseThrow().setSafe(index, Float.parseFloat(fields[2]));
    } catch (NumberFormatException e) {
      throw PecfException.badData(
          "%s, column 3: '%s' is not a number. Write one such as 4.5.", place, fields[2]);
    }
  }

  private static void set(FieldVector ids, int index, String id) {
    ((VarCharVector) ids).setSafe(index, id.getBytes(StandardCharsets.UTF_8));
  }
}
