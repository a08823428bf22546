package org.pecf.plugin.loaders.citeulike;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.pecf.plugin.loaders.testing.Loading.assertRefused;
import static org.pecf.plugin.loaders.testing.Loading.gzip;
import static org.pecf.plugin.loaders.testing.Loading.load;
import static org.pecf.plugin.loaders.testing.Loading.positive;
import static org.pecf.plugin.loaders.testing.Loading.write;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.Recognition;
import org.pecf.plugin.loaders.citeulike.CiteULikeLoaderProvider.Layout;
import org.pecf.plugin.loaders.testing.Loading;
import org.pecf.plugin.loaders.text.TextReader;
import org.pecf.testkit.fixture.LoadedRating;

class CiteULikeLoaderTest {
  @TempDir Path folder;

  private final CiteULikeLoader loader = loader(Layout.AUTO, 1 << 20);

  private static CiteULikeLoader loader(Layout layout, int chunk) {
    return new CiteULikeLoader(layout, new TextReader(chunk));
  }

  @Test
  void numbersUsersOfCountedLinesFromZero() {
    Path file = write(folder, "users.dat", "2 4 5\n0\n3 0 1 2\n1 9");
    List<String> events = new ArrayList<>();
    assertEquals(
        List.of(
            positive(0, 4),
            positive(0, 5),
            positive(2, 0),
            positive(2, 1),
            positive(2, 2),
            positive(3, 9)),
        load(loader, file.toString(), 2, events).ratings());
    assertEquals(List.of(file + ": lines begin with the number of items (layout counted)"), events);
    assertEquals(6, load(loader, folder).ratings().size());
  }

  @Test
  void readsLabelledLines() {
    Path file = write(folder, "train", "0 7 8 9\n1\n5 1 \n12 3 4 5\n");
    assertEquals(
        List.of(
            positive(0, 7),
            positive(0, 8),
            positive(0, 9),
            positive(5, 1),
            positive(12, 3),
            positive(12, 4),
            positive(12, 5)),
        load(loader, file).ratings());
  }

  @Test
  void obeysTheLayoutOption() {
    Path file = write(folder, "both", "1 5\n2 6 7\n");
    assertEquals(
        List.of(positive(0, 5), positive(1, 6), positive(1, 7)), load(loader, file).ratings());
    assertEquals(
        List.of(positive(1, 5), positive(2, 6), positive(2, 7)),
        load(loader(Layout.LABELLED, 64), file).ratings());
  }

  @Test
  void countsABlankLineAsAUserWithoutItems() {
    Path file = write(folder, "blank", "1 5\n\n2 6 7\n\n");
    assertEquals(
        List.of(positive(0, 5), positive(2, 6), positive(2, 7)), load(loader, file).ratings());
  }

  @Test
  void refusesAWrongCountAmongRightOnes() {
    assertRefused(
        loader,
        write(folder, "users.dat", "1 5\n2 6 7\n3 1 2\n1 1\n"),
        "PATH:3:1: the line begins with the count 3, but 2 items follow. Expected 'count item item"
            + " ...'; correct this line, or set layout=labelled if lines begin with the user's"
            + " id.");
  }

  @Test
  void refusesWhatIsNoNumber() {
    String labelled =
        " is not a whole number without leading zeros. Expected 'user item item"
            + " ...'; correct this line or leave it out.";
    CiteULikeLoader asLabelled = loader(Layout.LABELLED, 1 << 20);
    assertRefused(asLabelled, write(folder, "a", "0 1\n1 2 x\n"), "PATH:2:5: item 'x'" + labelled);
    assertRefused(asLabelled, write(folder, "b", "0 1\ny 2\n"), "PATH:2:1: user 'y'" + labelled);
    assertRefused(
        loader(Layout.COUNTED, 1 << 20),
        write(folder, "c", "1 1\n-1 2\n"),
        "PATH:2:1: count '-1' is negative. Expected 'count item item ...'; correct this line or"
            + " leave it out.");
    assertRefused(
        asLabelled,
        write(folder, "d", "0 1\n1 \0\n"),
        "PATH:2:3: there is a NUL byte, so this is no text. Name a file of ratings in UTF-8 or"
            + " UTF-16.");
  }

