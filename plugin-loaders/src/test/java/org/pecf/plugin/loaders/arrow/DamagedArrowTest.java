package org.pecf.plugin.loaders.arrow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.pecf.plugin.loaders.testing.Loading.load;
import static org.pecf.plugin.loaders.testing.Loading.loader;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.TimeStampMilliVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.impl.UnionListWriter;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingLoader;

/**
 * Damaged Arrow files: every byte changed and every length cut. A crash would end the whole test
 * run.
 */
class DamagedArrowTest {
  @TempDir Path folder;

  /** The columns of a sample. */
  enum Columns {
    TEXTS,
    INTEGERS,
    RATINGS_AND_TIMES,
    DICTIONARY,
    LISTS_BESIDE
  }

  @ParameterizedTest
  @EnumSource
  void damagedFilesAreReadOrRefused(Columns columns) throws IOException {
    damage(columns, false);
  }

  @ParameterizedTest
  @EnumSource(names = {"TEXTS", "DICTIONARY"})
  void damagedStreamsAreReadOrRefused(Columns columns) throws IOException {
    damage(columns, true);
  }

  private void damage(Columns columns, boolean stream) throws IOException {
    byte[] whole = sample(columns, stream);
    Path file = folder.resolve("damaged.arrow");
    attempt(file, whole, "whole");
    int refused = 0;
    for (int place = 0; place < whole.length; place++) {
      for (int change : new int[] {0xff, 0x01}) {
        byte[] bytes = whole.clone();
        bytes[place] ^= (byte) change;
        refused += attempt(file, bytes, place + " ^ " + change) ? 0 : 1;
      }
    }
    for (int length = 0; length < whole.length; length++) {
      refused += attempt(file, Arrays.copyOf(whole, length), "cut at " + length) ? 0 : 1;
    }
    assertTrue(refused > whole.length / 2, refused + " of " + whole.length);
  }

  /** Load a file, and return whether it was accepted. */
  private static boolean attempt(Path file, byte[] bytes, String which) throws IOException {
    replace(file, bytes);
    RatingLoader loader = loader(new ArrowLoaderProvider(), Map.of());
    try {
      loader.recognise(new DataSource(file.toString()));
      load(loader, file);
      return true;
    } catch (PecfException e) {
      assertEquals(ErrorCode.BAD_DATA, e.code(), which);
      assertFalse(e.getMessage().contains("\n"), which + ": " + e.getMessage());
      assertFalse(e.getMessage().contains("null)"), which + ": " + e.getMessage());
      return false;
    } catch (RuntimeException | Error e) {
      throw new AssertionError(which, e);
    }
  }

  private static byte[] sample(Columns columns, boolean stream) {
    try (RootAllocator root = new RootAllocator()) {
      List<FieldVector> vectors = new ArrayList<>();
      List<Dictionary> dictionaries = new ArrayList<>();
      switch (columns) {
        case TEXTS -> {
          vectors.add(texts("user", root, "ann", "bob", "bob"));
          vectors.add(texts("item", root, "x", "", "é"));
        }
        case INTEGERS -> {
          vectors.add(longs("user", root, 1, 2, 2));
          vectors.add(ints("item", root, 4, 5, 6));
        }
        case RATINGS_AND_TIMES -> {
          vectors.add(texts("user", root, "ann", "bob", "bob"));
          LargeVarCharVector items = new LargeVarCharVector("item", root);
          Float4Vector ratings = new Float4Vector("rating", root);
          TimeStampMilliVector times = new TimeStampMilliVector("time", root);
          for (int k = 0; k < 3; k++) {
            items.setSafe(k, ("item" + k).getBytes(StandardCharsets.UTF_8));
            ratings.setSafe(k, k / 2f);
            times.setSafe(k, 1000L * k);
          }
          for (FieldVector vector : List.of(items, ratings, times)) {
            vector.setValueCount(3);
            vectors.add(vector);
          }
        }
        case DICTIONARY -> {
          VarCharVector words = texts("words", root, "x", "y");
          Dictionary dictionary = new Dictionary(words, new DictionaryEncoding(9, false, null));
          dictionaries.add(dictionary);
          vectors.add(longs("user", root, 1, 2, 2));
          try (VarCharVector plain = texts("item", root, "y", "x", "y")) {
            vectors.add((FieldVector) DictionaryEncoder.encode(plain, dictionary));
          }
        }
        case LISTS_BESIDE -> {
          vectors.add(longs("user", root, 1, 2, 2));
          vectors.add(longs("item", root, 4, 5, 6));
          vectors.add(lists(root));
        }
      }
      byte[] bytes = ArrowSamples.write(stream, 1, vectors, dictionaries);
      vectors.forEach(FieldVector::close);
      dictionaries.forEach(dictionary -> dictionary.getVector().close());
      return bytes;
    }
  }

  private static ListVector lists(BufferAllocator root) {
    ListVector lists = ListVector.empty("tags", root);
    UnionListWriter writer = lists.getWriter();
    for (int k = 0; k < 3; k++) {
      writer.setPosition(k);
      writer.startList();
      writer.struct().start();
      writer.struct().bigInt("a").writeBigInt(k);
      writer.struct().bit("b").writeBit(1);
      writer.struct().end();
      writer.endList();
    }
    lists.setValueCount(3);
    return lists;
  }

  private static VarCharVector texts(String name, BufferAllocator root, String... values) {
    VarCharVector vector = new VarCharVector(name, root);
    for (int k = 0; k < values.length; k++) {
      vector.setSafe(k, values[k].getBytes(StandardCharsets.UTF_8));
    }
    vector.setValueCount(values.length);
    return vector;
  }

  private static BigIntVector longs(String name, BufferAllocator root, long... values) {
    BigIntVector vector = new BigIntVector(name, root);
    for (int k = 0; k < values.length; k++) {
      vector.setSafe(k, values[k]);
    }
    vector.setValueCount(values.length);
    return vector;
  }

  private static IntVector ints(String name, BufferAllocator root, int... values) {
    IntVector vector = new IntVector(name, root);
    for (int k = 0; k < values.length; k++) {
      vector.setSafe(k, values[k]);
    }
    vector.setValueCount(values.length);
    return vector;
  }

  /** Write a new file: overwriting an old one makes some file systems wait for the disk. */
  private static void replace(Path file, byte[] bytes) throws IOException {
    Files.deleteIfExists(file);
    Files.write(file, bytes);
  }
}
