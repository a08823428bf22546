package org.pecf.plugin.loaders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.pecf.api.data.Recognition.BROKEN;
import static org.pecf.api.data.Recognition.CERTAIN;
import static org.pecf.api.data.Recognition.LIKELY;
import static org.pecf.api.data.Recognition.NO;
import static org.pecf.api.data.Recognition.POSSIBLE;
import static org.pecf.plugin.loaders.testing.Loading.gzip;
import static org.pecf.plugin.loaders.testing.Loading.write;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.Recognition;
import org.pecf.plugin.loaders.arrow.ArrowLoaderProvider;
import org.pecf.plugin.loaders.arrow.ArrowSamples;
import org.pecf.plugin.loaders.citeulike.CiteULikeLoaderProvider;
import org.pecf.plugin.loaders.csv.CsvLoaderProvider;
import org.pecf.plugin.loaders.movielens.MovieLensLoaderProvider;
import org.pecf.plugin.loaders.netflix.NetflixLoaderProvider;
import org.pecf.plugin.loaders.synthetic.SyntheticLoaderProvider;
import org.pecf.plugin.loaders.testing.Loading;

/** Every sample against every loader. */
class RecognitionTest {
  @TempDir Path folder;

  private static Map<String, RatingLoader> loaders() {
    Map<String, RatingLoader> loaders = new TreeMap<>();
    loaders.put("arrow", Loading.loader(new ArrowLoaderProvider(), Map.of()));
    loaders.put("citeulike", Loading.loader(new CiteULikeLoaderProvider(), Map.of()));
    loaders.put("csv", Loading.loader(new CsvLoaderProvider(), Map.of()));
    loaders.put("movielens", Loading.loader(new MovieLensLoaderProvider(), Map.of()));
    loaders.put("netflix", Loading.loader(new NetflixLoaderProvider(), Map.of()));
    loaders.put("synthetic", Loading.loader(new SyntheticLoaderProvider(), Map.of()));
    return loaders;
  }

  private static Arguments sample(String name, String text, Map<String, Recognition> expected) {
    return Arguments.of(name, text.getBytes(StandardCharsets.UTF_8), expected);
  }

  static Stream<Arguments> samples() {
    byte[] noise = new byte[5000];
    new Random(1).nextBytes(noise);
    String ratings = "userId,movieId,rating,timestamp\n1,2,3.5,1112486027\n1,29,3.5,1112484676\n";
    return Stream.of(
        sample("ratings.csv", ratings, Map.of("movielens", CERTAIN, "csv", POSSIBLE)),
        sample("other name", ratings, Map.of("movielens", CERTAIN, "csv", POSSIBLE)),
        Arguments.of("packed", gzip(ratings), Map.of("movielens", CERTAIN, "csv", POSSIBLE)),
        Arguments.of(
            "packed, and more",
            Arrays.copyOf(gzip(ratings), gzip(ratings).length + 3),
            Map.of("movielens", CERTAIN, "csv", POSSIBLE)),
        sample(
            "ratings.dat",
            "1::1193::5::978300760\n1::661::3.5::978302109\n",
            Map.of("movielens", CERTAIN, "csv", POSSIBLE)),
        sample(
            "u.data",
            "196\t242\t3\t881250949\n186\t302\t3\t891717742\n",
            Map.of("movielens", LIKELY, "csv", POSSIBLE)),
        sample("users.dat", "2 5 7\n1 4\n3 1 2 9\n0\n", Map.of("citeulike", CERTAIN)),
        sample("train_users.dat", "0 5 7 9\n1 4 6\n2 1\n3 8 4\n", Map.of("citeulike", LIKELY)),
        sample("unordered", "7 5 7 9\n3 4 6\n2 1\n", Map.of("citeulike", POSSIBLE)),
        sample("mv_0000001.txt", "1:\n1488844,3,2005-09-06\n", Map.of("netflix", CERTAIN)),
        sample(
            "combined_data_1.txt",
            "1:\n1488844,3,2005-09-06\n2:\n5,1,2005-09-07\n",
            Map.of("netflix", CERTAIN)),
        sample("pairs", "1,2\n3,4\n", Map.of("csv", POSSIBLE)),
        sample("named", "user,item\nann,x\nbob,y\n", Map.of("csv", POSSIBLE)),
        sample("texts", "ann\tx\t3\nbob\ty\t4.5\n", Map.of("csv", POSSIBLE)),
        sample("table", "9 2 3\n8 4 5\n7 6 7\n", Map.of("csv", POSSIBLE)),
        sample("prose", "Hello, reader.\nThis, too, is text.\n", Map.of()),
        sample("two words", "hello world\nfoo bar\n", Map.of()),
        sample("names", "name,city\nann,oslo\nbob,rome\n", Map.of()),
        sample("json", "{\"user\": 1,\n\"item\": 2}\n", Map.of("csv", BROKEN)),
        sample("empty", "", Map.of("csv", BROKEN)),
        sample("bad line", "1,2,3\n1,x,four\n1,5,3\n2,2\n1,6,3\n1,7,3\n", Map.of("csv", BROKEN)),
        sample("stray lines", "1892\n17632\n" + "1\t51\t13883\n".repeat(30), Map.of("csv", BROKEN)),
        sample("blank", "\n\n\n", Map.of()),
        sample("nul", "1\t2\t3\t881250949\n\0\n", Map.of()),
        sample("ARROW", "ARROW1", Map.of()),
        sample("zip", "PK\u0003\u0004", Map.of("csv", BROKEN)),
        Arguments.of("bad gzip", new byte[] {0x1f, (byte) 0x8b, 1, 2, 3}, Map.of("csv", BROKEN)),
        Arguments.of("noise", noise, Map.of()),
        Arguments.of("arrow file", arrow(false), Map.of("arrow", CERTAIN)),
        Arguments.of("arrow stream", arrow(true), Map.of("arrow", CERTAIN)));
  }

