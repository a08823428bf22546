package org.pecf.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The kept inputs, read again by every build. */
class CorpusTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void everyKeptInputIsReadOrRefused(Readers name) throws IOException {
    UntrustedReader reader = name.in(folder);
    int accepted = 0;
    for (Map.Entry<String, byte[]> input : Corpus.of(name, reader).entrySet()) {
      try {
        accepted += Verdict.accepts(reader, input.getValue()) ? 1 : 0;
      } catch (AssertionError e) {
        throw new AssertionError(input.getKey(), e);
      }
    }
    assertTrue(accepted > 0, "no input reaches the end of " + name);
  }
}
