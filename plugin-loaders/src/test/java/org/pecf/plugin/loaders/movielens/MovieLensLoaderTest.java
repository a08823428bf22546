package org.pecf.plugin.loaders.movielens;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.pecf.plugin.loaders.testing.Loading.assertRefused;
import static org.pecf.plugin.loaders.testing.Loading.gzip;
import static org.pecf.plugin.loaders.testing.Loading.load;
import static org.pecf.plugin.loaders.testing.Loading.rating;
import static org.pecf.plugin.loaders.testing.Loading.write;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.IdKind;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.data.Recognition;
import org.pecf.plugin.loaders.testing.Loading;
import org.pecf.plugin.loaders.text.TextReader;
import org.pecf.testkit.fixture.CollectingSink;
import org.pecf.testkit.fixture.LoadedRating;

class MovieLensLoaderTest {
  private static final String EXPECTED_TABS =
      ". Expected user<TAB>item<TAB>rating<TAB>timestamp; correct this line or leave it out.";

  @TempDir Path folder;

  private final MovieLensLoader loader = new MovieLensLoader(TextReader.standard());

  @Test
  void readsTabSeparatedData() {
    Path file = write(folder, "u.data", "196\t242\t3\t881250949\n186\t302\t5\t891717742\n");
    CollectingSink sink = load(loader, file);
    assertEquals(
        List.of(rating(196, 242, 3, 881250949), rating(186, 302, 5, 891717742)), sink.ratings());
    assertEquals(
        new RatingSchema(IdKind.INTEGER, IdKind.INTEGER, true, true), sink.schema().orElseThrow());
  }

  @Test
  void readsDoubleColonsWithHalfStars() {
    Path file = write(folder, "ratings.dat", "1::122::5::838985046\n1::185::4.5::838983525\n");
    assertEquals(
        List.of(rating(1, 122, 5, 838985046), rating(1, 185, 4.5, 838983525)),
        load(loader, file).ratings());
  }

  @Test
  void readsCsvWithItsHeader() {
    Path file =
        write(
            folder,
            "ratings.csv",
            "userId,movieId,rating,timestamp\n1,2,3.5,1112486027\n138493,71619,2.5,1255811136\n");
    assertEquals(
        List.of(rating(1, 2, 3.5, 1112486027), rating(138493, 71619, 2.5, 1255811136)),
        load(loader, file).ratings());
  }

  @Test
  void readsTheFileOfAFolder() {
    write(folder, "u.data", "1\t2\t3\t881250949\n");
    write(folder, "README", "something else");
    assertEquals(List.of(rating(1, 2, 3, 881250949)), load(loader, folder).ratings());
    assertEquals(Recognition.LIKELY, loader.recognise(new DataSource(folder.toString())));
  }

  @Test
  void refusesAFolderWithTwoOfThem() {
    write(folder, "u.data", "1\t2\t3\t881250949\n");
    write(folder, "ratings.dat", "1::122::5::838985046\n");
    assertRefused(
        loader,
        folder,
        "PATH: both ratings.dat and u.data are in this folder. Name the one to read.");
  }

  @Test
  void refusesAFolderWithNone() {
    assertRefused(
        loader,
        folder,
        "PATH: no ratings.csv or ratings.dat or u.data in this folder. Name the file of ratings"
            + " itself.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n"})
  void acceptsLineEndsBlankLinesMarkAndAMissingLastLineEnd(String lineEnd) {
    Path file =
        write(
            folder,
            "u.data",
            "\ufeff1\t2\t3\t881250949" + lineEnd + lineEnd + "4\t5\t1\t881250950");
    assertEquals(
        List.of(rating(1, 2, 3, 881250949), rating(4, 5, 1, 881250950)),
        load(loader, file).ratings());
  }

  @Test
  void namesTheLineAndColumnOfABadRating() {
    String good = "1\t2\t3\t881250949\n";
    Path file = write(folder, "u.data", good.repeat(16) + "1\t2\tabc\t881250949\n" + good);
    assertRefused(loader, file, "PATH:17:5: rating 'abc' is not a number" + EXPECTED_TABS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "-inf", "Infinity"})
  void refusesRatingsThatAreNotFinite(String rating) {
    Path file = write(folder, "u.data", "1\t2\t3\t1\n1\t2\t" + rating + "\t1\n");
    assertRefused(
        loader, file, "PATH:2:5: rating '" + rating + "' is not a finite number" + EXPECTED_TABS);
  }

