package org.pecf.api.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The version that compilers record in plugins. */
class SpiVersionTest {
  @Test
  void theVersionOfTheModuleStartsWithThatOfTheSpi() {
    Optional<String> version = SpiVersion.class.getModule().getDescriptor().rawVersion();

    assertEquals(
        Optional.of(Integer.toString(SpiVersion.CURRENT)),
        version.map(text -> text.replaceFirst("\\+.*", "")));
  }
}
