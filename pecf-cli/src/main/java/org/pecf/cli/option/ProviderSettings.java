package org.pecf.cli.option;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.pecf.api.plugin.Choices;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.plugin.ProviderKind;

/**
 * Give options to the providers that a run uses: those of flags such as {@code --rank}, and those
 * of {@code --set}. What no provider takes is an error, never ignored.
 */
final class ProviderSettings {
  /** A provider in use. */
  private static final class Slot {
    private final ProviderKind<?> kind;
    private ProviderChoice choice;

    Slot(ProviderKind<?> kind, ProviderChoice choice) {
      this.kind = kind;
      this.choice = choice;
    }

    boolean automatic() {
      return choice.id().equals(AUTO)
          && (kind == ProviderKind.BACKEND || kind == ProviderKind.LOADER);
    }
  }

  static final String AUTO = "auto";

  private final PluginCatalog catalog;
  private final List<Slot> slots = new ArrayList<>();

  ProviderSettings(PluginCatalog catalog) {
    this.catalog = catalog;
  }

  /** Use a provider. */
  void use(ProviderKind<?> kind, ProviderChoice choice) {
    Slot slot = new Slot(kind, choice);
    if (!slot.automatic()) {
      catalog.find(kind, choice.id());
    }
    slots.add(slot);
  }

  /** Give options of flags to every provider of a kind. */
  void flags(ProviderKind<?> kind, Map<String, String> values) {
    values.forEach(
        (key, value) -> {
          for (Slot slot : slots) {
            if (slot.kind == kind) {
              if (!keys(slot).contains(key)) {
                throw Values.bad(
                    "--"
                        + key
                        + " has no meaning here: "
                        + kind
                        + " "
                        + slot.choice.id()
                        + " has no option '"
                        + key
                        + "'. "
                        + takes(slot));
              }
              slot.choice = slot.choice.with(key, value);
            }
          }
        });
  }

  /** Give options of {@code --set} to the providers they name. */
  void settings(Map<String, String> settings) {
    settings.forEach(this::set);
  }

  private void set(String name, String value) {
    String[] words = name.split("\\.", -1);
    if (words.length < 2 || words.length > 3) {
      throw Values.bad(
          "--set " + name + ": write the plugin's id and its option, such as --set wmf.rank=50");
    }
    String kind = words.length == 3 ? words[0] : null;
    String id = words[words.length - 2];
    String key = words[words.length - 1];
    List<Slot> named =
        slots.stream()
            .filter(slot -> kind == null || slot.kind.word().equals(kind))
            .filter(slot -> slot.choice.id().equals(id))
            .toList();
    if (named.isEmpty()) {
      throw Values.bad("--set " + name + ": " + unused(kind, id));
    }
    List<Slot> taking = named.stream().filter(slot -> keys(slot).contains(key)).toList();
    if (taking.isEmpty()) {
      Slot slot = named.get(0);
      throw Values.bad(
          "--set "
              + name
              + ": "
              + slot.kind
              + " "
              + id
              + " has no option '"
              + key
              + "'."
              + Choices.suggestion(key, keys(slot))
              + " "
              + takes(slot));
    }
    if (taking.stream().map(slot -> slot.kind).distinct().count() > 1) {
      throw Values.bad(
          "--set "
              + name
              + ": both the "
              + taking.get(0).kind
              + " and the "
              + taking.get(1).kind
              + " "
              + id
              + " have it. Write "
              + taking.get(0).kind
              + "."
              + name
              + " or "
              + taking.get(1).kind
              + "."
              + name);
    }
    taking.forEach(slot -> slot.choice = slot.choice.with(key, value));
  }

  private String unused(String kind, String id) {
    for (Slot slot : slots) {
      if (slot.automatic() && catalog.ids(slot.kind).contains(id)) {
        return "add "
            + (slot.kind == ProviderKind.BACKEND ? "--backend " : "--format ")
            + id
            + " to set options of it";
      }
    }
    List<String> used =
        slots.stream().filter(slot -> !slot.automatic()).map(slot -> slot.choice.id()).toList();
    return "'"
        + (kind == null ? "" : kind + ".")
        + id
        + "' is not used in this run."
        + Choices.suggestion(id, used)
        + " In use are: "
        + String.join(", ", used.stream().distinct().toList());
  }

  private List<String> keys(Slot slot) {
    return slot.automatic()
        ? List.of()
        : catalog.find(slot.kind, slot.choice.id()).options().keys();
  }

  private String takes(Slot slot) {
    List<String> keys = keys(slot);
    return keys.isEmpty() ? "It takes none" : "It takes: " + String.join(", ", keys);
  }

  /** Return the choices of a kind, with all their options spelt out and checked. */
  List<ProviderChoice> choices(ProviderKind<?> kind) {
    return slots.stream()
        .filter(slot -> Objects.equals(slot.kind, kind))
        .map(slot -> slot.automatic() ? slot.choice : catalog.complete(kind, slot.choice))
        .toList();
  }

  /** Return the one choice of a kind, with all its options spelt out and checked. */
  ProviderChoice choice(ProviderKind<?> kind) {
    return choices(kind).get(0);
  }
}
