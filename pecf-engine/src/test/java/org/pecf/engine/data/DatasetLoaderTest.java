package org.pecf.engine.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.Part;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingSink;
import org.pecf.api.data.Recognition;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunEvent;
import org.pecf.engine.plugin.ProviderChoice;

class DatasetLoaderTest {
  private final BufferAllocator allocator = new RootAllocator();
  private final Map<String, RatingLoader> loaders = new TreeMap<>();
  private final List<RunEvent> events = new ArrayList<>();

  @TempDir private Path folder;

  @AfterEach
  void nothingLeaks() {
    assertEquals(0, allocator.getAllocatedMemory());
    allocator.close();
  }

  /**
   * A loader of lines of "user item rating" with numbers.
   *
   * @param mark the first line of a file that the loader recognises
   * @param sureness its certainty then
   */
  private record LineLoader(String mark, Recognition sureness) implements RatingLoader {
    @Override
    public Recognition recognise(DataSource source) {
      return lines(source).get(0).equals(mark) ? sureness : Recognition.NO;
    }

    @Override
    public void load(DataSource source, RatingSink sink, RunContext context) {
      List<Ratings.Row> rows = new ArrayList<>();
      for (String line : lines(source).subList(1, lines(source).size())) {
        String[] words = line.split(" ");
        rows.add(
            Ratings.row(
                Long.parseLong(words[0]),
                Long.parseLong(words[1]),
                Float.parseFloat(words[2]),
                rows.size()));
      }
      new Ratings(Ratings.FULL, rows).publish(sink, 2);
    }

