package org.pecf.plugin.loaders.text;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.pecf.api.PecfException;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.data.RatingSink;
import org.pecf.api.run.RunContext;

/**
 * A reader of text files of ratings, in chunks and on all threads.
 *
 * <p>Chunks have a fixed size, so batches and their order do not depend on the number of threads.
 *
 * @param chunkBytes the approximate number of bytes of text per batch
 */
public record TextReader(int chunkBytes) {
  private static final int STANDARD_CHUNK_BYTES = 1 << 18;

  /** Return a reader with chunks of the usual size. */
  public static TextReader standard() {
    return new TextReader(STANDARD_CHUNK_BYTES);
  }

  /**
   * Read all ratings of files, in their order.
   *
   * @param parsers creates the parser of a thread
   * @throws PecfException for the first line that is wrong, or if there is no rating at all
   */
  public void read(
      List<TextFile> files,
      Supplier<LineParser> parsers,
      RatingSchema schema,
      RatingSink sink,
      RunContext context) {
    LongAdder total = new LongAdder();
    LineParser inOrder = parsers.get();
    try (ChunkSource source = new ChunkSource(files, chunkBytes, inOrder::after)) {
      visit(
          source,
          () -> {
            LineParser parser = parsers.get();
            RatingColumns ratings = new RatingColumns(schema);
            return chunk -> {
              parser.parse(chunk, ratings);
              total.add(ratings.count());
              ratings.publish(sink, chunk.ordinal());
            };
          },
          context);
    }
    if (total.sum() == 0) {
      throw PecfException.badData(
          "%s holds no ratings. Check that it is the right file.", files.get(0).path());
    }
  }

  /**
   * Examine all lines.
   *
   * @param survey receives them in chunks; called by several threads at once
   */
  public void survey(List<TextFile> files, Consumer<Chunk> survey, RunContext context) {
    try (ChunkSource source = new ChunkSource(files, chunkBytes, Chunk::before)) {
      visit(source, () -> survey, context);
    }
  }

  private static void visit(
      ChunkSource source, Supplier<Consumer<Chunk>> consumers, RunContext context) {
    context
        .parallelism()
        .forEach(
            context.parallelism().threads(),
            (index, worker) -> source.work(consumers.get(), context));
    source.end();
  }
}
