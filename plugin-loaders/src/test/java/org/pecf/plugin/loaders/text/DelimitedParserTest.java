package org.pecf.plugin.loaders.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.PecfException;
import org.pecf.api.data.IdKind;
import org.pecf.api.run.RunContext;
import org.pecf.api.support.ColumnRole;
import org.pecf.testkit.fixture.DirectParallelism;

/** Plain lines read in one go, compared with the same lines read by all the rules. */
class DelimitedParserTest {
  private static final String[] DELIMITERS = {",", "\t", "::", ";", "|", " ", ":", "/", "|;"};
  private static final List<ColumnRole> ROLES =
      List.of(ColumnRole.USER, ColumnRole.ITEM, ColumnRole.RATING, ColumnRole.TIME);
  private static final String[] ODD_NUMBERS = {
    "",
    "0",
    "00",
    "007",
    "-1",
    "-0",
    "+5",
    " 5",
    "5 ",
    "\"5\"",
    "5x",
    "x",
    "1e3",
    "1.5",
    ":",
    "/",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "99999999999999999999"
  };
  private static final String[] ODD_RATINGS = {
    "",
    "-1",
    "1e3",
    "0.125",
    "10",
    "100.5",
    "5.",
    ".5",
    ".",
    "..",
    "4..5",
    "4.5.",
    "nan",
    "inf",
    "1234567",
    "12345678",
    "1.234567",
    "0.00001",
    "1e99",
    "4,5",
    "4:5",
    ":.5",
    "4.:",
    "\"4.5\""
  };
  private static final String ODD_BYTES = "0123456789,.:;/\t \"\r\n-+e|\0\u007f\u0080\u00b0\u00ff";

  private static final RunContext CONTEXT =
      new RunContext(new RootAllocator(), new DirectParallelism(), () -> false, event -> {});

  @TempDir Path folder;

  private TextFile file;

  @BeforeEach
  void open() throws IOException {
    file = TextFile.open(Files.writeString(folder.resolve("file"), "text"));
  }

  @Test
  void bothWaysAgreeOnRandomLines() {
    SplittableRandom random = new SplittableRandom(20);
    int refused = 0;
    for (int trial = 0; trial < 10_000; trial++) {
      DelimitedLayout layout = layout(random);
      boolean guessed = random.nextBoolean();
      String text = new Lines(layout, random, 0.02).text();
      Chunk chunk = chunk(text, random);
      Read expected = slowPath(chunk, layout, guessed);
      assertEquals(expected, shortWay(chunk, layout, guessed), () -> layout + "\n" + text);
      refused += expected.problem.isEmpty() ? 0 : 1;
    }
    assertTrue(refused > 2_000 && refused < 8_000, "wrong and right lines, " + refused);
  }

