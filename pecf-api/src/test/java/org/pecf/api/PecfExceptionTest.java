package org.pecf.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PecfExceptionTest {
  @Test
  void textsAreOneLineWithoutControlCharacters() {
    assertEquals(
        "Item 'a b c?[2J?' is unknown.",
        PecfException.badData("Item '%s' is unknown.", "a\tb\r\n\u2028c\u001b[2J\0").getMessage());
    assertEquals("One two.", PecfException.internal("One\ntwo.").getMessage());
  }

  @Test
  void longValuesLeaveRoomForTheAdvice() {
    String message =
        PecfException.badOption("'%s' is wrong. Mend it.", "x".repeat(1 << 20)).getMessage();
    assertTrue(message.length() < 2000 && message.endsWith("…' is wrong. Mend it."), message);
  }
}
