package org.pecf.engine.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Choices;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.plugin.ProviderKind;

/**
 * The providers that a run uses, with the options that short forms and settings give them. An
 * option that no provider takes is an error, never ignored.
 */
public final class ProviderSelection {
  /** A provider in use. */
  private static final class Slot {
    private final ProviderKind<?> kind;
    private final Set<String> ownKeys;
    private ProviderChoice choice;

    Slot(ProviderKind<?> kind, ProviderChoice choice) {
      this.kind = kind;
      this.ownKeys = choice.options().keySet();
      this.choice = choice;
    }

    /** Set an option, unless the choice itself sets it, which is more specific. */
    void set(String key, String value) {
      if (!ownKeys.contains(key)) {
        choice = choice.with(key, value);
      }
    }

    boolean automatic() {
      return choice.id().equals(TrainingRequest.AUTO)
          && (kind == ProviderKind.BACKEND || kind == ProviderKind.LOADER);
    }

    @Override
    public String toString() {
      return kind + " " + choice.id();
    }
  }

  private final PluginCatalog catalog;
  private final List<Slot> slots = new ArrayList<>();

  /** Create a selection of no provider yet. */
  public ProviderSelection(PluginCatalog catalog) {
    this.catalog = catalog;
  }

  /** Use a provider. */
  public void use(ProviderKind<?> kind, ProviderChoice choice) {
    Slot slot = new Slot(kind, choice);
    if (!slot.automatic()) {
      catalog.find(kind, choice.id());
    }
    slots.add(slot);
  }

  /** Give the providers in use the options that short forms and settings among some options say. */
  public void set(RequestOptions options) {
    setShortForms(options);
    set(options.settings());
  }

  /** Give the providers in use the options that settings name: texts by id and option. */
  public void set(Map<String, String> settings) {
    settings.forEach(this::set);
  }

  /**
   * Give the providers in use the options that short forms among some options say: of several
   * filters those that have the option.
   */
  public void setShortForms(RequestOptions options) {
    for (ShortForm form : ShortForm.all()) {
      String value = options.given().get(form.key());
      if (value != null && !form.key().equals(ShortForm.SHRINKAGE)) {
        set(slots.stream().filter(slot -> slot.kind == form.kind()).toList(), form.key(), value);
      }
    }
  }

  private void set(List<Slot> alike, String key, String value) {
    List<Slot> taking = alike.stream().filter(slot -> keys(slot).contains(key)).toList();
    if (taking.isEmpty() && !alike.isEmpty()) {
      Slot slot = alike.get(0);
      throw PecfException.badOption(
          "Option '%s' has no effect here: %s has no option '%s'. %s", key, slot, key, takes(slot));
    }
    set(taking, key, key, value);
  }

  /** Set an option of providers that have it; refuse one that all of them set themselves. */
  private static void set(List<Slot> taking, String name, String key, String value) {
    if (!taking.isEmpty() && taking.stream().allMatch(slot -> slot.ownKeys.contains(key))) {
      throw PecfException.badOption(
          "Option '%s' has no effect here: %s sets its own %s. Leave one of them out.",
          name, taking.get(0), key);
    }
    taking.forEach(slot -> slot.set(key, value));
  }

  /**
   * Give an option to the providers that a setting such as {@code wmf.rank} names. Who sets an
   * option of a format means that format.
   */
  private void set(String name, String value) {
    String[] words = name.split("\\.", -1);
    if (words.length < 2 || words.length > 3) {
      throw PecfException.badOption(
          "'%s' does not name an option of a plugin. Write the plugin's id and its option, such as"
              + " wmf.rank.",
          name);
    }
    String kind = words.length == 3 ? words[0] : "";
    String id = words[words.length - 2];
    String key = words[words.length - 1];
    slots.stream()
        .filter(slot -> slot.kind == ProviderKind.LOADER && slot.automatic())
        .filter(slot -> catalog.ids(ProviderKind.LOADER).contains(id))
        .forEach(slot -> slot.choice = new ProviderChoice(id, slot.choice.options()));
    List<Slot> named =
        slots.stream()
            .filter(slot -> kind.isEmpty() || slot.kind.word().equals(kind))
            .filter(slot -> slot.choice.id().equals(id))
            .toList();
    if (named.isEmpty()) {
      throw unused(name, id);
    }
    List<Slot> taking = named.stream().filter(slot -> keys(slot).contains(key)).toList();
    if (taking.isEmpty()) {
      Slot slot = named.get(0);
      throw PecfException.badOption(
          "'%s' cannot be set: %s has no option '%s'.%s %s",
          name, slot, key, Choices.suggestion(key, keys(slot)), takes(slot));
    }
    List<? extends ProviderKind<?>> kinds =
        taking.stream().map(slot -> slot.kind).distinct().toList();
    if (kinds.size() > 1) {
      throw PecfException.badOption(
          "'%s' is ambiguous: both the %s and the %s have it. Write %s.%s or %s.%s.",
          name, taking.get(0), taking.get(1), kinds.get(0), name, kinds.get(1), name);
    }
    set(taking, name, key, value);
  }

  private PecfException unused(String name, String id) {
    for (Slot slot : slots) {
      if (slot.automatic() && catalog.ids(slot.kind).contains(id)) {
        return PecfException.badOption(
            "'%s' cannot be set while the %s is chosen automatically. Choose the %s %s.",
            name, slot.kind, slot.kind, id);
      }
    }
    List<String> used =
        slots.stream()
            .filter(slot -> !slot.automatic())
            .map(slot -> slot.choice.id())
            .distinct()
            .toList();
    return PecfException.badOption(
        "'%s' is not used in this run, so %s cannot be set.%s In use are: %s.",
        id, name, Choices.suggestion(id, used), String.join(", ", used));
  }

  private List<String> keys(Slot slot) {
    return slot.automatic()
        ? List.of()
        : catalog.find(slot.kind, slot.choice.id()).options().keys();
  }

  private String takes(Slot slot) {
    List<String> keys = keys(slot);
    return keys.isEmpty() ? "It takes none." : "It takes: " + String.join(", ", keys) + ".";
  }

  /** Return the choices of a kind, with all their options spelt out and checked. */
  public List<ProviderChoice> choices(ProviderKind<?> kind) {
    return slots.stream()
        .filter(slot -> slot.kind == kind)
        .map(slot -> slot.automatic() ? slot.choice : catalog.complete(kind, slot.choice))
        .toList();
  }

  /** Return the first choice of a kind, with all its options spelt out and checked. */
  public ProviderChoice choice(ProviderKind<?> kind) {
    return choices(kind).get(0);
  }
}