  @Test
  void refusesRatingsThatOverflow() {
    Path file = write(folder, "u.data", "1\t2\t1e39\t1\n");
    assertRefused(
        loader, file, "PATH:1:5: rating '1e39' is too large for a 32-bit number" + EXPECTED_TABS);
  }

  @Test
  void refusesTooFewAndTooManyColumns() {
    assertRefused(
        loader,
        write(folder, "few", "1\t2\t3\t1\n1\t2\t3\n"),
        "PATH:2:6: too few columns: 3 instead of 4 in '1\\t2\\t3'" + EXPECTED_TABS);
    assertRefused(
        loader,
        write(folder, "many", "1\t2\t3\t1\n1\t2\t3\t4\t5\n"),
        "PATH:2:9: too many columns: 5 instead of 4 in '1\\t2\\t3\\t4\\t5'" + EXPECTED_TABS);
  }

  @Test
  void refusesIdsThatAreNoIntegersOrMissing() {
    assertRefused(
        loader,
        write(folder, "text", "1\tx2\t3\t1\n"),
        "PATH:1:3: item 'x2' is not a 64-bit whole number without leading zeros" + EXPECTED_TABS);
    assertRefused(
        loader,
        write(folder, "zeros", "007\t2\t3\t1\n"),
        "PATH:1:1: user '007' is not a 64-bit whole number without leading zeros" + EXPECTED_TABS);
    assertRefused(
        loader,
        write(folder, "missing", "1\t\t3\t1\n"),
        "PATH:1:3: the item is missing" + EXPECTED_TABS);
  }

  @Test
  void refusesTimesThatAreNone() {
    assertRefused(
        loader,
        write(folder, "time", "1\t2\t3\tnoon\n"),
        "PATH:1:7: time 'noon' is not a number of seconds since 1970" + EXPECTED_TABS);
  }

  @Test
  void shortensAndEscapesWhatItQuotes() {
    assertRefused(
        loader,
        write(folder, "escape", "1\t2\t\u001b[2J" + "x".repeat(100) + "\t1\n"),
        "PATH:1:5: rating '\\u001b[2J" + "x".repeat(31) + "...' is not a number" + EXPECTED_TABS);
  }

  @Test
  void refusesBytesThatAreNotText() {
    assertRefused(
        loader,
        write(folder, "nul", "1\t2\t3\t1\n1\t2\t\0\t1\n"),
        "PATH:2:5: there is a NUL byte, so this is no text. Name a file of ratings in UTF-8 or"
            + " UTF-16.");
    byte[] latin = "1\t2\tf\u00fcnf\t1\n".getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    assertRefused(
        loader,
        write(folder, "latin", latin),
        "PATH:1:5: rating 'f\\xfcnf' is not a number" + EXPECTED_TABS);
  }

  @Test
  void refusesMissingEmptyAndOtherFiles() {
    assertRefused(
        loader,
        folder.resolve("nowhere"),
        "PATH: no such file or folder. Check the location of the data.");
    assertRefused(
        loader, write(folder, "empty", ""), "PATH is empty. Name a file that holds ratings.");
    assertRefused(
        loader,
        write(folder, "header", "userId,movieId,rating,timestamp\n"),
        "PATH holds no ratings. Check that it is the right file.");
    assertRefused(
        loader,
        write(folder, "other", "hello\n"),
        "PATH:1:1: 'hello' does not begin a MovieLens file. Expected the header"
            + " userId,movieId,rating,timestamp, or user::movie::rating::timestamp, or"
            + " user<TAB>item<TAB>rating<TAB>timestamp; for another layout use the format csv.");
    assertRefused(
        loader,
        write(folder, "zip", "PK\u0003\u0004 and so on"),
        "PATH is a zip archive. Unpack it and name the file of ratings in it.");
  }

  @Test
  void refusesDamagedGzip() {
    byte[] packed = gzip("1\t2\t3\t881250949\n".repeat(1000));
    assertRefused(
        loader,
        write(folder, "short.gz", java.util.Arrays.copyOf(packed, packed.length - 9)),
        "PATH is a gzip file that ends too early. Fetch it again; the copy is incomplete.");
    byte[] damaged = packed.clone();
    damaged[packed.length - 6] ^= 1;
    assertRefused(
        loader,
        write(folder, "damaged.gz", damaged),
        "PATH is a damaged gzip file (its checksum does not match its content). Fetch it again.");
    byte[] continued = java.util.Arrays.copyOf(packed, packed.length + 9);
    assertRefused(
        loader,
        write(folder, "continued.gz", continued),
        "PATH is a damaged gzip file (something that is not gzip follows its end). Fetch it"
            + " again.");
  }

