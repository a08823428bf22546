package org.pecf.engine.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.PecfException;

class ProviderChoiceTest {
  @Test
  void optionsAreReadByName() {
    assertEquals(
        new ProviderChoice(
            "wmf", Map.of("rank", "300", "lambda", "1.2", "frequency-exponent", "1")),
        ProviderChoice.parse("wmf:rank=300: lambda=1.2 :frequency-exponent=1"));
  }

  @Test
  void aValueEndsBeforeTheNextName() {
    assertEquals(
        new ProviderChoice("wmf", Map.of("confidence", "1:0.003:0.5", "rank", "7")),
        ProviderChoice.parse("wmf:confidence=1:0.003:0.5:rank=7"));
  }

  @Test
  void theFirstOptionAndOthersGoTogether() {
    assertEquals(
        new ProviderChoice("fixed", Map.of(ProviderChoice.FIRST_OPTION, "0.4", "other", "x=y")),
        ProviderChoice.parse("fixed:0.4:other=x=y"));
  }

  @Test
  void anEqualsSignInATextIsNoName() {
    assertEquals(
        new ProviderChoice(
            "sql", Map.of(ProviderChoice.FIRST_OPTION, "SELECT * FROM t WHERE stars=5")),
        ProviderChoice.parse("sql:SELECT * FROM t WHERE stars=5"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"wmf", "fixed:0.4", "csv:a:b", "wmf:confidence=1:0.003:rank=7", "a:b:c=d:e=f:g"})
  void theTextOfAChoiceReadsAsTheChoice(String text) {
    ProviderChoice choice = ProviderChoice.parse(text);
    assertEquals(text, choice.toString());
    assertEquals(choice, ProviderChoice.parse(choice.toString()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"wmf:rank=", "wmf:rank=3:rank=4", ":rank=3", "wmf:"})
  void wrongChoicesAreRefused(String text) {
    assertThrows(PecfException.class, () -> ProviderChoice.parse(text));
  }
}
