package org.pecf.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The kept inputs of readers: good ones, and those that once were findings. */
final class Corpus {
  private static final Path FOLDER = Path.of("src/test/resources/corpus");

  private Corpus() {}

  /** Return the inputs of a reader by their names, its own good ones included. */
  static Map<String, byte[]> of(Readers name, UntrustedReader reader) throws IOException {
    Set<Readers> sources =
        name == Readers.RECOGNITION
            ? EnumSet.range(Readers.CSV, Readers.RECOGNITION)
            : EnumSet.of(name);
    Map<String, byte[]> inputs = new TreeMap<>();
    for (Readers source : sources) {
      for (Path file : files(FOLDER.resolve(source.name().toLowerCase(Locale.ROOT)))) {
        inputs.put(source.name() + "/" + file.getFileName(), Files.readAllBytes(file));
      }
    }
    for (byte[] seed : reader.seeds()) {
      inputs.put("seed " + inputs.size(), seed);
    }
    return inputs;
  }

  private static List<Path> files(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }
}
