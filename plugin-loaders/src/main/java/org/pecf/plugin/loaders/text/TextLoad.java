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
 * Read text files of ratings in chunks, on all threads.
 *
 * <p>Chunks have a fixed size, so batches and their order do not depend on the number of threads.
 * Packed files are read from one end to the other.
 *
 * @param chunkBytes about how many bytes of text make a batch
 */
public record TextLoad(int chunkBytes) {
  private static final int STANDARD_CHUNK_BYTES = 1 << 18;

  /** Return the reading in chunks of the usual size. */
  public static TextLoad standard() {
    return new TextLoad(STANDARD_CHUNK_BYTES);
  }

  /**
   * Read all ratings of some files, in their order.
   *
   * @param parsers makes a parser for each thread
   * @throws PecfException for the earliest line that is wrong, or if there is no rating at all
   */
  public void run(
      List<TextInput> inputs,
      Supplier<LineParser> parsers,
      RatingSchema schema,
      RatingSink sink,
      RunContext context) {
    LongAdder total = new LongAdder();
    visit(
        inputs,
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
          "%s holds no ratings. Check that it is the right file.", inputs.get(0).file().path());
    }
  }

  /**
   * Look at all chunks before {@link #run} reads them; it will see the same ones.
   *
   * @param survey called by several threads at once
   */
  public void survey(List<TextInput> inputs, Consumer<Chunk> survey, RunContext context) {
    Visitor visitor =
        new Visitor() {
          @Override
          public void chunk(Chunk chunk) {
            survey.accept(chunk);
          }

          @Override
          public void end(long ordinal) {}
        };
    visit(inputs, () -> visitor, context);
  }

  private void visit(List<TextInput> inputs, Supplier<Visitor> visitors, RunContext context) {
    if (inputs.stream().anyMatch(input -> input.file().packed())) {
      visitStreams(inputs, visitors.get(), context);
      return;
    }
    List<List<Segment>> pieces = Segment.plan(inputs, chunkBytes);
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

  private void visitStreams(List<TextInput> inputs, Visitor visitor, RunContext context) {
    long ordinal = 0;
    ChunkReader reader = new ChunkReader();
    for (TextInput input : inputs) {
      try (InputStream stream = input.file().stream()) {
        ChunkReader.Rest rest = reader.next(input, stream, null, chunkBytes);
        while (rest != null) {
          context.cancellation().check();
          visitor.chunk(rest.chunk());
          visitor.end(ordinal++);
          rest = reader.next(input, stream, rest, chunkBytes);
        }
      } catch (BadText e) {
        throw input.file().report(e);
      } catch (IOException e) {
        throw input.file().unreadable(e);
      }
    }
  }

  /** Do something with the chunks of a piece. Used by one thread. */
  private interface Visitor {
    void chunk(Chunk chunk);

    void end(long ordinal);
  }

  /** What a thread uses again for each of its pieces. */
  private record Worker(ChunkReader reader, Visitor visitor) {
    void read(int ordinal, List<Segment> piece, RunContext context) {
      for (Segment segment : piece) {
        context.cancellation().check();
        try {
          visitor.chunk(reader.read(segment));
        } catch (BadText e) {
          throw segment.file().report(e);
        } catch (IOException e) {
          throw segment.file().unreadable(e);
        }
      }
      visitor.end(ordinal);
    }
  }
}
