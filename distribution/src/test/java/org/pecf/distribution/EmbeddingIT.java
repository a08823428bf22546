package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of PECF as a library, run as the README and the page on the library say. */
class EmbeddingIT {
  @TempDir private Path folder;
  private String pages;

  @BeforeEach
  void extract() throws IOException {
    Path root = Path.of(System.getProperty("pecf.root"));
    pages =
        Files.readString(root.resolve("README.md"))
            + Files.readString(root.resolve("docs/library.md"));
    Files.writeString(folder.resolve("Embedded.java"), block("```java\n", "class Embedded"));
  }

  /** Return the code block of a kind that contains some text. */
  private String block(String kind, String text) {
    Matcher blocks = Pattern.compile(kind + "(.*?)```", Pattern.DOTALL).matcher(pages);
    while (blocks.find()) {
      if (blocks.group(1).contains(text)) {
        return blocks.group(1);
      }
    }
    throw new AssertionError("no page has a block with " + text);
  }

  /** Run a command of these pages in the distribution, with the example beside it. */
  private String run(String text) throws Exception {
    Path tools = Path.of(System.getProperty("java.home"), "bin");
    String command =
        block("```sh\n", text)
            .replaceFirst("^(java|jshell) ", Matcher.quoteReplacement("'" + tools) + "'/$1 ")
            .replace("Embedded.java", "'" + folder.resolve("Embedded.java") + "'")
            .replace(
                "Serve.java model", "'" + folder.resolve("Serve.java") + "' '" + folder + "/model'")
            .replace("look.jsh", "'" + folder.resolve("look.jsh") + "'");
    return start(command);
  }