  private static byte[] arrow(boolean stream) {
    try (RootAllocator root = new RootAllocator();
        BigIntVector users = new BigIntVector("user", root)) {
      users.setSafe(0, 1);
      users.setValueCount(1);
      return ArrowSamples.write(stream, 1, List.of(users), List.of());
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("samples")
  void everyLoaderKnowsItsOwn(String name, byte[] bytes, Map<String, Recognition> expected) {
    DataSource source = new DataSource(write(folder, name, bytes).toString());
    Map<String, Recognition> actual = new TreeMap<>();
    loaders()
        .forEach(
            (id, loader) -> {
              if (loader.recognise(source) != NO) {
                actual.put(id, loader.recognise(source));
              }
            });
    assertEquals(new TreeMap<>(expected), actual);
  }

  @ParameterizedTest
  @MethodSource("places")
  void placesWithoutData(String location) {
    loaders()
        .forEach((id, loader) -> assertEquals(NO, loader.recognise(new DataSource(location)), id));
  }

  static Stream<String> places() {
    return Stream.of("/no/such/file", "", "bad\0path", "/dev/null", "/");
  }

  @Test
  void listsOfItemsHoldNumbersOfUpToEighteenDigitsAndNothingElse() {
    RatingLoader lists = Loading.loader(new CiteULikeLoaderProvider(), Map.of());
    String before = "2 10 20\n1 7\n";
    Map<String, Recognition> expected =
        Map.of(
            "2 1 123456789012345678\n", CERTAIN,
            " 2\t1  3 \r\n", CERTAIN,
            "2 1 1234567890123456789\n", NO,
            "2 1 -3\n", NO,
            "2 1 3.0\n", NO,
            "2 1 \u0663\n", NO,
            " \t\n", NO);
    expected.forEach(
        (line, recognition) -> {
          Path file = write(folder, "users.dat", before + line);
          assertEquals(recognition, lists.recognise(new DataSource(file.toString())), line);
        });
  }

  @Test
  void providersAreRegisteredAlikeForModulePathAndClassPath() throws IOException {
    String services = "META-INF/services/org.pecf.api.data.RatingLoaderProvider";
    List<String> provided =
        getClass().getModule().getDescriptor().provides().stream()
            .flatMap(provides -> provides.providers().stream())
            .sorted()
            .toList();
    assertEquals(6, provided.size());
    assertEquals(provided, Files.readAllLines(Path.of("target/classes").resolve(services)));
  }
}
