package org.pecf.distribution.style;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The spelling of comments and documents: British, with -ise and -our. */
class SpellingIT {
  /** American forms of words that this project uses. */
  private static final Pattern AMERICAN =
      Pattern.compile(
          "\\b(\\w*(?:normal|optim|maxim|minim|initial|regular|factor|general|special|serial"
              + "|summar|organ|recogn|real|util|random|parallel|standard|personal|visual|memor"
              + "|penal|synchron|vector|token|categor|emphas|character|local|central|stabil"
              + "|quant|discret|custom|author|capital)iz(?:e|es|ed|er|ers|ing|ation|ations|able)"
              + "|behaviors?|colors?|colored|neighbors?|neighborhoods?|favors?|favorites?|labors?"
              + "|centers?|centered|analyze[sd]?|licensed? under license|gray|modeled|modeling"
              + "|labeled|labeling|canceled|canceling|fulfill|skillful|judgment)\\b",
          Pattern.CASE_INSENSITIVE);

  /** A comment, as far as a line shows it. */
  private static final Pattern COMMENT = Pattern.compile("(^\\s*(/?\\*|//|#).*)|(//\\s.*)");

  /** Code, identifiers and titles of papers within a comment or a document. */
  private static final Pattern CODE =
      Pattern.compile("\\{@\\w+ [^}]*\\}|`[^`]*`|@\\w+|\\w+\\(|\\*[^*]+\\*|[a-z0-9]+[A-Z]\\w*");

  @Test
  void wordsAreSpeltInOneWay() throws IOException {
    List<String> wrong = new ArrayList<>();
    List<Path> sources = SourceFiles.files("/src/", ".java");
    assertTrue(sources.size() > 500, "sources found: " + sources.size());
    for (Path file : sources) {
      read(file, true, wrong);
    }
    for (Path file : SourceFiles.files("/", ".md")) {
      read(file, false, wrong);
    }
    assertEquals("", String.join("\n", wrong));
  }

  private static void read(Path file, boolean commentsOnly, List<String> wrong) throws IOException {
    List<String> lines = Files.readAllLines(file);
    boolean fenced = false;
    for (int k = 0; k < lines.size(); k++) {
      String line = lines.get(k);
      if (!commentsOnly && line.strip().startsWith("```")) {
        fenced = !fenced;
      }
      Matcher comment = COMMENT.matcher(line);
      String text = commentsOnly ? (comment.find() ? comment.group() : "") : fenced ? "" : line;
      Matcher american = AMERICAN.matcher(CODE.matcher(text).replaceAll(""));
      if (american.find()) {
        wrong.add(SourceFiles.place(file, k + 1) + ": " + american.group());
      }
    }
  }
}
