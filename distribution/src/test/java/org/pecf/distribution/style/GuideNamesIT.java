package org.pecf.distribution.style;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.source.tree.ClassTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.TreePathScanner;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The types that the guide to the sources names: each must be there. */
class GuideNamesIT {
  private static final Path GUIDE =
      Path.of(System.getProperty("pecf.root"), "docs/architecture.md");
  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");

  /** A type alone, after a package, or before a member. */
  private static final Pattern TYPE =
      Pattern.compile("(?:[a-z]\\w*\\.)*([A-Z][a-z]\\w*)(?:[.(<].*)?");

  @Test
  void everyTypeOfTheGuideIsThere() {
    Set<String> types = types();
    Set<String> named = new TreeSet<>();
    Matcher code = CODE.matcher(SourceFiles.text(GUIDE));
    while (code.find()) {
      Matcher type = TYPE.matcher(code.group(1));
      if (type.matches()) {
        named.add(type.group(1));
      }
    }
    assertTrue(named.size() > 80, () -> named.size() + " types: " + named);
    named.removeAll(types);
    named.removeIf(GuideNamesIT::isOfJava);
    assertEquals(List.of(), List.copyOf(named), "types that the guide names but nobody has");
  }

  private static Set<String> types() {
    Set<String> types = new HashSet<>();
    SourceFiles.parse(
        SourceFiles.files("/src/", ".java").stream()
            .filter(path -> !path.toString().contains("archetype-resources"))
            .toList(),
        (unit, trees) ->
            new TreePathScanner<Void, DocTrees>() {
              @Override
              public Void visitClass(ClassTree type, DocTrees docs) {
                types.add(type.getSimpleName().toString());
                return super.visitClass(type, docs);
              }
            }.scan(unit, trees));
    return types;
  }

  private static boolean isOfJava(String name) {
    try {
      Class.forName("java.lang." + name);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
