package org.pecf.plugin.loaders.arrow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.pecf.plugin.loaders.testing.Loading.assertRefused;
import static org.pecf.plugin.loaders.testing.Loading.load;
import static org.pecf.plugin.loaders.testing.Loading.positive;
import static org.pecf.plugin.loaders.testing.Loading.rating;
import static org.pecf.plugin.loaders.testing.Loading.write;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.TimeStampMilliVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.Recognition;
import org.pecf.testkit.fixture.LoadedRating;

class ArrowLoaderTest {
  @TempDir Path folder;
  private RootAllocator root;

  @BeforeEach
  void open() {
    root = new RootAllocator();
  }

  @AfterEach
  void close() {
    root.close();
  }

  private static ArrowLoader loader(String... options) {
    Map<String, String> texts = new HashMap<>();
    for (int i = 0; i < options.length; i += 2) {
      texts.put(options[i], options[i + 1]);
    }
    return new ArrowLoader(new ArrowLoaderProvider().options().bind("loader arrow", texts));
  }

  private BigIntVector longs(String name, long... values) {
    BigIntVector vector = new BigIntVector(name, root);
    for (int i = 0; i < values.length; i++) {
      vector.setSafe(i, values[i]);
    }
    vector.setValueCount(values.length);
    return vector;
  }

  private IntVector ints(String name, int... values) {
    IntVector vector = new IntVector(name, root);
    for (int i = 0; i < values.length; i++) {
      vector.setSafe(i, values[i]);
    }
    vector.setValueCount(values.length);
    return vector;
  }

  private Float4Vector floats(String name, float... values) {
    Float4Vector vector = new Float4Vector(name, root);
    for (int i = 0; i < values.length; i++) {
      vector.setSafe(i, values[i]);
    }
    vector.setValueCount(values.length);
    return vector;
  }

  private VarCharVector texts(String name, String... values) {
    VarCharVector vector = new VarCharVector(name, root);
    for (int i = 0; i < values.length; i++) {
      vector.setSafe(i, values[i].getBytes(StandardCharsets.UTF_8));
    }
    vector.setValueCount(values.length);
    return vector;
  }