    private static List<String> lines(DataSource source) {
      try {
        return Files.readAllLines(source.path().orElseThrow());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private String file(String name, String... lines) throws IOException {
    return Files.write(folder.resolve(name), List.of(lines)).toString();
  }

  private Dataset load(DataRequest request) {
    RatingLoaders lookup =
        new RatingLoaders(
            loaders.keySet(), "embedding"::equals, choice -> loaders.get(choice.id()));
    RunContext context = new RunContext(allocator, Ratings.oneThread(), () -> false, events::add);
    return new DatasetLoader(lookup).load(request, context);
  }

  private static String problem(Runnable work, ErrorCode code) {
    PecfException problem = assertThrows(PecfException.class, work::run);
    assertEquals(code, problem.code());
    return problem.getMessage();
  }

  @Test
  void embeddedDataIsAskedOfLoadersThatHaveSome() {
    loaders.put(
        "embedding",
        new RatingLoader() {
          @Override
          public Recognition recognise(DataSource source) {
            return source.builtin().isPresent() ? Recognition.CERTAIN : Recognition.NO;
          }

          @Override
          public void load(DataSource source, RatingSink sink, RunContext context) {
            new Ratings(Ratings.FULL, List.of(Ratings.row(1, 7, 5, 0))).publish(sink, 2);
          }
        });
    // It fails if it is asked about a source without a path.
    loaders.put("files", new LineLoader("# lines", Recognition.CERTAIN));
    try (Dataset dataset = load(DataRequest.of("builtin:one"))) {
      assertEquals(List.of("1 7"), Ratings.cells(dataset));
    }
    loaders.remove("embedding");
    assertEquals(
        "No loader recognises builtin:one. Name its format, one of files, or add a plugin that"
            + " reads it.",
        problem(() -> load(DataRequest.of("builtin:one")), ErrorCode.BAD_DATA));
  }

  @Test
  void surestLoaderReads() throws IOException {
    loaders.put("general", new LineLoader("# lines", Recognition.POSSIBLE));
    loaders.put("special", new LineLoader("# lines", Recognition.CERTAIN));
    loaders.put("stranger", new LineLoader("# other", Recognition.CERTAIN));
    loaders.put(
        "broken",
        new RatingLoader() {
          @Override
          public Recognition recognise(DataSource source) {
            throw new IllegalStateException("no idea");
          }

          @Override
          public void load(DataSource source, RatingSink sink, RunContext context) {
            throw new IllegalStateException("never asked");
          }
        });
    String location = file("data", "# lines", "1 7 5", "1 8 2", "2 7 5");
    DataRequest all = DataRequest.of(location);
    try (Dataset dataset =
        load(
            new DataRequest(
                location,
                all.validationLocation(),
                all.testLocation(),
                all.format(),
                PositiveRule.parse(">=5"),
                0,
                0,
                DuplicatePolicy.LAST))) {
      assertEquals(List.of("1 7", "2 7"), Ratings.cells(dataset));
      assertEquals(
          List.of(
              new FormatRecognised(location, "special", Recognition.CERTAIN),
              new DatasetLoaded(location, dataset.summary())),
          events);
      assertEquals("reading " + location + " as special", events.get(0).summary());
      assertEquals(
          location
              + ": 2 users, 1 items, 2 positives of 3 ratings (0 duplicates, 1 not positive, 0 of"
              + " users or items with too few)",
          events.get(1).summary());
    }
  }

  @Test
  void tieIsAnErrorThatNamesTheCandidates() throws IOException {
    loaders.put("one", new LineLoader("# lines", Recognition.LIKELY));
    loaders.put("two", new LineLoader("# lines", Recognition.LIKELY));
    loaders.put("weak", new LineLoader("# lines", Recognition.POSSIBLE));
    DataRequest request = DataRequest.of(file("data", "# lines", "1 7 5"));
    String message = problem(() -> load(request), ErrorCode.BAD_DATA);
    assertTrue(message.contains("could be in the format one or two. Name the one"), message);
  }

  @Test
  void unrecognisedSourceIsAnErrorThatListsFormats() throws IOException {
    loaders.put("one", new LineLoader("# lines", Recognition.LIKELY));
    loaders.put("two", new LineLoader("# others", Recognition.LIKELY));
    DataRequest request = DataRequest.of(file("data", "???"));
    String message = problem(() -> load(request), ErrorCode.BAD_DATA);
    assertTrue(message.contains("Name its format, one of one, two"), message);
    String inFolder = problem(() -> load(DataRequest.of(folder.toString())), ErrorCode.BAD_DATA);
    assertTrue(inFolder.contains("name one of its files"), inFolder);
  }

  @Test
  void missingFileIsNamedWithItsFullPath() {
    String place = folder.resolve("nowhere").toString();
    String message = problem(() -> load(DataRequest.of(place)), ErrorCode.BAD_DATA);
    assertTrue(message.contains(place), message);
    problem(() -> load(DataRequest.of("\0")), ErrorCode.BAD_DATA);
  }

  @Test
  void sourceThatNobodyCanReadIsExplainedByTheNearestLoader() throws IOException {
    loaders.put("lines", new LineLoader("# lines", Recognition.BROKEN));
    loaders.put("stranger", new LineLoader("# other", Recognition.CERTAIN));
    DataRequest request = DataRequest.of(file("bad", "# lines", "1 x 5"));
    // The loader's own problem, not that no loader recognises the file.
    assertThrows(NumberFormatException.class, () -> load(request));
    loaders.put("more", new LineLoader("# lines", Recognition.POSSIBLE));
    loaders.remove("lines");
    loaders.put("a", new LineLoader("# lines", Recognition.BROKEN));
    assertThrows(NumberFormatException.class, () -> load(request));
  }

  @Test
  void locationsOfPartsAreLoadedIntoOneSpaceOfIds() throws IOException {
    loaders.put("lines", new LineLoader("# lines", Recognition.CERTAIN));
    DataRequest request =
        new DataRequest(
            file("train", "# lines", "1 7 5", "2 8 5"),
            Optional.of(file("validation", "# lines", "1 8 5")),
            Optional.of(file("test", "# lines", "3 7 5")),
            ProviderChoice.of("lines"),
            PositiveRule.all(),
            0,
            0,
            DuplicatePolicy.LAST);
    try (Dataset dataset = load(request)) {
      assertEquals(List.of("1 7", "1 8", "2 8", "3 7"), Ratings.cells(dataset));
      assertEquals(List.of(2, 1, 1), dataset.summary().parts());
      assertEquals(Part.VALIDATION.ordinal(), dataset.parts().get().get(1));
    }
  }

  @Test
  void failingLoaderLeavesNoMemoryBehind() throws IOException {
    loaders.put("lines", new LineLoader("# lines", Recognition.CERTAIN));
    DataRequest request =
        new DataRequest(
            file("train", "# lines", "1 7 5"),
            Optional.empty(),
            Optional.of(file("test", "# lines", "1 x 5")),
            ProviderChoice.of("auto"),
            PositiveRule.all(),
            0,
            0,
            DuplicatePolicy.LAST);
    assertThrows(NumberFormatException.class, () -> load(request));
  }
}
