package org.pecf.distribution.style;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.source.tree.ClassTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.TreePathScanner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The names of types, and their comments: they say what a type is, noun first. */
class TypeCommentsIT {
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

  /** Verbs that a comment of a type must not start with: those are for methods. */
  private static final Set<String> IMPERATIVES =
      new TreeSet<>(
          Arrays.asList(
              ("Add Allow Allocate Announce Answer Apply Ask Assemble Average Be Begin Bind Build"
                      + " Cache Calculate Call Carry Change Check Choose Close Collect Combine"
                      + " Compare Compile Compute Convert Copy Count Create Cut Declare Define"
                      + " Describe Display Divide Do Draw Encode End Estimate Evaluate Execute"
                      + " Explain Express Feed Fill Find Fit Format Gather Generate Get Give Go"
                      + " Group Grow Guard Guess Handle Have Hear Hold Ignore Index Keep Know"
                      + " Launch Lay Learn Lend Let List Load Look Make Map Mark Mask Measure Meet"
                      + " Merge Name Note Offer Open Order Own Pack Parse Perform Pick Place Play"
                      + " Prepare Print Produce Provide Put Rank Read Receive Recognise Record"
                      + " Refuse Remember Render Repeat Report Represent Return Run Sample Say Scan"
                      + " Search See Send Serve Set Share Show Sign Solve Sort Split Start Stop"
                      + " Store Sum Take Tell Test Think Train Translate Try Turn Understand Use"
                      + " Verify Wait Walk Watch Weigh Wrap Write")
                  .split(" ")));

  @Test
  void typesHaveTellingNamesAndSayWhatTheyAre() {
    List<String> wrong = new ArrayList<>();
    int[] read = new int[1];
    SourceFiles.parse(
        SourceFiles.main(),
        (unit, trees) ->
            new TreePathScanner<Void, DocTrees>() {
              @Override
              public Void visitClass(ClassTree type, DocTrees docs) {
                String comment = docs.getDocComment(getCurrentPath());
                if (comment != null) {
                  read[0]++;
                  if (IMPERATIVES.contains(comment.strip().split("[\\s,:;]", 2)[0])) {
                    add(type, docs, comment.strip().lines().findFirst().orElse(""));
                  }
                }
                String name = type.getSimpleName().toString();
                if (VAGUE_NAME.matcher(name).matches() || REPLACED.contains(name)) {
                  add(type, docs, "the name says too little");
                }
                return super.visitClass(type, docs);
              }

              private void add(ClassTree type, DocTrees docs, String problem) {
                long start = docs.getSourcePositions().getStartPosition(unit, type);
                Path file = Path.of(unit.getSourceFile().toUri());
                String place = SourceFiles.place(file, unit.getLineMap().getLineNumber(start));
                wrong.add(place + ": " + type.getSimpleName() + ": " + problem);
              }
            }.scan(unit, trees));
    assertTrue(read[0] > 300, "types with comments: " + read[0]);
    assertEquals(
        "", String.join("\n", wrong), "a comment of a type starts with a noun, not with a verb");
  }
}
