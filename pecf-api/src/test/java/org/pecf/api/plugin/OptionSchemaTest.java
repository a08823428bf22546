package org.pecf.api.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;

class OptionSchemaTest {
  /** A choice. */
  enum Colour {
    RED,
    DARK_BLUE
  }

  /** A value with a text form. */
  public record Point(int x, int y) {
    public static Point parse(String text) {
      String[] parts = text.split(":");
      if (parts.length != 2) {
        throw new IllegalArgumentException("write x:y");
      }
      return new Point(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
    }

    @Override
    public String toString() {
      return x + ":" + y;
    }
  }

  /** A group of options. */
  record Inner(
      @Option(value = "A choice", key = "paint", defaultValue = "red") Colour colour,
      @Option(value = "A bounded number", defaultValue = "0.5", min = 0, max = 1) double share) {}

  /** All kinds of options. */
  record Outer(
      @Option(value = "A count", defaultValue = "3", min = 1, label = "COUNT") int howMany,
      Inner inner,
      @Option(value = "Counts", defaultValue = "1,2", min = 1) List<Integer> sizes,
      @Option(value = "A point", defaultValue = "1:2") Point point,
      @Option(value = "Points", defaultValue = "1:2") List<Point> points,
      @Option(value = "A text", defaultValue = "", unset = "none") Optional<String> text,
      @Option(value = "A number", defaultValue = "") OptionalDouble number,
      @Option(value = "A large number", defaultValue = "1") long large) {
    Outer {
      if (howMany == 13) {
        throw new IllegalArgumentException("13 is unlucky.");
      }
    }
  }

  private static final OptionSchema<Outer> SCHEMA =
      OptionSchema.of(MethodHandles.lookup(), Outer.class);

  private static Outer bind(Map<String, String> values) {
    return SCHEMA.bind("", values);
  }

  @Test
  void defaultsAreThoseOfTheRecord() {
    assertEquals(
        new Outer(
            3,
            new Inner(Colour.RED, 0.5),
            List.of(1, 2),
            new Point(1, 2),
            List.of(new Point(1, 2)),
            Optional.empty(),
            OptionalDouble.empty(),
            1),
        bind(Map.of()));
  }

  @Test
  void textsBecomeValuesAndTextsAgain() {
    Map<String, String> texts =
        Map.of(
            "how-many", "7",
            "paint", "dark-blue",
            "share", "0.25",
            "sizes", "5,6",
            "point", "3:4",
            "points", "3:4,5:6",
            "text", "words",
            "number", "1.5",
            "large", "-9000000000");
    Outer bound = bind(texts);
    assertEquals(Colour.DARK_BLUE, bound.inner().colour());
    assertEquals(List.of(new Point(3, 4), new Point(5, 6)), bound.points());
    assertEquals(texts, SCHEMA.texts(bound));
    assertEquals(bound, bind(SCHEMA.texts(bound)));
  }

  @Test
  void someOptionsAreChanged() {
    Outer before = bind(Map.of("how-many", "7", "text", "words"));
    Outer after = SCHEMA.with("", before, Map.of("share", "0.75", "text", ""));
    assertEquals(7, after.howMany());
    assertEquals(new Inner(Colour.RED, 0.75), after.inner());
    assertEquals(Optional.empty(), after.text());
  }

  @Test
  void groupsAreComponentsThatAreRecords() {
    assertEquals(
        List.of(
            "how-many", "paint", "share", "sizes", "point", "points", "text", "number", "large"),
        SCHEMA.keys());
    assertEquals(
        List.of("paint", "share"),
        SCHEMA.groups().get("inner").stream().map(OptionDescription::key).toList());
    OptionDescription count = SCHEMA.descriptions().get(0);
    assertEquals("COUNT", count.label());
    assertEquals("integer", count.type());
    assertEquals("none", SCHEMA.groups().get("").get(4).unset());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          how-many | 0 | how-many must be at least 1, not 0.
          how-many | x | how-many must be a whole number, not 'x'.
          how-many | 99999999999 | how-many must be between 1 and 2147483647, not 99999999999.
          how-many | 13 | 13 is unlucky.
          share | 2 | share must be between 0 and 1, not 2.
          share | NaN | share must be a finite number, not 'NaN'.
          number | 1e999 | number must be a finite number, not '1e999'.
          paint | rde | paint cannot be 'rde'. Did you mean 'red'? It is one of: red, dark-blue.
          sizes | 5,0 | sizes must be at least 1, not 0.
          sizes | 5, | sizes must be a whole number, not ''.
          point | 7 | point cannot be '7': write x:y.
          shape | 7 | There is no option 'shape'. Did you mean 'share'? Options are: how-many, paint, share, sizes, point, points, text, number, large.
          """)
  void mistakesAreExplained(String key, String text, String message) {
    PecfException problem = assertThrows(PecfException.class, () -> bind(Map.of(key, text)));
    assertEquals(ErrorCode.BAD_OPTION, problem.code());
    assertEquals(message, problem.getMessage());
  }

  @Test
  void messagesNameTheOwnerOrTheFlag() {
    assertEquals(
        "filter x: share must be between 0 and 1, not 2.",
        assertThrows(PecfException.class, () -> SCHEMA.bind("filter x", Map.of("share", "2")))
            .getMessage());
    assertEquals(
        "--share must be between 0 and 1, not 2.",
        assertThrows(PecfException.class, () -> SCHEMA.check("--share", "share", "2"))
            .getMessage());
  }
}
