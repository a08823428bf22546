package org.pecf.cli.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputationPath;

class OptionValuesTest {
  @Test
  void choicesSuggestTheNearest() {
    assertEquals(
        ComputationPath.CORRECTED,
        OptionValues.choice("--path", "corrected", ComputationPath.values()));
    assertEquals(
        "--path cannot be 'desne'. Did you mean 'dense'? It is one of: auto, dense, corrected.",
        assertThrows(
                PecfException.class,
                () -> OptionValues.choice("--path", "desne", ComputationPath.values()))
            .getMessage());
  }
}
