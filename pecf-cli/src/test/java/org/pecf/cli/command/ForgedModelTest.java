package org.pecf.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.cli.RecordedApplication;

/** Models whose manifest was written by someone else, with checksums that fit. */
class ForgedModelTest extends RecordedApplication {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;
  private Path data;
  private Path model;

  @BeforeEach
  void train() throws IOException {
    StringBuilder rows = new StringBuilder("user,item\n");
    for (int k = 0; k < 120; k++) {
      rows.append(k % 20).append(',').append(k * k % 17).append('\n');
    }
    data = Files.writeString(folder.resolve("ratings.csv"), rows);
    model = folder.resolve("model");
    assertEquals(
        0,
        execute(
            "train",
            "--data " + data + " --format csv --rank 2 --rounds 1 --backend cpu --threads 1",
            model),
        err());
  }

  private void forge(Consumer<ObjectNode> change) throws Exception {
    Path manifest = model.resolve("manifest.json");
    ObjectNode tree = (ObjectNode) JSON.readTree(manifest.toFile());
    change.accept((ObjectNode) tree.get("request"));
    byte[] bytes = JSON.writeValueAsBytes(tree);
    Files.write(manifest, bytes);
    String digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    Files.write(
        model.resolve("manifest.sha256"),
        (digest + "  manifest.json\n").getBytes(StandardCharsets.US_ASCII));
  }

  private int evaluate(String... more) {
    String[] words = new String[more.length + 5];
    words[0] = "evaluate";
    words[1] = model.toString();
    words[2] = "--backend";
    words[3] = "cpu";
    words[4] = "--threads=1";
    System.arraycopy(more, 0, words, 5, more.length);
    return execute(words);
  }

  private String refusal() {
    assertEquals(2, evaluate(), err());
    String error =
        err().lines().filter(line -> line.startsWith("pecf-run: error: ")).findFirst().orElse("");
    assertTrue(
        error.startsWith(
            "pecf-run: error: The data that this model names is not read on its word: "),
        err());
    assertFalse(err().contains("reading " + folder.toAbsolutePath()), err());
    return error;
  }

  @Test
  void aPlainFileIsReadAgainAndNamed() throws IOException {
    assertEquals(0, evaluate(), err());
    assertTrue(
        err().contains("reading " + data.toRealPath() + ", which the model names as its data"),
        err());
    assertEquals(0, evaluate("--data", data.toString()), err());
    assertFalse(err().contains("which the model names"), err());
  }

  @Test
  void aQueryIsNotRun() throws Exception {
    forge(
        request -> {
          ObjectNode format = (ObjectNode) request.get("data").get("format");
          format.put("id", "sql");
          format.putObject("options").put("query", "COPY (SELECT 1) TO '" + folder + "/out'");
        });
    String error = refusal();
    assertTrue(error.contains("its loader 'sql' "), error);
    assertTrue(error.contains("Name the data yourself, "), error);
    assertTrue(error.contains(model.resolve("manifest.json").toString()), error);
    assertFalse(Files.exists(folder.resolve("out")));
    assertEquals(0, evaluate("--data", data.toString(), "--format", "csv"), err());
  }

  @Test
  void theLoaderOfAnotherPluginIsNotUsed() throws Exception {
    forge(request -> ((ObjectNode) request.get("data").get("format")).put("id", "other\u001b[2J"));
    String error = refusal();
    assertTrue(error.contains("its loader 'other?[2J' "), error);
  }

  @Test
  void foldersLinksDevicesAndPipesAreNotRead() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("link.csv"), data);
    Path pipe = folder.resolve("pipe");
    new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor();
    for (String location :
        new String[] {
          folder.toString(),
          link.toString(),
          pipe.toString(),
          "/dev/zero",
          "/proc/self/environ",
          "//host/share/ratings.csv",
          "\\\\host\\share\\ratings.csv",
          folder.resolve("none.csv").toString(),
          "a\u0000b"
        }) {
      for (String part : new String[] {"location", "validationLocation", "testLocation"}) {
        forge(
            request -> {
              ObjectNode recorded = (ObjectNode) request.get("data");
              recorded.putNull("validationLocation").putNull("testLocation");
              recorded.put("location", data.toString()).put(part, location);
            });
        assertTrue(refusal().contains("a plain file") || location.contains("\u0000"), location);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"id\": \"cuda\", \"options\": {\"library\": \"/tmp/evil.so\"}}",
        "{\"id\": \"evil\", \"options\": {}}"
      })
  void theRecordedBackendFiltersAndPluginsAreNotUsed(String choice) throws Exception {
    forge(
        request -> {
          try {
            ((ObjectNode) request.get("compute")).set("backend", JSON.readTree(choice));
            request.putArray("filters").add(JSON.readTree(choice));
            request.set("weighting", JSON.readTree(choice));
            request.put("plugins", folder.toString()).put("config", "/etc/passwd");
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
        });
    assertEquals(0, evaluate(), err());
    assertEquals(
        0,
        execute("recommend", model.toString(), "--user", "3", "--backend", "cpu", "--threads=1"),
        err());
  }

  @Test
  void recommendingReadsNoData() throws Exception {
    forge(request -> ((ObjectNode) request.get("data")).put("location", "/dev/zero"));
    Files.delete(data);
    assertEquals(
        0,
        execute("recommend", model.toString(), "--user", "3", "--backend", "cpu", "--threads=1"),
        err());
  }
}
