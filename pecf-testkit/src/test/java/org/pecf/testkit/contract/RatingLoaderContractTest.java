package org.pecf.testkit.contract;

import static org.pecf.testkit.contract.ContractRun.assertBreaks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.vector.BigIntVector;
import org.junit.jupiter.api.Test;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.IdKind;
import org.pecf.api.data.RatingBatch;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.data.RatingSink;
import org.pecf.api.data.Recognition;
import org.pecf.api.plugin.NoOptions;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;
import org.pecf.api.run.RunContext;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.LoadedRating;

/** Loaders that are wrong in one way each, and the rules that must tell. */
class RatingLoaderContractTest {
  private static final RatingSchema SCHEMA =
      new RatingSchema(IdKind.INTEGER, IdKind.INTEGER, true, false);
  private static final int BATCH = 4;

  /** Reads lines of user, item and rating between blanks, four a batch. */
  static class TinyLoader implements RatingLoader {
    @Override
    public Recognition recognise(DataSource source) {
      try {
        List<String> lines = Files.readAllLines(source.path().orElseThrow());
        return !lines.isEmpty() && lines.get(0).matches("\\d+ \\d+ \\d+")
            ? Recognition.LIKELY
            : Recognition.NO;
      } catch (IOException | RuntimeException e) {
        return Recognition.NO;
      }
    }

    @Override
    public void load(DataSource source, RatingSink sink, RunContext context) {
      Path path = source.path().orElseThrow();
      List<String> lines = lines(path);
      int batches = (lines.size() + BATCH - 1) / BATCH;
      context
          .parallelism()
          .forEach(
              batches,
              (index, worker) -> {
                RatingBatch batch = sink.batch(SCHEMA, BATCH);
                int count;
                try {
                  count = read(path, lines, index * BATCH, batch);
                } catch (RuntimeException e) {
                  abandon(batch);
                  throw e;
                }
                sink.publish(ordinal(index, worker), batch, count);
              });
    }

    long ordinal(int index, int worker) {
      return index;
    }

    void abandon(RatingBatch batch) {
      batch.close();
    }

    List<String> lines(Path path) {
      try {
        return Files.readAllLines(path, StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw PecfException.badData("Cannot read %s", path).causedBy(e);
      }
    }

    private int read(Path path, List<String> lines, int first, RatingBatch batch) {
      int count = 0;
      for (int k = first; k < Math.min(first + BATCH, lines.size()); k++) {
        String[] words = lines.get(k).split(" ");
        try {
          ((BigIntVector) batch.users()).setSafe(count, Long.parseLong(words[0]));
          ((BigIntVector) batch.items()).setSafe(count, Long.parseLong(words[1]));
          batch.ratings().orElseThrow().setSafe(count++, rating(words[2]));
        } catch (NumberFormatException e) {
          throw bad(path, k + 1, lines.get(k));
        }
      }
      return count;
    }

    float rating(String word) {
      return Float.parseFloat(word);
    }

    RuntimeException bad(Path path, int line, String text) {
      return PecfException.badData("%s, line %s: '%s' is no rating.", path, line, text);
    }
  }

  /** A contract on a loader. */
  abstract static class Contract extends RatingLoaderContract {
    private final RatingLoader loader;

    Contract(RatingLoader loader) {
      this.loader = loader;
    }

    @Override
    protected RatingLoaderProvider<?> provider() {
      return new RatingLoaderProvider<NoOptions>() {
        @Override
        public ProviderDescription describe() {
          return new ProviderDescription("loader", "a loader", SpiVersion.CURRENT);
        }

        @Override
        public OptionSchema<NoOptions> options() {
          return NoOptions.schema();
        }

        @Override
        public RatingLoader create(NoOptions options) {
          return loader;
        }
      };
    }

    @Override
    protected Sample sample(Path target) throws IOException {
      List<String> lines = new ArrayList<>();
      List<LoadedRating> ratings = new ArrayList<>();
      IntStream.range(0, 18)
          .forEach(
              k -> {
                lines.add(k % 5 + " " + k + " " + k % 3);
                ratings.add(LoadedRating.of((long) k % 5, (long) k, k % 3));
              });
      return new Sample(source(Files.write(target.resolve("ratings"), lines)), ratings);
    }

    @Override
    protected List<BadSample> badSamples(Path target) throws IOException {
      Path file = target.resolve("bad");
      Files.write(file, List.of("1 1 1", "1 2 1", "1 3 1", "1 4 1", "1 5 1", "2 x 4", "z 1 1"));
      return List.of(new BadSample(source(file), List.of("bad", "line 6", "2 x 4")));
    }

    private static DataSource source(Path path) {
      return new DataSource(path.toString());
    }
  }

  static class Good extends Contract {
    Good() {
      super(new TinyLoader());
    }
  }

  @Test
  void findsNoFaultInAGoodLoader() {
    assertBreaks(Good.class);
  }

  static class Misreads extends Contract {
    Misreads() {
      super(
          new TinyLoader() {
            @Override
            float rating(String word) {
              return super.rating(word) + 1;
            }
          });
    }
  }

