package org.pecf.plugin.loaders.text;

import java.io.IOException;
import java.io.InputStream;
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
 * Packed files are read sequentially.
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
    visit(
        files,
        () -> {
          LineParser parser = parsers.get();
          RatingColumns ratings = new RatingColumns(schema);
          return new Visitor() {
            @Override
            public void chunk(Chunk chunk) {
              parser.parse(chunk, ratings);
            }

            @Override
            public void end(long ordinal) {
              total.add(ratings.count());
              ratings.publish(sink, ordinal);
            }
          };
        },
        context);
    if (total.sum() == 0) {
      throw PecfException.badData(
          "%s holds no ratings. Check that it is the right file.", files.get(0).path());
    }
  }

  /**
   * Examine all chunks before {@link #read} reads the same ones.
   *
   * @param survey receives the chunks; called by several threads at once
   */
  public void survey(List<TextFile> files, Consumer<Chunk> survey, RunContext context) {
    Visitor visitor =
        new Visitor() {
          @Override
          public void chunk(Chunk chunk) {
            survey.accept(chunk);
          }

          @Override
          public void end(long ordinal) {}
        };
    visit(files, () -> visitor, context);
  }

  private void visit(List<TextFile> files, Supplier<Visitor> visitors, RunContext context) {
    if (files.stream().anyMatch(TextFile::packed)) {
      visitStreams(files, visitors.get(), context);
      return;
    }
    List<List<Segment>> pieces = Segment.plan(files, chunkBytes);
    Worker[] workers = new Worker[context.parallelism().threads()];
    try {
      context
          .parallelism()
          .forEach(
              pieces.size(),
              (index, number) -> {
                if (workers[number] == null) {
                  workers[number] = new Worker(new ChunkReader(), visitors.get());
                }
                workers[number].read(index, pieces.get(index), context);
              });
    } finally {
      for (Worker worker : workers) {
        if (worker != null) {
          worker.reader.close();
        }
      }
    }
  }

  private void visitStreams(List<TextFile> files, Visitor visitor, RunContext context) {
    long ordinal = 0;
    ChunkReader reader = new ChunkReader();
    for (TextFile file : files) {
      try (InputStream stream = file.stream()) {
        ChunkReader.Rest rest = reader.next(file, stream, null, chunkBytes);
        while (rest != null) {
          context.cancellation().check();
          visitor.chunk(rest.chunk());
          visitor.end(ordinal++);
          rest = reader.next(file, stream, rest, chunkBytes);
        }
      } catch (TextProblem e) {
        throw file.report(e);
      } catch (IOException e) {
        throw file.unreadable(e);
      }
    }
  }

  /** A consumer of the chunks of one task after the other, used by one thread. */
  private interface Visitor {
    void chunk(Chunk chunk);

    void end(long ordinal);
  }

  /** The reader and the consumer of a thread. */
  private record Worker(ChunkReader reader, Visitor visitor) {
    void read(int ordinal, List<Segment> piece, RunContext context) {
      for (Segment segment : piece) {
        context.cancellation().check();
        try {
          visitor.chunk(reader.read(segment));
        } catch (TextProblem e) {
          throw segment.file().report(e);
        } catch (IOException e) {
          throw segment.file().unreadable(e);
        }
      }
      visitor.end(ordinal);
    }
  }
}
