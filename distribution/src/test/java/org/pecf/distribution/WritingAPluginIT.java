package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.distribution.Distribution.Outcome;

/** Follow docs/writing-a-plugin.md to the letter. */
class WritingAPluginIT {
  private static final Pattern BLOCK =
      Pattern.compile(
          "(?:^`([^`\\n]+)`:\\n\\n)?^```(\\w+)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  @TempDir private Path folder;
  private Path project;
  private String page;

  /**
   * Write every block that is preceded by the name of a file into that file. Those of the examples
   * are in their files already, which ExamplesIT runs.
   */
  @BeforeEach
  void followThePage() throws IOException {
    project = folder.resolve("filter-popular");
    page = Files.readString(Path.of(System.getProperty("pecf.docs"), "writing-a-plugin.md"));
    Map<String, String> files = new TreeMap<>();
    Matcher block = BLOCK.matcher(page);
    while (block.find()) {
      if (block.group(1) != null && block.group(1).startsWith("examples/")) {
        Path example = Path.of(System.getProperty("pecf.examples")).resolveSibling(block.group(1));
        assertTrue(Files.readString(example).contains(block.group(3)), block.group());
      } else if (block.group(1) != null) {
        files.put(block.group(1), block.group(3));
      } else {
        assertTrue(!block.group(2).equals("java"), "Java without a file: " + block.group(3));
      }
    }
    assertEquals(7, files.size(), files.keySet().toString());
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path path = project.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.writeString(path, file.getValue());
    }
  }

  private Path jar() throws IOException {
    return new PluginBuild(project, List.of(), folder)
        .jar(project.resolve("target/filter-popular-1.0.jar"));
  }

  @Test
  void commandsOfThePageWork() throws Exception {
    jar();
    Distribution program = Distribution.in(project);
    List<String> commands =
        page.lines()
            .dropWhile(line -> !line.equals("mvn package"))
            .skip(1)
            .takeWhile(line -> line.startsWith("pecf-run "))
            .toList();
    assertEquals(3, commands.size(), commands.toString());

    String all = "";
    for (String command : commands) {
      Outcome outcome =
          program.run(command.substring("pecf-run ".length()).split(" ")).expectExit(0);
      all += outcome.out();
    }

    assertTrue(all.contains("filter-popular-1.0.jar was compiled against version"), all);
    assertTrue(all.contains("filter popular: the share of users that have an item"), all);
    assertTrue(all.lines().anyMatch(line -> line.matches("recall( +0\\.\\d{4}){2,}.*")), all);
  }

  @Test
  void theMetricOfThePageDecides() throws Exception {
    Path module = project.resolve("src/main/java/module-info.java");
    String metric = "  provides org.pecf.api.evaluate.MetricProvider with\n";
    int start = page.indexOf(metric);
    String provides = page.substring(start, page.indexOf("```", start));
    Files.writeString(
        module, Files.readString(module).replaceFirst("}\\s*$", "\n" + provides + "}"));
    jar();
    Distribution program = Distribution.in(project);
    String command =
        page.lines().filter(line -> line.endsWith(" --select closeness@20")).findFirst().get();
    String said =
        program.run(command.substring("pecf-run ".length()).split(" ")).expectExit(0).out();
    assertTrue(said.lines().anyMatch(line -> line.matches("closeness( +0\\.\\d{4}){6}.*")), said);
    String verified =
        program
            .run("plugins", "verify", "--contract", "target/filter-popular-1.0.jar")
            .expectExit(0)
            .out();
    assertTrue(
        Pattern.compile("ok +contract +Closeness: \\d+ rules .* are kept").matcher(verified).find(),
        verified);
  }

  @Test
  void contractOfThePageIsKept() throws Exception {
    int succeeded =
        new PluginBuild(project, List.of(), folder).test(jar(), "com.example.popular.PopularTest");
    assertTrue(succeeded >= 10, "only " + succeeded);
  }

  @Test
  void contractIsKeptOnDemandToo() throws Exception {
    jar();
    List<String> commands =
        page.lines()
            .filter(line -> line.startsWith("pecf-run plugins verify --contract "))
            .toList();
    assertEquals(1, commands.size(), commands.toString());
    String[] arguments = commands.get(0).substring("pecf-run ".length()).split(" ");
    String said = Distribution.in(project).run(arguments).expectExit(0).out();
    assertTrue(
        Pattern.compile("ok +contract +PopularProvider: \\d\\d rules .* are kept")
            .matcher(said)
            .find(),
        said);
  }

  @Test
  void pomOfThePageIsForThisVersion() throws Exception {
    Path pom = project.resolve("pom.xml");
    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
    assertTrue(
        Files.readString(pom)
            .contains("<pecf.version>" + System.getProperty("pecf.version") + "</pecf.version>"));
  }
}
