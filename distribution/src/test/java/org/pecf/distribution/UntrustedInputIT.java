package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.distribution.Distribution.Outcome;

/** Input and models that someone else made, read by what is shipped. */
class UntrustedInputIT {
  @TempDir private Path folder;

  private Outcome run(String... arguments) throws Exception {
    return Distribution.in(folder).run(arguments);
  }

  @Test
  void theQueryOfAModelIsNotRunUnlessItIsNamedAgain() throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    StringBuilder rows = new StringBuilder("u,i\n");
    for (int k = 0; k < 200; k++) {
      rows.append(k % 25).append(',').append(k * k % 19).append('\n');
    }
    Files.writeString(data.resolve("r.csv"), rows);
    String query = "sql.query=SELECT u, i FROM 'r.csv' ORDER BY u, i";
    run(
            "--data",
            "data",
            "--format",
            "sql",
            "--set",
            query,
            "--rank",
            "2",
            "--rounds",
            "1",
            "--out",
            "model")
        .expectExit(0);
    Path manifest = folder.resolve("model/manifest.json");
    ObjectNode tree = (ObjectNode) new ObjectMapper().readTree(manifest.toFile());
    ((ObjectNode) tree.at("/request/data/format/options"))
        .put("query", "COPY (SELECT 'evil') TO '" + folder + "/out.sh'");
    byte[] bytes = new ObjectMapper().writeValueAsBytes(tree);
    Files.write(manifest, bytes);
    String digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    Files.writeString(
        folder.resolve("model/manifest.sha256"),
        digest + "  manifest.json\n",
        StandardCharsets.US_ASCII);
    Outcome refused = run("evaluate", "model").expectExit(2);
    assertTrue(refused.err().contains("Name the data yourself, "), refused.err());
    assertTrue(Files.notExists(folder.resolve("out.sh")));
    run("evaluate", "model", "--data", "data", "--format", "sql", "--set", query).expectExit(0);
    Outcome written =
        run(
                "data",
                "describe",
                "--data",
                "data",
                "--format",
                "sql",
                "--set",
                "sql.query=COPY (SELECT 'evil') TO '" + folder + "/out.sh'")
            .expectExit(2);
    assertTrue(written.err().contains("Write one SELECT statement."), written.err());
    assertTrue(Files.notExists(folder.resolve("out.sh")));
  }

  @Test
  void aDamagedArrowFileEndsWithOneLine() throws Exception {
    run("data", "convert", "builtin:demo", "whole.arrow").expectExit(0);
    Path whole = folder.resolve("whole.arrow");
    byte[] bytes = Files.readAllBytes(whole);
    for (int k = 200; k < 400; k += 40) {
      byte[] damaged = bytes.clone();
      damaged[k] ^= (byte) 0xff;
      Files.write(folder.resolve("damaged.arrow"), damaged);
      Outcome outcome = run("data", "describe", "--data", "damaged.arrow");
      assertTrue(outcome.exitCode() == 0 || outcome.exitCode() == 2, outcome.err());
      long lines = outcome.err().lines().filter(line -> line.startsWith("pecf-run: error")).count();
      assertEquals(outcome.exitCode() == 0 ? 0 : 1, lines, outcome.err());
    }
  }
}
