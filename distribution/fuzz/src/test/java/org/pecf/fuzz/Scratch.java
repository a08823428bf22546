package org.pecf.fuzz;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The small files of readers. */
final class Scratch {
  private Scratch() {}

  /** Write a new file: to write over an old one makes some file systems wait for the disk. */
  static void replace(Path file, byte[] bytes) throws IOException {
    Files.deleteIfExists(file);
    Files.write(file, bytes);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
