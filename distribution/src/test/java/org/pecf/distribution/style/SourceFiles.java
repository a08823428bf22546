package org.pecf.distribution.style;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The source files of this project, as the style tests read them. */
final class SourceFiles {
  private static final Path ROOT = Path.of(System.getProperty("pecf.root")).normalize();

  /** Folders that hold no sources, or sources that follow the rules of another place. */
  private static final Set<String> PASSED_OVER = Set.of("target", ".git", "node_modules");

  private SourceFiles() {}

  /** Return the main sources of all modules; templates of the archetype are no Java yet. */
  static List<Path> main() {
    return files("/src/main/java/", ".java").stream()
        .filter(path -> !path.toString().contains("archetype-resources"))
        .toList();
  }

  /** Return the files whose path contains a text and ends with another. */
  static List<Path> files(String containing, String ending) {
    try (Stream<Path> paths = Files.walk(ROOT)) {
      return paths
          .filter(
              path -> {
                for (Path name : ROOT.relativize(path)) {
                  if (PASSED_OVER.contains(name.toString())) {
                    return false;
                  }
                }
                String text = "/" + ROOT.relativize(path);
                return text.contains(containing) && text.endsWith(ending);
              })
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Return a path as people see it, with a line. */
  static String place(Path file, long line) {
    return ROOT.relativize(file) + ":" + line;
  }

  /** Return the text of a file. */
  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Parse files and hand each tree on with the means to look up positions and comments. */
  static void parse(List<Path> files, BiConsumer<CompilationUnitTree, DocTrees> reader) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  manager,
                  diagnostic -> {},
                  List.of("-proc:none"),
                  null,
                  manager.getJavaFileObjectsFromPaths(new ArrayList<>(files)));
      DocTrees trees = DocTrees.instance(task);
      for (CompilationUnitTree unit : task.parse()) {
        reader.accept(unit, trees);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
