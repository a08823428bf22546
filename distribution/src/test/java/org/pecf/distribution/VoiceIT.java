package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The voice of comments and names. */
class VoiceIT {
  private static final Pattern TYPE_COMMENT =
      Pattern.compile(
          "/\\*\\*\\s*((?:(?!\\*/).)*?)\\s*\\*/\\s*(?:@\\w[\\w.]*(?:\\([^()]*(?:\\([^()]*\\)[^()]*)*\\))?\\s*)*"
              + "(?:(?:public|protected|private|static|final|abstract|sealed|non-sealed)\\s+)*"
              + "(?:class|record|interface|enum|@interface)\\s+(\\w+)",
          Pattern.DOTALL);

  /** Verbs that would begin a command; those that are also nouns count only before an article. */
  private static final Pattern COMMAND =
      Pattern.compile(
          "(?:Add|Allocate|Answer|Apply|Ask|Be|Begin|Bind|Bring|Call|Carry|Choose|Collect|Compute|"
              + "Convert|Create|Decide|Define|Describe|Divide|Do|Evaluate|Explain|Fill|Find|Gather|"
              + "Give|Have|Hear|Hold|Instantiate|Keep|Know|Learn|Lend|Let|Load|Look|Make|Offer|Own|"
              + "Parse|Pass|Point|Prepare|Provide|Put|Read|Receive|Recognise|Refuse|Return|Run|Say|"
              + "Send|Set|Share|Solve|Stand|Start|Stop|Store|Take|Tell|Train|Translate|Turn|Unpack|"
              + "Use|Wait|Weigh|Write)\\b(?! of\\b)[ ,:].*"
              + "|(?:Check|Count|Cut|Draw|Form|List|Mark|Measure|Name|Note|Open|Order|Print|Rank|"
              + "Report|Sample|Scale|Score|Search|Show|Split|Sum|Test|Time|Watch|Work)"
              + " (?:a|an|the|all|every|each|one|how|what|which|whether|that|it|by)\\b.*",
          Pattern.DOTALL);

  private static final Pattern AMERICAN =
      Pattern.compile(
          "\\b(?!\\w*VMOptions)(?:\\w*(?:behavior|neighbor|favor(?!ite)|normaliz|initializ|optimiz|summariz|recogniz|"
              + "regulariz|factoriz|organiz|minimiz|maximiz|generaliz|randomiz|analyz|vectoriz|"
              + "penaliz|parallelliz|canceled|canceling|labeled|modeled|modeling|gray)\\w*"
              + "|colors?|colored|center|centers|centered)\\b",
          Pattern.CASE_INSENSITIVE);

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
    for (Sources.Source source : Sources.all()) {
      Matcher matcher = TYPE_COMMENT.matcher(source.text());
      while (matcher.find()) {
        String text = matcher.group(1).replaceAll("(?m)^\\s*\\* ?", "").strip();
        comments.add(new Comment(source.line(matcher.start()), matcher.group(2), text));
      }
    }
    assertTrue(comments.size() > 300, () -> comments.size() + " comments");
    return comments;
  }

  @Test
  void typesSayWhatTheyAre() {
    assertEquals(
        List.of(),
        typeComments().stream()
            .filter(comment -> COMMAND.matcher(comment.text()).matches())
            .toList());
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
  void spellingIsBritish() {
    assertEquals(List.of(), wordsWith(AMERICAN));
  }

  @Test
  void thereAreNoRiddles() {
    assertEquals(List.of(), wordsWith(RIDDLES));
  }

  private static List<String> wordsWith(Pattern pattern) {
    List<String> found = new ArrayList<>();
    for (Sources.Source source : Sources.all()) {
      for (String words : source.words()) {
        Matcher matcher = pattern.matcher(words);
        while (matcher.find()) {
          found.add(source.path() + ": " + matcher.group());
        }
      }
    }
    return found;
  }
}
