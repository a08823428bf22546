package org.pecf.plugin.loaders.text;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.plugin.loaders.testing.Loading;

class GzipMembersTest {
  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      joined.writeBytes(part);
    }
    return joined.toByteArray();
  }

  private static byte[] unpacked(byte[] packed, int bufferBytes) throws IOException {
    try (GzipMembers text =
        new GzipMembers(new ByteArrayInputStream(packed), bufferBytes, Long.MAX_VALUE)) {
      return text.readAllBytes();
    }
  }

  private static String text() {
    SplittableRandom random = new SplittableRandom(5);
    StringBuilder text = new StringBuilder();
    for (int k = 0; k < 3000; k++) {
      text.append(random.nextInt(1000)).append(',').append(random.nextInt(1000)).append('\n');
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 8, 9, 64, 1 << 16})
  void membersAreReadOneAfterTheOther(int bufferBytes) throws IOException {
    byte[] packed =
        joined(Loading.gzip(text()), Loading.gzip(""), Loading.gzip("1,2\n"), Loading.gzip(""));
    assertArrayEquals(
        (text() + "1,2\n").getBytes(StandardCharsets.UTF_8), unpacked(packed, bufferBytes));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 8, 9, 64, 1 << 16})
  void whatFollowsAMemberMustBeAnother(int bufferBytes) {
    for (String junk : new String[] {"j", "junk", "junk".repeat(100), "\0", "\u001fx"}) {
      byte[] packed = joined(Loading.gzip(text()), junk.getBytes(StandardCharsets.UTF_8));
      ZipException problem =
          assertThrows(ZipException.class, () -> unpacked(packed, bufferBytes), junk);
      assertEquals("something that is not gzip follows its end", problem.getMessage());
    }
  }

  @Test
  void everyShorterFileIsIncomplete() {
    byte[] packed = Loading.gzip("1,2\n1,3\n");
    for (int length = 2; length < packed.length; length++) {
      byte[] begun = Arrays.copyOf(packed, length);
      assertThrows(EOFException.class, () -> unpacked(begun, 16), "after " + length);
      byte[] second = joined(packed, begun);
      assertThrows(EOFException.class, () -> unpacked(second, 16), "again after " + length);
    }
  }

  @Test
  void headersMayHoldMoreThanIsNeeded() throws IOException {
    byte[] plain = Loading.gzip("1,2\n");
    byte[] header = Arrays.copyOf(plain, 10);
    header[3] = 2 | 4 | 8 | 16;
    byte[] more = {3, 0, 'x', 'y', 'z', 'n', 'a', 'm', 'e', 0, 'c', 0};
    CRC32 checksum = new CRC32();
    checksum.update(joined(header, more));
    byte[] ofHeader = {(byte) checksum.getValue(), (byte) (checksum.getValue() >> 8)};
    byte[] packed = joined(header, more, ofHeader, Arrays.copyOfRange(plain, 10, plain.length));
    assertEquals("1,2\n", new String(unpacked(packed, 5), StandardCharsets.UTF_8));
  }
}