  private String start(String command) throws Exception {
    Path out = folder.resolve("out.txt");
    Process process =
        new ProcessBuilder("/bin/sh", "-c", command)
            .directory(Distribution.built().toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    int exitCode = process.waitFor();
    String said = Files.readString(out);
    assertEquals(0, exitCode, said);
    return said;
  }

  @Test
  void worksOnAModulePath() throws Exception {
    assertTrained(run("--module-path lib"));
  }

  @Test
  void worksOnAClassPath() throws Exception {
    assertTrained(run("java -cp 'lib/*:plugins"));
  }

  @Test
  void aClassPathTakesPluginsOfFoldersToo() throws Exception {
    assertTrained(run("java -cp 'lib/*' --add-opens java.base/java.nio=ALL-UNNAMED Embedded"));
  }

  /** The first attempt and any later one say the same, and what to do about it. */
  @Test
  void aMissingOptionOfJavaIsNamed() throws Exception {
    Files.writeString(
        folder.resolve("Twice.java"),
        """
        import java.nio.file.Path;
        import org.pecf.api.PecfException;
        import org.pecf.engine.recommend.Recommender;
        import org.pecf.engine.run.Training;

        public class Twice {
          public static void main(String[] arguments) throws Exception {
            try {
              Training.on("builtin:demo").plugins(Path.of("plugins")).run();
            } catch (PecfException e) {
              System.out.println(e.getMessage());
            }
            try {
              Recommender.open(Path.of("model"));
            } catch (PecfException e) {
              System.out.println(e.getMessage());
            }
          }
        }
        """);
    String flag = "--add-opens=java.base/java.nio=";
    String expected =
        "Arrow, which PECF keeps its data in, needs access to java.nio. Start Java with "
            + flag
            + "%s, or with a jar whose manifest says Add-Opens: java.base/java.nio.";
    for (String[] start :
        new String[][] {
          {"-cp 'lib/*'", "ALL-UNNAMED"},
          {
            "--module-path lib --add-modules org.pecf.engine,org.apache.arrow.memory.unsafe",
            "org.apache.arrow.memory.core"
          }
        }) {
      String error = expected.formatted(start[1]);
      assertEquals(
          List.of(error, error), java(start[0] + " '" + folder.resolve("Twice.java") + "'"));
    }
  }

  /**
   * An executable jar opens java.nio by its manifest, so that whoever starts it needs no option.
   */
  @Test
  void anExecutableJarNeedsNoOption() throws Exception {
    Files.writeString(
        folder.resolve("Main.java"),
        block("```java\n", "class Embedded").replace("Embedded", "Main"));
    Path classes = folder.resolve("classes");
    List<Path> libraries;
    try (Stream<Path> files = Files.list(Distribution.built().resolve("lib"))) {
      libraries = files.sorted().toList();
    }
    assertEquals(
        0,
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-cp",
                libraries.stream()
                    .map(Path::toString)
                    .collect(Collectors.joining(File.pathSeparator)),
                "-d",
                classes.toString(),
                folder.resolve("Main.java").toString()));
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, "Main");
    attributes.putValue("Add-Opens", "java.base/java.nio");
    attributes.put(
        Attributes.Name.CLASS_PATH,
        libraries.stream().map(path -> path.toUri().toString()).collect(Collectors.joining(" ")));
    try (JarOutputStream jar =
        new JarOutputStream(Files.newOutputStream(folder.resolve("app.jar")), manifest)) {
      jar.putNextEntry(new JarEntry("Main.class"));
      Files.copy(classes.resolve("Main.class"), jar);
    }
    assertTrained(
        String.join("\n", java("-jar '" + folder.resolve("app.jar") + "' plugins")) + "\n");
  }

  /** Run Java in the distribution, and return the lines of its output without its own warnings. */
  private List<String> java(String arguments) throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    return start("'" + java + "' " + arguments)
        .lines()
        .filter(line -> !line.startsWith("WARNING: "))
        .toList();
  }

  @Test
  void ratingsInMemoryBecomeListsInTenLines() throws Exception {
    Path model = folder.resolve("model");
    Files.writeString(
        folder.resolve("Embedded.java"),
        block("```java\n", "class Shop").replace("shop-model", model.toString()));
    String said = run("java -cp 'lib/*:plugins");
    assertTrue(Files.exists(model));
    List<String> lists = said.lines().filter(line -> line.startsWith("Recommendation[")).toList();
    assertEquals(3, lists.size(), said);
    assertTrue(lists.get(0).contains("item=lamp"), said);
  }

  @Test
  void worksInJshell() throws Exception {
    Files.writeString(folder.resolve("look.jsh"), block("```jshell\n", "Training.on"));
    String said = run("jshell -R");
    assertTrue(said.contains("12000 positives"), said);
    assertTrue(Pattern.compile("recall@50=0\\.[3-9]").matcher(said).find(), said);
  }

  @Test
  void servingAModelNeedsNoPlugin() throws Exception {
    Distribution.in(folder)
        .run("--rank", "8", "--rounds", "1", "--threads", "1", "--out", "model")
        .expectExit(0);
    Files.writeString(folder.resolve("Serve.java"), block("```java\n", "class Serve"));
    // Newer releases of Java print warnings about Arrow before it.
    List<String> served =
        run("Serve.java model 42").lines().filter(line -> !line.startsWith("WARNING: ")).toList();
    assertEquals(13, served.size(), served.toString());
    assertTrue(served.get(10).startsWith("somebody new: [Recommendation["), served.get(10));
    assertTrue(served.get(11).startsWith("like "), served.get(11));
    assertTrue(served.get(12).contains("Explanation[user=42, item="), served.get(12));
    String command =
        Distribution.in(folder)
            .run("recommend", "model", "--user", "42", "--output-format", "csv")
            .expectExit(0)
            .out();
    assertEquals(
        command.lines().skip(1).map(line -> line.split(",")[2]).toList(),
        served.stream().limit(10).map(line -> line.split(" ")[0]).toList());
  }

  private static void assertTrained(String said) {
    assertTrue(said.contains("member 3/3: wmf joined"), said);
    Matcher recall = Pattern.compile("recall@50 = (0\\.\\d+)").matcher(said);
    assertTrue(recall.find(), said);
    assertTrue(Double.parseDouble(recall.group(1)) > 0.3, said);
    assertEquals(3, said.lines().filter(line -> line.startsWith("Recommendation[")).count(), said);
  }
}
