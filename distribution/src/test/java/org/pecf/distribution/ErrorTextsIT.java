package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The rule that the texts of all errors follow; see {@code PecfException}. */
class ErrorTextsIT {
  private static final Pattern FACTORY =
      Pattern.compile(
          "\\b(?:badOption|badData|badModel|unavailable|pluginFault|resources|internal)\\(\\s*(?=\")"
              + "|PecfException\\.of\\(\\s*[\\w.()]+,\\s*(?=\")");

  private static final List<Text> TEXTS = new ArrayList<>();

  /**
   * The text of an error.
   *
   * @param module the folder of the module that it is in
   * @param place the file and line
   * @param format the format string
   */
  private record Text(String module, String place, String format) {}

  @BeforeAll
  static void find() {
    for (Sources.Source source : Sources.all()) {
      Matcher matcher = FACTORY.matcher(source.text());
      while (matcher.find()) {
        String format = Sources.literal(source.text(), matcher.end());
        TEXTS.add(new Text(source.module(), source.line(matcher.start()), format));
      }
    }
    assertTrue(TEXTS.size() > 200, () -> TEXTS.size() + " texts");
  }

  private static void none(Predicate<Text> bad) {
    assertEquals(
        List.of(),
        TEXTS.stream().filter(bad).map(text -> text.place() + ": " + text.format()).toList());
  }

  @Test
  void beginWithACapitalANameOrAFlag() {
    none(text -> !text.format().matches("(?s)([A-Z0-9'%]|--|\\\\\").*"));
  }

  @Test
  void endWithAFullStop() {
    none(text -> !text.format().matches("(?s).*([.?]|%s)"));
  }

  @Test
  void giveMemoryInMebibytes() {
    none(text -> text.format().matches("(?s).*\\b(MB|GB|megabytes|kB|KB)\\b.*"));
  }

  @Test
  void nameFlagsInTheCommandLineOnly() {
    none(
        text ->
            !text.module().equals("pecf-cli") && text.format().matches("(?s).*(^|[ '(])--[a-z].*"));
  }

  @Test
  void areFormattedAndNotChained() {
    none(text -> text.format().isEmpty());
  }
}
