package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
    assertTrained(run("java -cp"));
  }

  @Test
  void ratingsInMemoryBecomeListsInTenLines() throws Exception {
    Path model = folder.resolve("model");
    Files.writeString(
        folder.resolve("Embedded.java"),
        block("```java\n", "class Shop").replace("shop-model", model.toString()));
    String said = run("java -cp");
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
