package org.pecf.engine.recommend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.PecfException;
import org.pecf.api.memory.Side;
import org.pecf.engine.data.IdMap;

class ItemTitlesTest {
  @TempDir private Path folder;
  private final BufferAllocator allocator = new RootAllocator();
  private IdMap items;

  @BeforeEach
  void createItems() {
    BigIntVector ids = new BigIntVector("items", allocator);
    ids.allocateNew(3);
    ids.set(0, 1);
    ids.set(1, 5);
    ids.set(2, 12);
    ids.setValueCount(3);
    items = IdMap.of(Side.ITEMS, ids);
  }

  @AfterEach
  void close() {
    items.close();
    allocator.close();
  }

  private ItemTitles read(String text, Charset charset) throws IOException {
    return ItemTitles.read(Files.write(folder.resolve("titles"), text.getBytes(charset)), items);
  }

  private ItemTitles read(String text) throws IOException {
    return read(text, StandardCharsets.UTF_8);
  }

  @Test
  void readsTheFilesOfMovieLens() throws IOException {
    ItemTitles hundredThousand =
        read("1|Toy Story (1995)|01-Jan-1995||x\n5|Été (1995)|x\n", StandardCharsets.ISO_8859_1);
    assertEquals("Toy Story (1995)", hundredThousand.of("1"));
    assertEquals("Été (1995)", hundredThousand.of("5"));
    assertEquals("", hundredThousand.of("12"));
    assertEquals("Copycat: a film (1995)", read("5::Copycat: a film (1995)::Crime\n").of("5"));
    ItemTitles latest =
        read("movieId,title,genres\r\n5,\"American \"\"President\"\", The\",Drama\r\n");
    assertEquals("American \"President\", The", latest.of("5"));
  }

  @Test
  void findsTheColumnOfTitlesByItsName() throws IOException {
    assertEquals("Heat", read("item;year;name\n12;1995;Heat").of("12"));
    assertEquals("1995", read("item;year\n12;1995;Heat").of("12"));
    assertEquals("line\nbreak", read("\uFEFFid\ttitle\n12\t\"line\nbreak\"\n").of("12"));
  }

  @Test
  void refusesAFileThatKnowsNoItem() throws IOException {
    PecfException e = assertThrows(PecfException.class, () -> read("7,Seven\n"));
    assertTrue(e.getMessage().contains("none of the model's items"), e.getMessage());
    assertThrows(PecfException.class, () -> read(""));
    e = assertThrows(PecfException.class, () -> ItemTitles.read(folder.resolve("no"), items));
    assertTrue(e.getMessage().contains("there is no such file"), e.getMessage());
  }
}
