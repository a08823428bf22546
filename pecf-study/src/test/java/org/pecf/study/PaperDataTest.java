package org.pecf.study;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.pecf.api.memory.GridShape;

class PaperDataTest {
  @ParameterizedTest
  @CsvSource({
    "27699, 6412, MovieLens, 50, 0.460, 0.698, 0.348",
    "5551, 16980, CiteULike, 150, 0.446, 0.594, 0.125",
    "19455, 13135, Netflix, 50, 0.258, 0.452, 0.151"
  })
  void dataOfThePaperIsRecognisedByShape(
      int users, int items, String name, int rank, double pecf50, double wmf200, double accams100) {
    PaperData data = PaperData.of(new GridShape(users, items)).orElseThrow();
    assertEquals(name, data.name());
    assertEquals(rank, data.rank());
    assertEquals(Optional.of(pecf50), data.recall("recall", "pecf", 50));
    assertEquals(Optional.of(wmf200), data.recall("recall", "wmf", 200));
    assertEquals(Optional.of(accams100), data.recall("recall", "baccams", 100));
  }

  @Test
  void whatThePaperDoesNotPrintIsMissing() {
    assertEquals(Optional.empty(), PaperData.of(new GridShape(600, 400)));
    PaperData data = PaperData.of(new GridShape(27699, 6412)).orElseThrow();
    assertEquals(Optional.of(0.745), data.recall("d", "pecf 30", 200));
    assertEquals(Optional.of(0.586), data.recall("nu-sigma", "1 0.1", 100));
    assertEquals(Optional.empty(), data.recall("recall", "pecf", 20));
    assertEquals(Optional.empty(), data.recall("recall", "bagging", 50));
    assertEquals(
        Optional.empty(),
        PaperData.of(new GridShape(5551, 16980)).orElseThrow().recall("d", "pecf 30", 50));
  }
}
