package org.pecf.distribution.style;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The names of types, and phrases that only translations use. */
class PlainWordsIT {
  private static final Pattern TYPE_COMMENT =
      Pattern.compile(
          "/\\*\\*\\s*((?:(?!\\*/).)*?)\\s*\\*/\\s*(?:@\\w[\\w.]*(?:\\([^()]*(?:\\([^()]*\\)[^()]*)*\\))?\\s*)*"
              + "(?:(?:public|protected|private|static|final|abstract|sealed|non-sealed)\\s+)*"
              + "(?:class|record|interface|enum|@interface)\\s+(\\w+)",
          Pattern.DOTALL);

  private static final Pattern LITERAL = Pattern.compile("(?<!')\"((?:[^\"\\\\\n]|\\\\.)*)\"");
  private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\n]*", Pattern.DOTALL);

  private static final Pattern RIDDLES =
      Pattern.compile(
          "\\bhears? of\\b|\\bmends?\\b|\\bbeside the Java heap\\b|\\bone a"
              + " line\\b|\\blends?\\b|\\ba row a user\\b|\\bso many\\b|\\bhave told\\b|\\bonce a"
              + " (?:round|process|run)\\b",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern VAGUE_NAME =
      Pattern.compile("\\w*(?:Impl|Manager|Utils?|Helper|Helpers|Factory)");

  private static final Set<String> REPLACED =
      Set.of(
          "RunSurroundings",
          "WayChoice",
          "Setting",
          "Signature",
          "Exhibit",
          "Requests",
          "Values",
          "Products",
          "Unobserved",
          "Offer",
          "Lane",
          "Finding");

  private record Comment(String place, String type, String text) {
    @Override
    public String toString() {
      return place + ": " + type + ": " + text.lines().findFirst().orElse("");
    }
  }

  private static List<Comment> typeComments() {
    List<Comment> comments = new ArrayList<>();
    for (Path file : SourceFiles.main()) {
      String source = SourceFiles.text(file);
      Matcher matcher = TYPE_COMMENT.matcher(source);
      while (matcher.find()) {
        String text = matcher.group(1).replaceAll("(?m)^\\s*\\* ?", "").strip();
        long line = 1 + source.substring(0, matcher.start()).chars().filter(c -> c == '\n').count();
        comments.add(new Comment(SourceFiles.place(file, line), matcher.group(2), text));
      }
    }
    assertTrue(comments.size() > 300, () -> comments.size() + " comments");
    return comments;
  }

  @Test
  void typesHaveTellingNames() {
    assertEquals(
        List.of(),
        typeComments().stream()
            .filter(
                comment ->
                    VAGUE_NAME.matcher(comment.type()).matches()
                        || REPLACED.contains(comment.type()))
            .toList());
  }

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
