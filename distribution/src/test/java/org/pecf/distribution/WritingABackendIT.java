package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Follow docs/writing-a-backend.md, from the project that the archetype generates. */
class WritingABackendIT {
  private static final Pattern FILE =
      Pattern.compile(
          "^`([^`\\n]+)`:\\n\\n```java\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  @TempDir private Path folder;

  private static Path base() throws IOException {
    try (Stream<Path> files =
        Files.list(Distribution.built().resolve("plugins/plugin-backend-cpu"))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("pecf-backend-"))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void theBackendOfThePageKeepsTheContractAndTrains() throws Exception {
    Path project = folder.resolve("example-backend");
    Distribution.copy(
        Path.of(System.getProperty("pecf.generated"), "backend", "project", "example-backend"),
        project);
    String page =
        Files.readString(Path.of(System.getProperty("pecf.docs"), "writing-a-backend.md"));
    int files = 0;
    for (Matcher file = FILE.matcher(page); file.find(); files++) {
      Files.writeString(project.resolve(file.group(1)), file.group(2));
    }
    assertEquals(3, files);
    assertTrue(page.contains("`open` returns `new MySession(context)`"));
    Path backend = project.resolve("src/main/java/com/example/backend/MyBackend.java");
    String changed =
        Files.readString(backend)
            .replace("new ReferenceComputeSession(context)", "new MySession(context)");
    assertTrue(changed.contains("new MySession(context)"), changed);
    Files.writeString(backend, changed);

    Path plugin = Files.createDirectories(folder.resolve("plugins/example-backend"));
    PluginBuild build = new PluginBuild(project, List.of(base()), folder);
    Path jar = build.jar(plugin.resolve("example-backend.jar"));
    int kept = build.test(jar, "com.example.backend.MyBackendTest");
    assertTrue(kept >= 30, "only " + kept + " rules");

    Files.copy(base(), plugin.resolve(base().getFileName()));
    Files.writeString(folder.resolve("ratings.csv"), ratings());
    Distribution.Outcome trained =
        Distribution.in(folder)
            .run(
                "--plugins",
                "plugins",
                "--backend",
                "example-backend",
                "--data",
                "ratings.csv",
                "--rank",
                "2",
                "--rounds",
                "1",
                "--iterations",
                "2")
            .expectExit(0);
    assertTrue(trained.err().contains("the only path of this backend"), trained.err());
  }

  private static String ratings() {
    StringBuilder rows = new StringBuilder("user,item\n");
    for (int k = 0; k < 300; k++) {
      rows.append(k % 30).append(',').append((k * k + k % 7) % 23).append('\n');
    }
    return rows.toString();
  }
}
