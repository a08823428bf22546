package org.pecf.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Several readers as one: the first byte of an input chooses the reader of the others. */
final class AnyReader implements UntrustedReader {
  private final List<Readers> names;
  private final List<UntrustedReader> readers = new ArrayList<>();

  AnyReader(List<Readers> names, Path folder) throws IOException {
    this.names = names;
    for (Readers name : names) {
      readers.add(name.in(Files.createDirectories(folder.resolve(name.name()))));
    }
  }

  @Override
  public List<byte[]> seeds() throws IOException {
    List<byte[]> seeds = new ArrayList<>();
    for (int k = 0; k < readers.size(); k++) {
      for (byte[] input : Corpus.of(names.get(k), readers.get(k)).values()) {
        byte[] seed = new byte[input.length + 1];
        seed[0] = (byte) k;
        System.arraycopy(input, 0, seed, 1, input.length);
        seeds.add(seed);
      }
    }
    return seeds;
  }

  @Override
  public void read(byte[] input) throws IOException {
    if (input.length > 0) {
      int chosen = Byte.toUnsignedInt(input[0]) % readers.size();
      readers.get(chosen).read(Arrays.copyOfRange(input, 1, input.length));
    }
  }
}