  private Path file(boolean stream, int batches, FieldVector... columns) {
    byte[] bytes = ArrowSamples.write(stream, batches, List.of(columns), List.of());
    Arrays.stream(columns).forEach(FieldVector::close);
    return write(folder, stream ? "stream.arrows" : "file.arrow", bytes);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void readsFilesAndStreamsOfSeveralBatches(boolean stream) {
    Path file =
        file(
            stream,
            3,
            longs("user", 1, 2),
            longs("item", 3, 4),
            floats("rating", 0.5f, 5),
            longs("time", 100, 200));
    List<LoadedRating> batch = List.of(rating(1, 3, 0.5, 100), rating(2, 4, 5, 200));
    assertEquals(
        java.util.stream.Stream.of(batch, batch, batch).flatMap(List::stream).toList(),
        load(loader(), file).ratings());
    assertEquals(Recognition.CERTAIN, loader().recognise(new DataSource(file.toString())));
  }

  @Test
  void convertsOtherTypes() {
    Float8Vector ratings = new Float8Vector("rating", root);
    ratings.setSafe(0, 3.25);
    ratings.setValueCount(1);
    TimeStampMilliVector times = new TimeStampMilliVector("time", root);
    times.setSafe(0, -1);
    times.setValueCount(1);
    LargeVarCharVector items = new LargeVarCharVector("item", root);
    items.setSafe(0, "é".getBytes(StandardCharsets.UTF_8));
    items.setValueCount(1);
    Path file = file(false, 1, ints("user", 7), items, ratings, times);
    assertEquals(List.of(LoadedRating.of(7L, "é", 3.25f, -1)), load(loader(), file).ratings());

    DateDayVector days = new DateDayVector("time", root);
    days.setSafe(0, 2);
    days.setValueCount(1);
    Path second = file(false, 1, texts("user", "a"), ints("item", 1), ints("rating", 4), days);
    assertEquals(List.of(LoadedRating.of("a", 1L, 4, 172_800)), load(loader(), second).ratings());
  }

  @Test
  void findsColumnsAndUnitsAsTheCsvLoaderDoes() {
    Path file =
        file(
            false,
            1,
            longs("userId", 1),
            longs("Movie_ID", 2),
            floats("Feedback", 3),
            longs("timestamp", 1_125_964_800_999L));
    assertEquals(List.of(rating(1, 2, 3, 1_125_964_800L)), load(loader(), file).ratings());
    Path texts = file(false, 1, longs("user", 1), longs("item", 2), texts("date", "last week"));
    List<String> events = new ArrayList<>();
    assertEquals(List.of(positive(1, 2)), load(loader(), texts.toString(), 1, events).ratings());
    assertEquals(
        List.of(
            texts
                + ": times of type Utf8 in column 'date' are not read, as their format is"
                + " unknown."),
        events);
    DateDayVector days = new DateDayVector("seen", root);
    days.setSafe(0, 2);
    days.setValueCount(1);
    Path unnamed = file(false, 1, longs("user", 1), longs("item", 2), days);
    events.clear();
    assertEquals(List.of(positive(1, 2)), load(loader(), unnamed.toString(), 1, events).ratings());
    assertEquals(
        List.of(
            unnamed
                + ": column 'seen' looks like times but is not read. Set"
                + " arrow.time-column=seen to read it."),
        events);
    assertRefused(
        loader(),
        file(false, 1, longs("usr", 1), longs("item", 2)),
        "PATH: which column is the user? Did you mean 'usr'? Its columns are: usr, item. Set"
            + " arrow.user-column=usr, or another of them.");
  }

  @Test
  void takesColumnsByName() {
    Path file = file(true, 1, longs("who", 1), longs("what", 2), floats("stars", 3));
    assertEquals(
        List.of(positive(1, 2)),
        load(loader("user-column", "who", "item-column", "what", "rating-column", "none"), file)
            .ratings());
    assertEquals(
        List.of(LoadedRating.of(1L, 2L, 3)),
        load(loader("user-column", "who", "item-column", "what"), file).ratings());
    assertRefused(
        loader(),
        file,
        "PATH: which column is the user? Its columns are: who, what, stars. Set"
            + " arrow.user-column=who, or another of them.");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void decodesDictionaries(boolean stream) {
    try (VarCharVector words = texts("words", "x", "y");
        VarCharVector plain = texts("item", "y", "x", "y");
        BigIntVector users = longs("user", 1, 2, 3)) {
      Dictionary dictionary = new Dictionary(words, new DictionaryEncoding(9, false, null));
      try (FieldVector encoded = (FieldVector) DictionaryEncoder.encode(plain, dictionary)) {
        byte[] bytes = ArrowSamples.write(stream, 2, List.of(users, encoded), List.of(dictionary));
        List<LoadedRating> once =
            List.of(LoadedRating.of(1L, "y"), LoadedRating.of(2L, "x"), LoadedRating.of(3L, "y"));
        List<LoadedRating> ratings = load(loader(), write(folder, "dictionary", bytes)).ratings();
        assertEquals(6, ratings.size());
        assertEquals(once, ratings.subList(0, 3));
        assertEquals(once, ratings.subList(3, 6));
      }
    }
  }

  @Test
  void refusesNullsAndNumbersThatDoNotFit() {
    BigIntVector users = longs("user", 1, 2);
    users.setNull(1);
    assertRefused(
        loader(),
        file(false, 1, users, longs("item", 1, 2)),
        "PATH: row 2, column 'user': null is not a value. Correct this row or leave it out.");
    assertRefused(
        loader(),
        file(false, 1, longs("user", 1, 2), longs("item", 1, 2), floats("rating", 1, Float.NaN)),
        "PATH: row 2, column 'rating': NaN is not a finite 32-bit number. Correct this row or leave"
            + " it out.");
    UInt8Vector large = new UInt8Vector("item", root);
    large.setSafe(0, -1L);
    large.setValueCount(1);
    assertRefused(
        loader(),
        file(false, 1, longs("user", 1), large),
        "PATH: row 1, column 'item': 18446744073709551615 is beyond 63 bits. Correct this row or"
            + " leave it out.");
    assertRefused(
        loader(),
        file(false, 1, floats("user", 1), longs("item", 1)),
        "PATH: column 'user' is of type FloatingPoint(SINGLE). Convert it to integers, utf8 or"
            + " large utf8, plain or dictionary-encoded, or name another column.");
  }

  @Test
  void refusesTextThatIsNotUtf8() {
    VarCharVector items = new VarCharVector("item", root);
    items.setSafe(0, new byte[] {(byte) 0xff});
    items.setValueCount(1);
    assertRefused(
        loader(),
        file(false, 1, longs("user", 1), items),
        "PATH: column 'item' holds text that is not UTF-8. Write the file again, in UTF-8.");
  }

  @Test
  void refusesFilesWithoutRows() {
    assertRefused(
        loader(),
        file(true, 1, longs("user"), longs("item")),
        "PATH holds no ratings. Check that it is the right file.");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void refusesEveryTruncation(boolean stream) throws Exception {
    Path whole = file(stream, 2, longs("user", 1, 2, 3), texts("item", "a", "b", "c"));
    byte[] bytes = java.nio.file.Files.readAllBytes(whole);
    int complete = 0;
    for (int length = 0; length < bytes.length; length += 3) {
      Path part = write(folder, "part", Arrays.copyOf(bytes, length));
      try {
        List<LoadedRating> ratings = load(loader(), part).ratings();
        // A stream that ends between two messages cannot be told from a shorter one.
        assertTrue(stream && ratings.size() % 3 == 0, length + " bytes");
        complete++;
      } catch (PecfException e) {
        assertTrue(e.getMessage().startsWith(part.toString()), e.getMessage());
      }
    }
    assertTrue(stream ? complete < 20 : complete == 0, complete + " truncations were accepted");
  }

  @Test
  void refusesOtherFiles() {
    assertRefused(
        loader(),
        write(folder, "text", "user,item\n1,2\n"),
        "PATH is neither an Arrow IPC file nor a stream. Check its format.");
    assertRefused(
        loader(), write(folder, "empty", ""), "PATH is empty. Name a file that holds ratings.");
    assertRefused(loader(), folder, "PATH is a folder, but a file is needed. Name the file in it.");
    assertThrows(PecfException.class, () -> load(loader(), "builtin:demo", 1));
  }
}
