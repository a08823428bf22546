package org.pecf.api.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;

class ChoicesTest {
  private enum Fruit {
    APPLE,
    BLOOD_ORANGE
  }

  @Test
  void anElementIsFoundByItsName() {
    assertEquals(Fruit.BLOOD_ORANGE, Choices.find("fruit", "blood-orange", Fruit.class));
    assertEquals("pear", Choices.find("fruit", "pear", List.of("plum", "pear"), name -> name));
  }

  @Test
  void anUnknownNameIsAnsweredWithTheNearestAndAll() {
    PecfException unknown =
        assertThrows(PecfException.class, () -> Choices.find("fruit", "blod-orange", Fruit.class));

    assertEquals(ErrorCode.BAD_OPTION, unknown.code());
    assertEquals(
        "There is no fruit 'blod-orange'. Did you mean 'blood-orange'? Known: apple, blood-orange.",
        unknown.getMessage());
  }

  @Test
  void nothingIsSuggestedForANameThatIsFarFromAll() {
    assertEquals(
        "There is no fruit 'spanner'. Known: apple, blood-orange.",
        assertThrows(PecfException.class, () -> Choices.find("fruit", "spanner", Fruit.class))
            .getMessage());
    assertEquals(
        "There is no fruit 'x'.", new Choices("fruit", List.of()).unknown("x").getMessage());
  }

  @Test
  void swappedLettersCountAsOneSlip() {
    assertEquals(Optional.of("wmf"), Choices.nearest("wfm", List.of("bpr", "ease", "wmf")));
    assertEquals(Optional.of("WMF"), Choices.nearest("wmf", List.of("WMF")));
  }
}
