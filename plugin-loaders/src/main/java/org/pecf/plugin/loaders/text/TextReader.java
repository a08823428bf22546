package org.pecf.plugin.loaders.text;

import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.data.RatingSink;
import org.pecf.api.run.RunContext;

/**
 * A reader of text files of ratings, in batches.
 *
 * <p>One thread at a time parses the lines of a batch while the others pass theirs on, so batches
 * and their order do not depend on the number of threads.
 *
 * @param batchRatings the approximate number of ratings of a batch
 */
public record TextReader(int batchRatings) {
  private static final int STANDARD_RATINGS = 1 << 14;

  /** Return a reader with batches of the usual size. */
  public static TextReader standard() {
    return new TextReader(STANDARD_RATINGS);
  }

  /**
   * Read all ratings of files, in their order.
   *
   * @param parsers creates the parser of a file
   * @throws PecfException for the first line that is wrong, or if there is no rating at all
   */
  public void read(
      List<TextFile> files,
      Function<TextFile, LineParser> parsers,
      RatingSchema schema,
      RatingSink sink,
      RunContext context) {
    try (Lines lines = new Lines(files.iterator(), parsers)) {
      context
          .parallelism()
          .forEach(
              context.parallelism().threads(),
              (index, worker) -> lines.publish(new RatingColumns(schema), sink, context));
      if (lines.batches == 0) {
        throw PecfException.badData(
            "%s holds no ratings. Check that it is the right file.", files.get(0).path());
      }
    }
  }

  /** The lines of all files, which threads take in order until one of them fails. */
  private final class Lines implements AutoCloseable {
    private final Iterator<TextFile> files;
    private final Function<TextFile, LineParser> parsers;

    /** The parser of the file that is being read; null between files. */
    private @Nullable LineParser open;

    private long batches;
    private boolean failed;

    Lines(Iterator<TextFile> files, Function<TextFile, LineParser> parsers) {
      this.files = files;
      this.parsers = parsers;
    }

    /** Take lines and publish their ratings until none are left. Each thread calls this once. */
    void publish(RatingColumns ratings, RatingSink sink, RunContext context) {
      long ordinal = take(ratings, context);
      while (ratings.count() > 0) {
        try {
          ratings.publish(sink, ordinal);
        } catch (RuntimeException | Error e) {
          fail();
          throw e;
        }
        ordinal = take(ratings, context);
      }
    }

    /** Take the next ratings, if any are left; return the place of their batch. */
    private synchronized long take(RatingColumns ratings, RunContext context) {
      try {
        while (!failed && !ratings.isFull(batchRatings) && (open != null || files.hasNext())) {
          context.cancellation().check();
          if (open == null) {
            open = parsers.apply(files.next());
          }
          if (!open.read(ratings, batchRatings)) {
            close();
          }
        }
      } catch (RuntimeException | Error e) {
        fail();
        throw e;
      }
      return ratings.count() == 0 ? batches : batches++;
    }

    private synchronized void fail() {
      failed = true;
    }

    @Override
    public synchronized void close() {
      if (open != null) {
        open.close();
        open = null;
      }
    }
  }
}
