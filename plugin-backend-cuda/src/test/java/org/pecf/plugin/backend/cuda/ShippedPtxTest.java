package org.pecf.plugin.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** The shipped PTX must match the source, and the PTX that drivers of CUDA 12 accept. */
final class ShippedPtxTest {
  private static final String PTX = "pecf-kernels.ptx.gz";

  /** Return the lines of the PTX that is shipped. */
  static List<String> lines() throws IOException {
    return text().lines().toList();
  }

  private static String text() throws IOException {
    try (InputStream compressed = CudaBackendProvider.class.getResourceAsStream(PTX)) {
      byte[] text = new GZIPInputStream(Objects.requireNonNull(compressed)).readAllBytes();
      return new String(text, StandardCharsets.US_ASCII);
    }
  }

  @Test
  void isCompiledFromTheSourceAsItIs() throws IOException, NoSuchAlgorithmException {
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(KernelSource.FILE));
    String first = lines().get(0);
    assertTrue(
        first.endsWith(" " + HexFormat.of().formatHex(hash)),
        () ->
            "the kernels have changed since; run mvn -Pptx -pl plugin-backend-cuda -am compile. "
                + first);
  }

  /** A driver accepts PTX of its own ISA version and older: 8.0 came with CUDA 12.0. */
  @Test
  void isAcceptedByDriversOfCuda12() throws IOException {
    String text = text();
    Matcher version = Pattern.compile("(?m)^\\.version ([0-9.]+)$").matcher(text);
    assertTrue(version.find());
    assertTrue(Double.parseDouble(version.group(1)) <= 8.0, version.group());
    Matcher target = Pattern.compile("(?m)^\\.target sm_([0-9]+)$").matcher(text);
    assertTrue(target.find());
    assertEquals(50, Integer.parseInt(target.group(1)), "the oldest architecture of CUDA 12");
  }

  @Test
  void hasEveryKernelWithItsParameters() throws IOException {
    Map<String, Integer> expected = new TreeMap<>();
    KernelSource.signatures().forEach((kernel, all) -> expected.put(kernel, all.size()));
    assertTrue(expected.size() > 15, "the source's kernels were not found: " + expected);
    Map<String, Integer> shipped = new TreeMap<>();
    Matcher entries = Pattern.compile("\\.entry (\\w+)\\(([^)]*)\\)").matcher(text());
    for (MatchResult entry : entries.results().toList()) {
      shipped.put(entry.group(1), entry.group(2).split(",").length);
    }
    assertEquals(expected, shipped);
  }
}