  @Test
  void refusesFilesWithoutAnyItem() {
    assertRefused(
        loader,
        write(folder, "none", "0\n0\n"),
        "PATH holds no ratings. Check that it is the right file.");
    assertRefused(
        loader,
        Path.of(folder.toString()),
        "PATH: no users.dat in this folder. Name the file of ratings itself.");
  }

  @Test
  void loadsWhatWasWrittenWhateverTheChunksAndThreads() {
    Random random = new Random(5);
    List<LoadedRating> counted = new ArrayList<>();
    List<LoadedRating> labelled = new ArrayList<>();
    StringBuilder countedText = new StringBuilder();
    StringBuilder labelledText = new StringBuilder();
    for (int user = 0; user < 200; user++) {
      int count = random.nextInt(12);
      countedText.append(count);
      labelledText.append(user + 1000);
      for (int i = 0; i < count; i++) {
        long item = random.nextInt(1 << random.nextInt(20) + 1);
        counted.add(positive(user, item));
        labelled.add(positive(user + 1000, item));
        countedText.append(' ').append(item);
        labelledText.append(' ').append(item);
      }
      countedText.append('\n');
      labelledText.append('\n');
    }
    Path countedFile = write(folder, "counted", countedText.toString());
    Path countedPacked = write(folder, "countedPacked", gzip(countedText.toString()));
    Path labelledFile = write(folder, "labelled", labelledText.toString());
    for (int chunk : new int[] {1, 13, 100, 1 << 20}) {
      for (int threads = 1; threads <= 2; threads++) {
        CiteULikeLoader chunked = loader(Layout.AUTO, chunk);
        assertEquals(counted, load(chunked, countedFile.toString(), threads).ratings());
        assertEquals(counted, load(chunked, countedPacked.toString(), threads).ratings());
        assertEquals(labelled, load(chunked, labelledFile.toString(), threads).ratings());
      }
    }
    assertEquals(Recognition.CERTAIN, loader.recognise(new DataSource(countedFile.toString())));
    assertEquals(Recognition.LIKELY, loader.recognise(new DataSource(labelledFile.toString())));
  }

  @Test
  void readsCiteULikeA() {
    Optional<Path> file = Loading.realData("citeulike-a/users.dat");
    assumeTrue(file.isPresent(), "no citeulike-a in PECF_DATA");
    List<LoadedRating> rows =
        load(loader(Layout.AUTO, 100_000), file.get().toString(), 2).ratings();
    assertEquals(204_986, rows.size());
    assertEquals(5_551, rows.stream().map(LoadedRating::user).distinct().count());
    assertEquals(16_980, rows.stream().map(LoadedRating::item).distinct().count());
    assertTrue(rows.contains(positive(0, 495)));
    assertEquals(Recognition.CERTAIN, loader.recognise(new DataSource(file.get().toString())));
  }

  @Test
  void readsMovieLensFiveStars() {
    Optional<Path> train = Loading.realData("ml-1m-fivestar/train_users.dat");
    Optional<Path> test = Loading.realData("ml-1m-fivestar/test_users.dat");
    assumeTrue(train.isPresent() && test.isPresent(), "no ml-1m-fivestar in PECF_DATA");
    List<LoadedRating> rows = new ArrayList<>(load(loader, train.get()).ratings());
    assertEquals(179_207, rows.size());
    List<LoadedRating> testRows = load(loader, test.get()).ratings();
    assertEquals(47_103, testRows.size());
    rows.addAll(testRows);
    assertEquals(6_014, rows.stream().map(LoadedRating::user).distinct().count());
    assertEquals(3_232, rows.stream().map(LoadedRating::item).distinct().count());
    assertEquals(Recognition.LIKELY, loader.recognise(new DataSource(train.get().toString())));
    assertEquals(Recognition.LIKELY, loader.recognise(new DataSource(test.get().toString())));
  }

  @Test
  void refusesATableOfRatings() {
    String table = "196\t242\t3\t881250949\n186\t302\t3\t891717742\n196\t377\t1\t878887116\n";
    assertRefused(
        loader(Layout.AUTO, 1 << 18),
        write(folder, "u.data", table),
        "PATH:1:1: '196\\t242\\t3\\t881250949' is a line of a table of ratings, not a list of"
            + " items: all lines have equally many columns, and users have several. Use the format"
            + " csv, or set layout=labelled if these are lists.");
    assertEquals(
        9, load(loader(Layout.LABELLED, 1 << 18), folder.resolve("u.data")).ratings().size());
  }
}