  @Test
  void catchesWrongValues() {
    assertBreaks(Misreads.class, "loadsTheSample", "loadsTheSameAtAnyThreadCount");
  }

  static class NumbersByWorker extends Contract {
    NumbersByWorker() {
      super(
          new TinyLoader() {
            @Override
            long ordinal(int index, int worker) {
              return 1000L * worker + index;
            }
          });
    }
  }

  @Test
  void catchesBatchesNumberedByWorker() {
    assertBreaks(NumbersByWorker.class, "loadsTheSameAtAnyThreadCount");
  }

  static class RecognisesNothing extends Contract {
    RecognisesNothing() {
      super(
          new TinyLoader() {
            @Override
            public Recognition recognise(DataSource source) {
              return Recognition.NO;
            }
          });
    }
  }

  @Test
  void catchesALoaderThatDoesNotKnowItsFormat() {
    assertBreaks(RecognisesNothing.class, "recognisesTheSample");
  }

  static class RecognisesAnything extends Contract {
    RecognisesAnything() {
      super(
          new TinyLoader() {
            @Override
            public Recognition recognise(DataSource source) {
              return Recognition.POSSIBLE;
            }
          });
    }
  }

  @Test
  void catchesRecognisedRubbish() {
    assertBreaks(RecognisesAnything.class, "doesNotRecogniseRubbish");
  }

  static class ThrowsAtRubbish extends Contract {
    ThrowsAtRubbish() {
      super(
          new TinyLoader() {
            @Override
            public Recognition recognise(DataSource source) {
              lines(source.path().orElseThrow());
              return super.recognise(source);
            }
          });
    }
  }

  @Test
  void catchesARecognitionThatThrows() {
    assertBreaks(ThrowsAtRubbish.class, "doesNotRecogniseRubbish");
  }

  static class HidesEmbeddedData extends Contract {
    HidesEmbeddedData() {
      super(
          new TinyLoader() {
            @Override
            public Recognition recognise(DataSource source) {
              return source.builtin().isPresent() ? Recognition.POSSIBLE : super.recognise(source);
            }
          });
    }
  }

  @Test
  void catchesEmbeddedDataThatTheProviderHides() {
    assertBreaks(HidesEmbeddedData.class, "doesNotRecogniseRubbish");
  }

  static class CountsLinesFromZero extends Contract {
    CountsLinesFromZero() {
      super(
          new TinyLoader() {
            @Override
            RuntimeException bad(Path path, int line, String text) {
              return super.bad(path, line - 1, text);
            }
          });
    }
  }

  @Test
  void catchesAMessageWithTheWrongLine() {
    assertBreaks(
        CountsLinesFromZero.class, "explainsBadData", "explainsBadDataAlikeAtAnyThreadCount");
  }

  static class NamesItsThread extends Contract {
    NamesItsThread() {
      super(
          new TinyLoader() {
            @Override
            RuntimeException bad(Path path, int line, String text) {
              return super.bad(path, line, text + " on " + Thread.currentThread().getName());
            }
          });
    }

    @Override
    protected List<BadSample> badSamples(Path target) throws IOException {
      return super.badSamples(target).stream()
          .map(bad -> new BadSample(bad.source(), List.of("line 6")))
          .toList();
    }
  }

  @Test
  void catchesAMessageThatDependsOnThreads() {
    assertBreaks(NamesItsThread.class, "explainsBadDataAlikeAtAnyThreadCount");
  }

  static class LetsExceptionsOut extends Contract {
    LetsExceptionsOut() {
      super(
          new TinyLoader() {
            @Override
            List<String> lines(Path path) {
              try {
                return Files.readAllLines(path);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }
          });
    }
  }

  @Test
  void catchesAnUnexplainedMissingFile() {
    assertBreaks(LetsExceptionsOut.class, "explainsAMissingFile");
  }

  static class KeepsBatches extends Contract {
    KeepsBatches() {
      super(
          new TinyLoader() {
            @Override
            void abandon(RatingBatch batch) {}
          });
    }
  }

  @Test
  void catchesABatchThatIsNeverClosed() {
    assertBreaks(KeepsBatches.class, "explainsBadData", "explainsBadDataAlikeAtAnyThreadCount");
  }

  static class NeverAsks extends Contract {
    NeverAsks() {
      super(
          new TinyLoader() {
            @Override
            public void load(DataSource source, RatingSink sink, RunContext context) {
              super.load(
                  source,
                  sink,
                  new RunContext(
                      context.allocator(),
                      new DirectParallelism(),
                      () -> false,
                      context.listener()));
            }
          });
    }

    /** One thread reads the lines in order: only the polling is missing. */
    @Override
    protected List<BadSample> badSamples(Path target) {
      return List.of();
    }
  }

  @Test
  void catchesALoaderThatIsNeverCancelled() {
    assertBreaks(NeverAsks.class, "endsWithCancelledWhenAskedToStop");
  }
}
