package org.pecf.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.OptionDescription;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.Provider;
import org.pecf.api.plugin.SpiVersion;

/** The contract of every provider: it describes itself, and refuses meaningless options. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public abstract class ProviderContract {
  /** For subclasses. */
  protected ProviderContract() {}

  /** Return the provider to be checked. */
  protected abstract Provider<?, ?> provider();

  /** Return the options to check it with; others take their defaults. */
  protected Map<String, String> optionTexts() {
    return Map.of();
  }

  /**
   * Return options that only the constructor of the options record can refuse; ranges, types and
   * unknown keys need not be listed.
   */
  protected List<Map<String, String>> badOptionTexts() {
    return List.of();
  }

  /** The description is complete, of this SPI, and always the same. */
  @Test
  public void describesItselfAlikeEveryTime() {
    Provider<?, ?> provider = provider();
    assertEquals(provider.describe(), provider.describe());
    assertEquals(provider.options().descriptions(), provider.options().descriptions());
    assertEquals(SpiVersion.CURRENT, provider.describe().spiVersion(), "SPI version");
    assertFalse(provider.describe().summary().isBlank(), "the summary is blank");
    assertFalse(provider.describe().summary().contains("\n"), "the summary is of several lines");
    for (OptionDescription option : provider.options().descriptions()) {
      assertFalse(option.description().isBlank(), option.key() + " is not described");
    }
  }

  /** Defaults and the options of the contract are accepted. */
  @Test
  public void takesItsOwnDefaults() {
    provider().options().bind("defaults", Map.of());
    provider().options().bind("options of the contract", optionTexts());
  }

  /** Unknown keys, wrong types and values out of range are refused. */
  @Test
  public void refusesOptionsWithoutMeaning() {
    List<Executable> refusals = new ArrayList<>();
    refusals.add(() -> assertRefused(Map.of("no-such-option", "1")));
    for (OptionDescription option : provider().options().descriptions()) {
      if (!option.type().equals("text")) {
        refusals.add(() -> assertRefused(Map.of(option.key(), "nonsense!")));
      }
      if (Double.isFinite(option.min())) {
        refusals.add(() -> assertRefused(Map.of(option.key(), below(option))));
      }
      if (Double.isFinite(option.max())) {
        refusals.add(() -> assertRefused(Map.of(option.key(), above(option))));
      }
    }
    for (Map<String, String> texts : badOptionTexts()) {
      refusals.add(() -> assertRefused(texts));
    }
    assertAll(refusals);
  }

  /** Options written down and read again are the same. */
  @Test
  public void rebuildsItsOptionsFromTheirTexts() {
    assertRebuilt(provider().options());
  }

  private <O extends Record> void assertRebuilt(OptionSchema<O> schema) {
    for (Map<String, String> texts : List.of(Map.<String, String>of(), optionTexts())) {
      O options = schema.bind("options", texts);
      assertEquals(options, schema.bind("options again", schema.texts(options)));
    }
  }

  private void assertRefused(Map<String, String> change) {
    Map<String, String> texts = new HashMap<>(optionTexts());
    texts.putAll(change);
    PecfException refusal =
        assertThrows(
            PecfException.class,
            () -> provider().options().bind("the provider", texts),
            () -> "accepts " + change);
    assertEquals(ErrorCode.BAD_OPTION, refusal.code(), () -> change + ": " + refusal.getMessage());
  }

  private static String below(OptionDescription option) {
    return beyond(option, option.min(), -1);
  }

  private static String above(OptionDescription option) {
    return beyond(option, option.max(), 1);
  }

  private static String beyond(OptionDescription option, double end, int direction) {
    double step = direction * Math.max(1, Math.abs(end));
    return option.type().equals("integer")
        ? new BigDecimal(end).add(new BigDecimal(step)).toBigInteger().toString()
        : Double.toString(end + step);
  }
}
