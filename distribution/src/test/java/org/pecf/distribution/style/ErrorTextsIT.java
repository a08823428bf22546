package org.pecf.distribution.style;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.TreePathScanner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The texts of errors, by the rule that {@code PecfException} states. */
class ErrorTextsIT {
  /** The factories, and the place of the text among their arguments. */
  private static final Map<String, Integer> FACTORIES =
      Map.of(
          "PecfException.of", 1,
          "PecfException.badOption", 0,
          "PecfException.badData", 0,
          "PecfException.badModel", 0,
          "PecfException.unavailable", 0,
          "PecfException.pluginFault", 0,
          "PecfException.resources", 0,
          "PecfException.internal", 0);

  /** A flag of ours: those of Java begin with "add". */
  private static final Pattern FLAG = Pattern.compile("(^|[\\s'(])--(?!add)[a-z]");

  /**
   * The modules that know nothing of the command line, in errors or any other text. One type starts
   * a JVM, whose flags look alike.
   */
  private static final Pattern BELOW =
      Pattern.compile("pecf-(api|engine)/(?!.*/ContractProcess\\.java).*");

  private static final Pattern MEGABYTES = Pattern.compile("\\b[MG]B\\b");

  /** A text of an error and the place where it stands. */
  private record Text(String place, String text) {}

  @Test
  void textsFollowTheRule() {
    List<Text> texts = texts();
    assertTrue(texts.size() > 150, "texts found: " + texts.size());
    List<String> wrong = new ArrayList<>();
    for (Text error : texts) {
      fault(error).ifPresent(fault -> wrong.add(error.place + ": " + fault + ": " + error.text));
    }
    assertEquals("", String.join("\n", wrong));
  }

  @Test
  void noTextBelowTheCommandLineNamesAFlag() {
    List<String> wrong = new ArrayList<>();
    int[] read = new int[1];
    SourceFiles.parse(
        SourceFiles.main(),
        (unit, trees) ->
            new TreePathScanner<Void, DocTrees>() {
              @Override
              public Void visitLiteral(LiteralTree literal, DocTrees docs) {
                String place = place(unit, literal, docs);
                if (literal.getValue() instanceof String text && BELOW.matcher(place).matches()) {
                  read[0]++;
                  if (FLAG.matcher(text).find()) {
                    wrong.add(place + ": " + text);
                  }
                }
                return super.visitLiteral(literal, docs);
              }
            }.scan(unit, trees));
    assertTrue(read[0] > 1000, "texts read: " + read[0]);
    assertEquals("", String.join("\n", wrong));
  }

  private static Optional<String> fault(Text error) {
    String text = error.text;
    if (Character.isLowerCase(text.charAt(0))) {
      return Optional.of("starts with a small letter");
    }
    if (!text.matches("(?s).*([.?]|%s)$")) {
      return Optional.of("ends without a full stop");
    }
    if (MEGABYTES.matcher(text).find()) {
      return Optional.of("memory is not in MiB");
    }
    if (FLAG.matcher(text).find() && !error.place.startsWith("pecf-cli/")) {
      return Optional.of("names a flag below the command line");
    }
    return Optional.empty();
  }

  private static List<Text> texts() {
    List<Text> texts = new ArrayList<>();
    SourceFiles.parse(
        SourceFiles.main(),
        (unit, trees) ->
            new TreePathScanner<Void, DocTrees>() {
              @Override
              public Void visitMethodInvocation(MethodInvocationTree call, DocTrees docs) {
                Integer place = FACTORIES.get(call.getMethodSelect().toString());
                if (place != null) {
                  literal(call.getArguments().get(place))
                      .ifPresent(text -> texts.add(new Text(place(unit, call, docs), text)));
                }
                return super.visitMethodInvocation(call, docs);
              }
            }.scan(unit, trees));
    return texts;
  }

  private static String place(CompilationUnitTree unit, Tree tree, DocTrees docs) {
    return SourceFiles.place(
        Path.of(unit.getSourceFile().toUri()),
        unit.getLineMap().getLineNumber(docs.getSourcePositions().getStartPosition(unit, tree)));
  }

  /** Return a text that is written out, in one piece or several. */
  private static Optional<String> literal(ExpressionTree expression) {
    if (expression instanceof LiteralTree literal && literal.getValue() instanceof String text) {
      return Optional.of(text);
    }
    if (expression instanceof ParenthesizedTree inner) {
      return literal(inner.getExpression());
    }
    if (expression instanceof BinaryTree sum && sum.getKind() == Tree.Kind.PLUS) {
      return literal(sum.getLeftOperand())
          .flatMap(left -> literal(sum.getRightOperand()).map(left::concat));
    }
    return Optional.empty();
  }
}