  @Test
  void namesTheLineOfABadRatingInAPackedFile() {
    Path file = write(folder, "u.gz", gzip("1\t2\t3\t881250949\n".repeat(5000) + "1\t2\t?\t1\n"));
    assertRefused(
        new MovieLensLoader(new TextReader(1000)),
        file,
        "PATH:5001:5: rating '?' is not a number" + EXPECTED_TABS);
  }

  @Test
  void reportsTheEarliestOfSeveralErrors() {
    String good = "1\t2\t3\t881250949\n";
    Path file = write(folder, "u.data", (good.repeat(99) + "1\t2\tbad\t1\n").repeat(50));
    for (int chunk : new int[] {1, 64, 1000, 1 << 20}) {
      assertRefused(
          new MovieLensLoader(new TextReader(chunk)),
          file,
          "PATH:100:5: rating 'bad' is not a number" + EXPECTED_TABS);
    }
  }

  @ParameterizedTest
  @EnumSource(MovieLensLoader.Form.class)
  void loadsWhatWasWrittenWhateverTheChunksAndThreads(MovieLensLoader.Form form) {
    Random random = new Random(7);
    List<LoadedRating> rows = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    if (form == MovieLensLoader.Form.RATINGS_CSV) {
      text.append("userId,movieId,rating,timestamp\n");
    }
    for (int i = 0; i < 500; i++) {
      long user = random.nextLong() >>> 1 + random.nextInt(63);
      long item = random.nextLong() >>> 1 + random.nextInt(63);
      String rating =
          switch (random.nextInt(4)) {
            case 0 -> Integer.toString(random.nextInt(6));
            case 1 -> random.nextInt(10) / 2f + "";
            case 2 -> Float.toString(random.nextFloat() * 1000);
            default -> Double.toString(-random.nextDouble());
          };
      long time = random.nextLong() >> random.nextInt(64);
      rows.add(LoadedRating.of(user, item, Float.parseFloat(rating), time));
      String delimiter = form.layout().delimiter();
      text.append(user).append(delimiter).append(item).append(delimiter).append(rating);
      text.append(delimiter).append(time).append(random.nextInt(9) == 0 ? "\r\n" : "\n");
    }
    Path plain = write(folder, "plain", text.toString());
    Path packed = write(folder, "packed", gzip(text.toString()));
    for (int chunk : new int[] {1, 7, 100, 4096, 1 << 20}) {
      MovieLensLoader chunked = new MovieLensLoader(new TextReader(chunk));
      for (int threads = 1; threads <= 2; threads++) {
        assertEquals(rows, load(chunked, plain.toString(), threads).ratings());
        assertEquals(rows, load(chunked, packed.toString(), threads).ratings());
      }
    }
  }

  @Test
  void readsPlainNumbersAsTheJdkDoes() {
    StringBuilder text = new StringBuilder();
    List<LoadedRating> rows = new ArrayList<>();
    Random random = new Random(3);
    for (int i = 0; i < 5000; i++) {
      String rating =
          random.nextInt(1000)
              + (random.nextBoolean() ? "." + random.nextInt(10000) : "")
              + (random.nextInt(20) == 0 ? "e-2" : "");
      rows.add(LoadedRating.of((long) i, 5L, Float.parseFloat(rating), 881250949L + i));
      text.append(i + "\t5\t" + rating + "\t" + (881250949L + i) + "\n");
    }
    assertEquals(rows, load(loader, write(folder, "u.data", text.toString())).ratings());
  }

  @Test
  void readsMovieLens100k() {
    Optional<Path> file = Loading.realData("ml-100k/u.data");
    assumeTrue(file.isPresent(), "no ml-100k in PECF_DATA");
    List<LoadedRating> rows = load(loader, file.get()).ratings();
    assertEquals(100_000, rows.size());
    assertEquals(943, rows.stream().map(LoadedRating::user).distinct().count());
    assertEquals(1_682, rows.stream().map(LoadedRating::item).distinct().count());
    assertEquals(21_201, rows.stream().filter(row -> row.rating().orElseThrow() == 5).count());
    assertEquals(Recognition.LIKELY, loader.recognise(new DataSource(file.get().toString())));
  }
}
