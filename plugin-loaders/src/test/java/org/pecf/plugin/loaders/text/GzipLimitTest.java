package org.pecf.plugin.loaders.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;

class GzipLimitTest {
  @TempDir Path folder;

  private TextFile zeros(int megabytes) throws IOException {
    Path file = folder.resolve("zeros.gz");
    try (OutputStream packed = new GZIPOutputStream(Files.newOutputStream(file))) {
      for (int k = 0; k < megabytes; k++) {
        packed.write(new byte[1 << 20]);
      }
    }
    return TextFile.open(file);
  }

  private static long read(TextFile file) throws IOException {
    try (InputStream text = file.stream()) {
      return text.transferTo(OutputStream.nullOutputStream());
    }
  }

  @Test
  void whatUnpacksToFarTooMuchIsRefused() throws Exception {
    TextFile file = zeros(65);
    IOException tooLarge = assertThrows(IOException.class, () -> read(file));
    PecfException said = file.unreadable(tooLarge);
    assertEquals(ErrorCode.BAD_DATA, said.code());
    assertEquals(
        file.path()
            + " unpacks to more than 200 times its size, as no ratings do. Check that it is the"
            + " right file; if it is, unpack it yourself.",
        said.getMessage());
  }

  @Test
  void smallFilesMayUnpackAsTheyLike() throws Exception {
    assertEquals(64L << 20, read(zeros(64)));
  }
}
