package org.pecf.cli.command;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;

class CommandTest {
  @Test
  void smallHeapsAreRefused() {
    PecfException problem =
        assertThrows(PecfException.class, () -> Command.checkHeap((16 << 20) - 512));
    assertEquals(ErrorCode.RESOURCES, problem.code());
    assertEquals(
        "The Java heap may take 15 MiB only, which is too little. Raise it to 32 MiB or more,"
            + " for example with PECF_JAVA_OPTS=-Xmx1g.",
        problem.getMessage());
    // Of -Xmx32m the collector keeps a part for itself.
    assertDoesNotThrow(() -> Command.checkHeap(29 << 20));
  }
}
