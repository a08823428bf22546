package org.pecf.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.pecf.engine.recommend.Recommender;
import org.pecf.engine.run.Training;
import org.pecf.engine.run.TrainingResult;

/**
 * The opening of a stored model and a recommendation by it. An input is the number of a file and
 * what the file holds instead; checksums are made to fit.
 */
final class ModelFilesReader implements UntrustedReader {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String MANIFEST = "manifest.json";

  private final Path model;
  private final List<String> names;
  private final Map<String, byte[]> whole = new LinkedHashMap<>();

  ModelFilesReader(Path folder) throws IOException {
    model = folder.resolve("model");
    Path data = folder.resolve("ratings.csv");
    Files.writeString(data, "user,item\nann,1\nann,2\nbob,2\nbob,3\ncleo,1\ncleo,3\n");
    try (TrainingResult result =
        Training.on(data.toString())
            .split("none")
            .option("format", "csv")
            .option("rank", "2")
            .option("iterations", "1")
            .option("threads", "1")
            .option("memory", "64m")
            .option("backend", "cpu")
            .rounds(1)
            .run()) {
      result.save(model, true, Instant.EPOCH);
    }
    try (Stream<Path> files = Files.list(model)) {
      names = files.map(file -> file.getFileName().toString()).sorted().toList();
    }
    for (String name : names) {
      whole.put(name, Files.readAllBytes(model.resolve(name)));
    }
  }

  @Override
  public List<byte[]> seeds() {
    List<byte[]> seeds = new ArrayList<>();
    for (int k = 0; k < names.size(); k++) {
      byte[] bytes = whole.get(names.get(k));
      byte[] seed = new byte[bytes.length + 1];
      seed[0] = (byte) k;
      System.arraycopy(bytes, 0, seed, 1, bytes.length);
      seeds.add(seed);
    }
    return seeds;
  }

  @Override
  public void read(byte[] input) throws IOException {
    if (input.length == 0) {
      return;
    }
    String name = names.get(Byte.toUnsignedInt(input[0]) % names.size());
    byte[] content = Arrays.copyOfRange(input, 1, input.length);
    Scratch.replace(model.resolve(name), content);
    try {
      forge(name, content);
      try (Recommender recommender = Recommender.open(model)) {
        recommender.recommend(recommender.users().textAt(0), 2);
      }
    } finally {
      for (String changed : List.of(name, MANIFEST, "manifest.sha256")) {
        Scratch.replace(model.resolve(changed), whole.get(changed));
      }
    }
  }

  /** Make the checksums fit. */
  private void forge(String name, byte[] content) throws IOException {
    byte[] manifest = content;
    if (!name.equals(MANIFEST)) {
      ObjectNode tree = (ObjectNode) JSON.readTree(whole.get(MANIFEST));
      for (JsonNode entry : tree.get("files")) {
        if (entry.get("name").asText().equals(name)) {
          ((ObjectNode) entry).put("bytes", content.length).put("sha256", checksum(content));
        }
      }
      manifest = JSON.writeValueAsBytes(tree);
      Scratch.replace(model.resolve(MANIFEST), manifest);
    }
    if (!name.equals("manifest.sha256")) {
      Scratch.replace(
          model.resolve("manifest.sha256"),
          Scratch.bytes(checksum(manifest) + "  " + MANIFEST + "\n"));
    }
  }

  private static String checksum(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
