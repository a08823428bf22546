package org.pecf.distribution.style;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Phrases that only translations use. */
class PlainWordsIT {
  private static final Pattern LITERAL = Pattern.compile("(?<!')\"((?:[^\"\\\\\n]|\\\\.)*)\"");
  private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\n]*", Pattern.DOTALL);

  private static final Pattern RIDDLES =
      Pattern.compile(
          "\\bhears? of\\b|\\bmends?\\b|\\bbeside the Java heap\\b|\\bone a"
              + " line\\b|\\blends?\\b|\\ba row a user\\b|\\bso many\\b|\\bhave told\\b|\\bonce a"
              + " (?:round|process|run)\\b|/\\*\\*\\s+What\\b|(?:@param"
              + " \\S+|\\breturn)\\s+what\\b",
          Pattern.CASE_INSENSITIVE);

  @Test
  void thereAreNoRiddles() {
    assertEquals(List.of(), wordsWith(RIDDLES));
  }

  private static List<String> wordsWith(Pattern pattern) {
    List<String> found = new ArrayList<>();
    for (Path file : SourceFiles.main()) {
      String source = SourceFiles.text(file);
      for (Pattern part : List.of(COMMENT, LITERAL)) {
        Matcher words = part.matcher(source);
        while (words.find()) {
          Matcher matcher = pattern.matcher(words.group());
          while (matcher.find()) {
            found.add(file + ": " + matcher.group());
          }
        }
      }
    }
    return found;
  }
}
