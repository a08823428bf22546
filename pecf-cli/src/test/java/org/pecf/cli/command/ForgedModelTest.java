package org.pecf.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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

  /** A manifest is small: a larger one, or one of countless values, is not parsed. */
  @Test
  void aManifestBeyondAllMeasureIsRefused() throws Exception {
    forge(request -> request.put("more", "x".repeat(5 << 20)));
    assertEquals(2, evaluate());
    assertTrue(err().contains("manifest.json is larger than 4 MiB"), err());
    forge(
        request -> {
          ArrayNode many = request.putArray("more");
          for (int k = 0; k < 500_000; k++) {
            many.addArray();
          }
        });
    assertEquals(2, evaluate());
    assertTrue(err().contains("manifest.json is not JSON: Token count"), err());
  }

  /** Every value of a checkpoint that makes no sense is refused in a sentence. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/sections/chain-1/models []",
        "/sections/chain-1/models null",
        "/sections/chain-1/models/0 null",
        "/sections/chain-1/models/0/users -1",
        "/sections/chain-1/models/0/items 2147483647",
        "/sections/chain-1/models/0/files []",
        "/sections/chain-1/models/0/files/0/name \"a\\u0000b\"",
        "/sections/chain-1/models/0/files/0/name \"/etc/passwd\"",
        "/sections/chain-1/models/0/files/0/name \"../model/manifest.json\"",
        "/sections/chain-1/models/0/files/0/bytes -5",
        "/sections/chain-1/models/0/name \"..\"",
        "/sections/chain-1/models/0/content null",
        "/sections/chain-1/models/0/content/rank -3",
        "/sections/chain-1/models/0/content/rank 2147483647",
        "/sections/chain-1/models/0/content"
            + " {\"kind\":\"sparse-product\",\"inner\":\"USERS\",\"intercept\":0,\"left\":1,\"right\":1}",
        "/sections/chain-1/fits []",
        "/sections/chain-1/json \"null\"",
        "/sections/chain-1/json \"{}\"",
        "/sections/chain-1/json \"{\\\"rounds\\\":[null]}\"",
        "/sections/chain-1 null",
        "/sections null",
        "/identity null",
        "/identity/options null",
        "/identity/options/seed null",
        "/generation -1",
        "/generation 2147483647"
      })
  void aForgedCheckpointIsRefused(String change) throws Exception {
    String[] run = {
      "train",
      "--data",
      data.toString(),
      "--format=csv",
      "--rank=2",
      "--rounds=1",
      "--backend=cpu",
      "--threads=1",
      "--effort=none",
      "--out",
      folder.resolve("new").toString(),
      "--keep-checkpoint"
    };
    assertEquals(0, execute(run), err());
    Path checkpoint = folder.resolve("new.checkpoint");
    Files.delete(folder.resolve("new/manifest.json"));
    Files.move(folder.resolve("new"), folder.resolve("away"));
    List<Path> states;
    try (Stream<Path> files = Files.list(checkpoint)) {
      states = files.filter(file -> file.toString().contains("state-")).sorted().toList();
    }
    Path last = states.get(states.size() - 1);
    for (Path older : states.subList(0, states.size() - 1)) {
      Files.delete(older);
    }
    JsonNode state = JSON.readTree(Files.readString(last).split("\n")[0]);
    JsonPointer place = JsonPointer.compile(change.split(" ", 2)[0]);
    JsonNode value = JSON.readTree(change.split(" ", 2)[1]);
    JsonNode parent = state.at(place.head());
    if (parent instanceof ArrayNode array) {
      array.set(place.last().getMatchingIndex(), value);
    } else {
      ((ObjectNode) parent).set(place.last().getMatchingProperty(), value);
    }
    String text = JSON.writeValueAsString(state);
    String digest =
        HexFormat.of()
            .formatHex(
                MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    Files.writeString(last, text + "\n" + digest + "\n");

    String[] again = Arrays.copyOf(run, run.length + 1);
    again[run.length] = "--resume";
    assertEquals(2, execute(again), err());
    assertFalse(err().contains("defect"), err());
    assertFalse(err().contains("plugin"), err());
  }

  /** Ids, titles, file names, keys and results of anyone are shown, and command no terminal. */
  @Test
  void nothingThatIsQuotedCommandsTheTerminal() throws Exception {
    String hostile = "\u001b]0;owned\u0007\u001b[2J\u009b1m\u202egnp\u2028\u2066\u200f\u061c";
    StringBuilder rows = new StringBuilder("user,item\n");
    StringBuilder titles = new StringBuilder("item,title\n");
    for (int k = 0; k < 120; k++) {
      rows.append("u" + k % 20 + hostile + ",i" + k * k % 17 + hostile + "\n");
      titles.append("i" + k % 17 + hostile + ",Title" + hostile + "\n");
    }
    Path ratings = Files.writeString(folder.resolve("r\u202e\u009b.csv"), rows);
    Path titled = Files.writeString(folder.resolve("titles.csv"), titles);
    Path other = folder.resolve("other\u202e\u009b");
    String[] quiet = {"--backend", "cpu", "--threads=1"};
    assertHarmless(
        "train",
        "--data",
        ratings.toString(),
        "--format=csv",
        "--rank=2",
        "--rounds=1",
        "--verbose",
        "--effort=none",
        "--out",
        other.toString(),
        quiet[0],
        quiet[1],
        quiet[2]);
    String user = "u3" + hostile;
    String[] show = {"recommend", other.toString(), "--user", user, "--titles", titled.toString()};
    assertHarmless(show);
    assertTrue(out().contains("Title?"), out());
    assertHarmless("similar", other.toString(), "--item", "i0" + hostile);
    assertHarmless("explain", other.toString(), "--user", user);
    execute("recommend", other.toString(), "--user", "none" + hostile);
    assertPlain();
    ObjectNode metrics = (ObjectNode) JSON.readTree(other.resolve("metrics.json").toFile());
    ((ObjectNode) metrics.at("/metrics/test")).put("recall@50" + hostile, 0.5);
    ((ObjectNode) metrics.at("/request/ensemble/filters/0")).put("id", hostile);
    ((ObjectNode) metrics.get("versions")).put("pecf", hostile);
    JSON.writeValue(other.resolve("metrics.json").toFile(), metrics);
    assertHarmless("compare", other.toString(), model.toString());
  }

  private void assertHarmless(String... words) {
    assertEquals(0, execute(words), err());
    assertPlain();
  }

  private void assertPlain() {
    assertTrue((out() + err()).contains("?"), out() + err());
    String all = (out() + err()).replaceAll("[\r\n\t]", "");
    assertFalse(
        Pattern.compile("[\\p{Cc}\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]")
            .matcher(all)
            .find(),
        () -> JSON.getNodeFactory().textNode(all).toString());
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
