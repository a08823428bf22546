package org.pecf.engine.archive;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** SHA-256 digests as 64 lower-case hexadecimal digits. */
public final class Digest {
  private Digest() {}

  /** Return the digest of a file, as {@code sha256sum} prints it. */
  public static String of(Path file) throws IOException {
    MessageDigest digest = sha256();
    try (InputStream content = Files.newInputStream(file);
        OutputStream sink = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
      content.transferTo(sink);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /**
   * Return the digest of a plugin: of its jar if it is one, otherwise of the lines that {@code
   * sha256sum} prints for its jars in order of name.
   *
   * @param jars the plugin's jars in order of name. Not modified.
   */
  public static String of(List<Path> jars) throws IOException {
    if (jars.size() == 1) {
      return of(jars.get(0));
    }
    StringBuilder lines = new StringBuilder();
    for (Path jar : jars) {
      lines.append(of(jar)).append("  ").append(jar.getFileName()).append('\n');
    }
    return of(lines.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Return the digest of bytes. */
  public static String of(byte[] content) {
    return HexFormat.of().formatHex(sha256().digest(content));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
