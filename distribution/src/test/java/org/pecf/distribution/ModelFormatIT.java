package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of a model, read as docs/model-format.md describes them and by nothing of ours. */
class ModelFormatIT {
  private static final String USER = "42";
  private static final int TOP = 10;

  @TempDir private Path folder;

  private Path model() throws Exception {
    Distribution.in(folder)
        .run("--effort", "none", "--rank", "8", "--rounds", "2", "--out", "model")
        .expectExit(0);
    return folder.resolve("model");
  }

  /** Return what recommend prints, which is what readers must find. */
  private List<String> recommended() throws Exception {
    return Distribution.in(folder)
        .run("recommend", "model", "--user", USER, "--output-format", "csv")
        .expectExit(0)
        .out()
        .lines()
        .skip(1)
        .map(line -> line.split(",")[2])
        .toList();
  }

  /** Return the values of the only column of a file. */
  private static List<Object> column(Path model, String name) throws IOException {
    List<Object> values = new ArrayList<>();
    try (RootAllocator allocator = new RootAllocator();
        FileChannel channel = FileChannel.open(model.resolve(name + ".arrow"));
        ArrowFileReader reader = new ArrowFileReader(channel, allocator)) {
      VectorSchemaRoot root = reader.getVectorSchemaRoot();
      assertEquals(1, root.getFieldVectors().size(), name);
      while (reader.loadNextBatch()) {
        for (int row = 0; row < root.getRowCount(); row++) {
          values.add(root.getVector(0).getObject(row));
        }
      }
    }
    return values;
  }

  @Test
  void filesAreAsDescribed() throws Exception {
    Path model = model();
    JsonNode manifest = new ObjectMapper().readTree(model.resolve("manifest.json").toFile());
    String page = page();
    assertTrue(page.contains("format version " + manifest.get("formatVersion").asInt() + ","));
    manifest
        .get("files")
        .forEach(
            file -> {
              String name = file.get("name").asText().replaceAll("-\\d{3}-", "-000-");
              assertTrue(page.contains("`" + name + "`"), name + " is not described");
            });
    int row = column(model, "user-ids").stream().map(Object::toString).toList().indexOf(USER);
    double[] scores = new double[manifest.get("items").asInt()];
    for (int k = 0; k < manifest.get("members").size(); k++) {
      String name = "member-%03d-".formatted(k);
      List<?> user = (List<?>) column(model, name + "users").get(row);
      List<Object> items = column(model, name + "items");
      double weight = manifest.get("members").get(k).get("weight").asDouble();
      for (int item = 0; item < scores.length; item++) {
        List<?> factors = (List<?>) items.get(item);
        for (int d = 0; d < user.size(); d++) {
          scores[item] += weight * (Float) user.get(d) * (Float) factors.get(d);
        }
      }
    }
    for (String known : List.of("training-positives", "also-known")) {
      ((List<?>) column(model, known).get(row))
          .forEach(item -> scores[(Integer) item] = Double.NEGATIVE_INFINITY);
    }
    List<Object> ids = column(model, "item-ids");
    assertEquals(
        recommended(),
        IntStream.range(0, scores.length)
            .boxed()
            .sorted(Comparator.comparingDouble(item -> -scores[item]))
            .limit(TOP)
            .map(item -> ids.get(item).toString())
            .toList());
  }

  @Test
  void thePythonReaderGivesTheSameLists() throws Exception {
    assumeTrue(
        python("-c", "import numpy, pyarrow") == 0,
        "python3 with numpy and pyarrow is needed to run the reader of docs/model-format.md");
    model();
    Matcher code = Pattern.compile("```python\n(.*?)```", Pattern.DOTALL).matcher(page());
    assertTrue(code.find());
    Files.writeString(folder.resolve("recommend.py"), code.group(1));
    assertEquals(0, python("recommend.py", "model", USER), this::said);
    assertEquals(recommended(), said().lines().map(line -> line.split("\t")[0]).toList());
  }

  private static String page() throws IOException {
    return Files.readString(Path.of(System.getProperty("pecf.docs"), "model-format.md"));
  }

  private String said() {
    try {
      return Files.readString(folder.resolve("said.txt"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Run Python; return its exit code, or -1 if there is none. */
  private int python(String... arguments) throws InterruptedException {
    List<String> command = new ArrayList<>(List.of("python3"));
    command.addAll(List.of(arguments));
    try {
      return new ProcessBuilder(command)
          .directory(folder.toFile())
          .redirectErrorStream(true)
          .redirectOutput(folder.resolve("said.txt").toFile())
          .start()
          .waitFor();
    } catch (IOException e) {
      return -1;
    }
  }
}
