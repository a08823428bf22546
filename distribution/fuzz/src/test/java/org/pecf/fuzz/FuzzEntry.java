package org.pecf.fuzz;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The class that the fuzzer calls with one input after the other; in a process of its own. */
public final class FuzzEntry {
  /** What the static methods that the fuzzer calls have in common. */
  private static UntrustedReader reader;

  private FuzzEntry() {}

  /**
   * Prepare readers. The fuzzer calls this first.
   *
   * @param arguments a folder for the readers, and their names. Not modified.
   */
  public static void fuzzerInitialize(String[] arguments) throws IOException {
    List<Readers> names = Stream.of(arguments).skip(1).map(Readers::valueOf).toList();
    reader = new AnyReader(names, Path.of(arguments[0]));
  }

  /**
   * Read one input.
   *
   * @param input the bytes. Not modified.
   */
  public static void fuzzerTestOneInput(byte[] input) {
    Verdict.accepts(reader, input);
  }
}