  @Test
  void bothWaysAgreeOnFilesThatAreCutAnywhere() throws IOException {
    SplittableRandom random = new SplittableRandom(21);
    Path path = folder.resolve("ratings");
    for (int trial = 0; trial < 300; trial++) {
      DelimitedLayout layout = layout(random);
      String text = new Lines(layout, random, 0).text();
      Files.writeString(path, text, StandardCharsets.ISO_8859_1);
      DelimitedParser parser = new DelimitedParser(layout, false);
      RatingColumns ratings = new RatingColumns(layout.schema());
      new TextReader(1 + random.nextInt(80))
          .survey(List.of(TextFile.open(path)), chunk -> parser.parse(chunk, ratings), CONTEXT);
      Read expected = slowPath(chunk(text, random), layout, false);
      assertEquals(expected, Read.of(ratings, layout, ""), () -> layout + "\n" + text);
      assertEquals("", expected.problem);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n"})
  void noByteIsTakenForAnother(String end) {
    // The lines before make the last one expected but for the one byte.
    String before = "7,31,4.5,1260759144" + end + "7,1029,3.0,1260759179" + end;
    String line = "7,1061,3.5,1260759182" + end;
    DelimitedLayout layout = layout(",", 4);
    for (int place = 0; place < line.length(); place++) {
      for (int value = 0; value < 256; value++) {
        String text = before + line.substring(0, place) + (char) value + line.substring(place + 1);
        Chunk chunk = chunk(text, new SplittableRandom(value));
        assertEquals(slowPath(chunk, layout, false), shortWay(chunk, layout, false), text);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1,2,3.5,1260759144\n",
        "1,2,3.5,1260759144\n1,3,4.0,1260759145\n1,4,0.5,1360759145\n",
        "1,2,3,881250949\n1,3,4,881250950\n2,3,4.5,891250950\n",
        "12345678,87654321,1234.567,1234567890123456\n12345678,1,5,1\n",
        "1,2,3.5,1260759144\r\n1,2,3.5,1260759144\r\n",
        "0,0,0,0\n0,1,0.0,0\n",
        "1,2,5.,7\n1,2,.5,7\n"
      })
  void plainLinesTakeTheShortWay(String text) {
    DelimitedParser parser = new DelimitedParser(layout(",", 4), false);
    RatingColumns ratings = new RatingColumns(layout(",", 4).schema());
    Chunk chunk = chunk(text, new SplittableRandom(1));
    parser.reserve(chunk, ratings);
    int position = chunk.from();
    while (position >= 0 && position < chunk.to()) {
      position = parser.plainLine(chunk.bytes(), position, ratings);
    }
    assertEquals(chunk.to(), position);
    assertEquals(text.lines().count(), ratings.count());
  }

  @Test
  void numbersAreWhatIsWritten() {
    String text = "7,31,2.5,1260759144\n7,1029,3.0,1260759179\n7,1061,4.9,1261759182\n";
    assertEquals(
        new Read(
            List.of("7 31 2.5 1260759144", "7 1029 3.0 1260759179", "7 1061 4.9 1261759182"), ""),
        shortWay(chunk(text, new SplittableRandom(1)), layout(",", 4), false));
  }

  private static DelimitedLayout layout(SplittableRandom random) {
    // Half of them in the form of MovieLens.
    return random.nextBoolean()
        ? layout(",", 4)
        : layout(DELIMITERS[random.nextInt(DELIMITERS.length)], 2 + random.nextInt(3));
  }

  private static DelimitedLayout layout(String delimiter, int columns) {
    return new DelimitedLayout(
        delimiter,
        true,
        ROLES.subList(0, columns),
        IdKind.INTEGER,
        IdKind.INTEGER,
        TimeFormat.SECONDS,
        "ratings");
  }

  /** Surround a text with bytes without meaning. */
  private Chunk chunk(String text, SplittableRandom random) {
    int from = random.nextInt(12);
    String lines = text.endsWith("\n") ? text : text + "\n";
    byte[] bytes = new byte[from + lines.length() + Digits.PADDING];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = oddByte(random);
    }
    byte[] content = lines.getBytes(StandardCharsets.ISO_8859_1);
    System.arraycopy(content, 0, bytes, from, content.length);
    return new Chunk(file, bytes, from, from + content.length, 100, 0, OptionalLong.empty());
  }

  private static byte oddByte(SplittableRandom random) {
    return (byte) ODD_BYTES.charAt(random.nextInt(ODD_BYTES.length()));
  }

  private static Read shortWay(Chunk chunk, DelimitedLayout layout, boolean guessed) {
    DelimitedParser parser = new DelimitedParser(layout, guessed);
    return Read.by(layout, ratings -> parser.parse(chunk, ratings));
  }

  private static Read slowPath(Chunk chunk, DelimitedLayout layout, boolean guessed) {
    DelimitedParser parser = new DelimitedParser(layout, guessed);
    return Read.by(
        layout,
        ratings -> {
          ratings.reserve(chunk.to() - chunk.from());
          int position = chunk.from();
          while (position < chunk.to()) {
            position = parser.line(chunk, position, ratings);
          }
        });
  }

  /** The ratings before the first problem, and the problem if there is one. */
  private record Read(List<String> ratings, String problem) {
    interface Reading {
      void into(RatingColumns ratings);
    }

    static Read by(DelimitedLayout layout, Reading reading) {
      RatingColumns ratings = new RatingColumns(layout.schema());
      String problem = "";
      try {
        reading.into(ratings);
      } catch (PecfException e) {
        problem = e.getMessage();
      } catch (DelimitedParser.WrongGuess e) {
        problem = "text id of a " + e.role();
      }
      return of(ratings, layout, problem);
    }

    static Read of(RatingColumns ratings, DelimitedLayout layout, String problem) {
      List<String> rows = new ArrayList<>();
      for (int i = 0; i < ratings.count(); i++) {
        String row = ratings.users.numbers[i] + " " + ratings.items.numbers[i];
        // Floats with the same text are equal, except for NaN, which does not occur.
        row += layout.schema().rated() ? " " + ratings.ratings[i] : "";
        rows.add(row + (layout.schema().timed() ? " " + ratings.times[i] : ""));
      }
      return new Read(rows, problem);
    }
  }

  /** Random lines that resemble one another; some are odd. */
  private static final class Lines {
    private final DelimitedLayout layout;
    private final SplittableRandom random;
    private final double odd;
    private final int steadiness;
    private String user;
    private boolean decimal;
    private String timeStart;

    Lines(DelimitedLayout layout, SplittableRandom random, double odd) {
      this.layout = layout;
      this.random = random;
      this.odd = odd;
      this.steadiness = random.nextBoolean() ? 4 : 1;
    }

    String text() {
      StringBuilder text = new StringBuilder();
      int count = 1 + random.nextInt(12);
      for (int i = 0; i < count; i++) {
        StringBuilder line = new StringBuilder(line(i == 0));
        if (random.nextDouble() < odd && line.length() > 0) {
          line.setCharAt(random.nextInt(line.length()), (char) (oddByte(random) & 0xff));
        }
        text.append(line).append(end(i == count - 1));
      }
      return text.toString();
    }

    private String line(boolean first) {
      if (first || random.nextInt(steadiness) == 0) {
        user = number(random.nextInt(10) == 0 ? 19 : 9);
      }
      if (first || random.nextInt(steadiness) == 0) {
        decimal = random.nextBoolean();
      }
      if (first || random.nextInt(steadiness) == 0) {
        timeStart = number(random.nextInt(4) == 0 ? 9 : 3);
      }
      List<String> columns = new ArrayList<>();
      columns.add(maybeOdd(user, ODD_NUMBERS));
      columns.add(maybeOdd(number(random.nextInt(10) == 0 ? 18 : 8), ODD_NUMBERS));
      String rating = random.nextInt(10) + (decimal ? "." + random.nextInt(10) : "");
      columns.add(maybeOdd(rating, ODD_RATINGS));
      int timeEnd = random.nextInt(10_000_000);
      columns.add(maybeOdd(timeStart + String.format(Locale.ROOT, "%07d", timeEnd), ODD_NUMBERS));
      int count = layout.roles().size();
      if (random.nextDouble() < odd) {
        count = Math.min(columns.size(), count + random.nextInt(3) - 1);
      }
      return String.join(layout.delimiter(), columns.subList(0, count));
    }

    private String maybeOdd(String usual, String[] oddities) {
      return random.nextDouble() < odd ? oddities[random.nextInt(oddities.length)] : usual;
    }

    /** A number that is almost always below the largest long. */
    private String number(int mostDigits) {
      int digits = 1 + random.nextInt(mostDigits);
      StringBuilder number = new StringBuilder().append(1 + random.nextInt(odd > 0 ? 9 : 8));
      while (number.length() < digits) {
        number.append(random.nextInt(10));
      }
      return number.toString();
    }

    private String end(boolean last) {
      return switch (random.nextInt(last ? 30 : 20)) {
        case 0, 1 -> "\r\n";
        case 2 -> "\n\n";
        case 3 -> "\r\n\r\n";
        case 20, 21, 22 -> "";
        case 23 -> "\r";
        default -> "\n";
      };
    }
  }
}
