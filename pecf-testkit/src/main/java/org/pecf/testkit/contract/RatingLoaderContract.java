package org.pecf.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apiguardian.api.API;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.api.data.Recognition;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunListener;
import org.pecf.api.run.Seed;
import org.pecf.testkit.fixture.CollectingSink;
import org.pecf.testkit.fixture.CountdownCancellation;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.LoadedRating;
import org.pecf.testkit.fixture.ThreadedParallelism;

/**
 * The contract of a rating loader: extend this class and supply the provider and samples.
 *
 * <p>A sample larger than one of the loader's batches makes the checks of threads, order and
 * cancellation worth more.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public abstract class RatingLoaderContract extends ProviderContract {
  /**
   * A source and its ratings.
   *
   * @param source the source
   * @param ratings the ratings that a loader must read, in order
   */
  public record Sample(DataSource source, List<LoadedRating> ratings) {
    public Sample {
      ratings = List.copyOf(ratings);
    }
  }

  /**
   * A source that cannot be read, and the words that its error must contain.
   *
   * @param source the source
   * @param fragments texts that the message must contain, such as file and line
   */
  public record BadSample(DataSource source, List<String> fragments) {
    public BadSample {
      fragments = List.copyOf(fragments);
    }
  }

  @TempDir Path folder;
  private RootAllocator root;

  /** For subclasses. */
  protected RatingLoaderContract() {}

  @Override
  protected abstract RatingLoaderProvider<?> provider();

  /** Write a good sample into an empty folder, or refer to embedded data. */
  protected abstract Sample sample(Path target) throws IOException;

  /** Write bad samples into an empty folder; none for loaders whose source cannot be bad. */
  protected abstract List<BadSample> badSamples(Path target) throws IOException;

  /** Set up the memory. */
  @BeforeEach
  void openMemory() {
    root = new RootAllocator();
  }

  /** Close the memory of the test; a leak fails it. */
  @AfterEach
  void closeMemory() {
    root.close();
  }

  /** The sample is read in order and in full. */
  @Test
  public void loadsTheSample() throws IOException {
    Sample sample = sample(folder);
    assertEquals(sample.ratings(), load(sample.source(), new DirectParallelism()));
  }

  /** Threads and the order of tasks change nothing. */
  @Test
  public void loadsTheSameAtAnyThreadCount() throws IOException {
    Sample sample = sample(folder);
    for (Parallelism parallelism :
        List.of(
            new ThreadedParallelism(2),
            new ThreadedParallelism(3),
            new DirectParallelism().withThreads(3).shuffled(51),
            new DirectParallelism().withThreads(2).reversed())) {
      assertEquals(
          sample.ratings(),
          load(sample.source(), parallelism),
          () -> parallelism.threads() + " threads, " + parallelism.getClass().getSimpleName());
    }
  }

  /** The loader knows its own format. */
  @Test
  public void recognisesTheSample() throws IOException {
    assertTrue(
        loader().recognise(sample(folder).source()).compareTo(Recognition.BROKEN) > 0,
        "does not recognise its own sample");
  }

  /** Noise, nothing and missing files are not recognised, without an exception. */
  @Test
  public void doesNotRecogniseRubbish() throws IOException {
    byte[] noise = new byte[3000];
    SplittableRandom random = new Seed(52).random();
    for (int k = 0; k < noise.length; k++) {
      noise[k] = (byte) random.nextInt();
    }
    Path noisy = Files.write(folder.resolve("noise"), noise);
    Path empty = Files.write(folder.resolve("empty"), new byte[0]);
    Path hollow = Files.createDirectory(folder.resolve("hollow"));
    Path missing = folder.resolve("missing");
    assertAll(
        List.of(noisy, empty, hollow, missing).stream()
            .map(
                path ->
                    () ->
                        assertTrue(
                            loader()
                                    .recognise(new DataSource(path.toString()))
                                    .compareTo(Recognition.BROKEN)
                                <= 0,
                            path.getFileName().toString())));
    // A loader of embedded data may claim unknown names weakly, to answer with the known ones.
    Recognition embedded = loader().recognise(new DataSource("builtin:no-such-data"));
    assertTrue(embedded.compareTo(Recognition.POSSIBLE) <= 0, "embedded data of an unknown name");
    assertTrue(
        embedded == Recognition.NO || provider().embedsData(),
        "recognises embedded data, about which it is never asked: its provider says that it has"
            + " none");
  }

  /** Bad data is refused in words that lead to it. */
  @Test
  public void explainsBadData() throws IOException {
    assertAll(
        badSamples(folder).stream()
            .map(bad -> () -> assertExplained(bad, new DirectParallelism())));
  }

  /** The first problem is the one reported, at any number of threads. */
  @Test
  public void explainsBadDataAlikeAtAnyThreadCount() throws IOException {
    assertAll(
        badSamples(folder).stream()
            .map(
                bad ->
                    () ->
                        assertEquals(
                            assertExplained(bad, new DirectParallelism()),
                            assertExplained(bad, new ThreadedParallelism(3)))));
  }

  private String assertExplained(BadSample bad, Parallelism parallelism) {
    PecfException problem =
        assertThrows(
            PecfException.class,
            () -> load(bad.source(), parallelism),
            () -> "reads " + bad.source());
    assertEquals(ErrorCode.BAD_DATA, problem.code(), problem.getMessage());
    for (String fragment : bad.fragments()) {
      assertTrue(
          problem.getMessage().contains(fragment),
          () -> "'" + fragment + "' is not in '" + problem.getMessage() + "'");
    }
    return problem.getMessage();
  }

  /** A missing file is named. */
  @Test
  public void explainsAMissingFile() {
    DataSource missing = new DataSource(folder.resolve("missing").toString());
    PecfException problem =
        assertThrows(PecfException.class, () -> load(missing, new DirectParallelism()));
    assertEquals(ErrorCode.BAD_DATA, problem.code(), problem.getMessage());
    assertTrue(
        problem.getMessage().contains("missing"),
        () -> "the file is not named in '" + problem.getMessage() + "'");
  }

  /** Loading looks whether to stop, and gives back its memory. */
  @Test
  public void endsWithCancelledWhenAskedToStop() throws IOException {
    Sample sample = sample(folder);
    for (int polls : new int[] {0, 1, 2, 4}) {
      CountdownCancellation token = new CountdownCancellation(polls);
      try {
        load(sample.source(), new DirectParallelism().cancelledBy(token), token);
        assertTrue(polls > 0, "never asks whether to stop");
        assertFalse(token.answered(), "goes on when asked to stop at poll " + (polls + 1));
      } catch (PecfException e) {
        assertEquals(ErrorCode.CANCELLED, e.code(), e.getMessage());
      }
    }
  }

  /** Read a source on one thread, in memory of its own. */
  List<LoadedRating> load(DataSource source) {
    try (RootAllocator memory = new RootAllocator()) {
      CollectingSink sink = new CollectingSink(memory);
      loader()
          .load(
              source,
              sink,
              new RunContext(memory, new DirectParallelism(), () -> false, RunListener.none()));
      return sink.ratings();
    }
  }

  private List<LoadedRating> load(DataSource source, Parallelism parallelism) {
    return load(source, parallelism, () -> false);
  }

  /** Load with memory of its own, all of which must be back afterwards. */
  private List<LoadedRating> load(
      DataSource source, Parallelism parallelism, Cancellation cancellation) {
    BufferAllocator working = root.newChildAllocator("loader", 0, Long.MAX_VALUE);
    BufferAllocator batches = root.newChildAllocator("sink", 0, Long.MAX_VALUE);
    CollectingSink sink = new CollectingSink(batches);
    RuntimeException problem = null;
    try {
      loader()
          .load(
              source, sink, new RunContext(working, parallelism, cancellation, RunListener.none()));
    } catch (RuntimeException e) {
      problem = e;
    }
    long kept = working.getAllocatedMemory() + batches.getAllocatedMemory();
    if (kept > 0) {
      throw new AssertionError(
          "the loader keeps " + kept + " bytes" + (problem == null ? "" : " after " + problem),
          problem);
    }
    working.close();
    batches.close();
    if (problem != null) {
      throw problem;
    }
    return sink.ratings();
  }

  RatingLoader loader() {
    return loader(provider());
  }

  private <O extends Record> RatingLoader loader(RatingLoaderProvider<O> provider) {
    return provider.create(provider.options().bind(provider.describe().id(), optionTexts()));
  }
}
