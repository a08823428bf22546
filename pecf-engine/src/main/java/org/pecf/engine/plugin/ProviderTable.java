package org.pecf.engine.plugin;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.pecf.api.plugin.Provider;
import org.pecf.api.plugin.ProviderDescription;

/**
 * The providers that can be chosen, by kind and id, and the known ones that cannot.
 *
 * <p>An id has one meaning, since stored models and scripts name it. If several providers of a kind
 * have the same id, the one whose source comes first is used: the program itself, then the plugin
 * folders in the order in which they were given. The others are refused. If the first source has
 * several, none can be chosen, because any of them might be meant.
 */
final class ProviderTable {
  /**
   * A provider that works.
   *
   * @param kind its kind
   * @param description its description of itself
   * @param guard the guard between it and the engine
   * @param provider the guarded provider
   * @param plugin the plugin that it comes from
   */
  record Entry(
      ProviderKind<?> kind,
      ProviderDescription description,
      PluginGuard guard,
      Provider<?, ?> provider,
      PluginFindings plugin) {
    String id() {
      return description.id();
    }
  }

  /**
   * A provider that is known but cannot be chosen.
   *
   * @param kind its kind
   * @param id its id
   * @param reason the reason why it cannot be chosen
   */
  private record Refusal(ProviderKind<?> kind, String id, Diagnostic reason) {}

  private final Map<ProviderKind<?>, Map<String, Entry>> entries = new LinkedHashMap<>();
  private final List<Refusal> refusals = new ArrayList<>();

  /**
   * Enter the providers that were found, each once.
   *
   * @param found the providers, whose plugins receive the outcome. Modified.
   */
  void enter(List<Entry> found) {
    for (ProviderKind<?> kind : ProviderKind.all()) {
      Map<String, List<Entry>> rivals = new TreeMap<>();
      found.stream()
          .filter(entry -> entry.kind() == kind)
          .forEach(entry -> rivals.computeIfAbsent(entry.id(), id -> new ArrayList<>()).add(entry));
      entries.put(kind, new TreeMap<>());
      rivals.values().forEach(this::decide);
    }
  }

  /** Note that a provider cannot be chosen, and why. */
  void refuse(ProviderKind<?> kind, String id, PluginFindings plugin, Diagnostic reason) {
    plugin.add(reason);
    refusals.add(new Refusal(kind, id, reason));
  }

  private void decide(List<Entry> rivals) {
    int first = rivals.stream().mapToInt(entry -> entry.plugin().precedence()).min().orElseThrow();
    List<Entry> leading =
        rivals.stream().filter(entry -> entry.plugin().precedence() == first).toList();
    for (Entry entry : rivals) {
      if (leading.size() > 1) {
        refuse(entry.kind(), entry.id(), entry.plugin(), ambiguous(entry, rivals));
      } else if (entry == leading.get(0)) {
        accept(entry);
      } else {
        refuse(entry.kind(), entry.id(), entry.plugin(), later(entry, leading.get(0)));
      }
    }
  }

  private void accept(Entry entry) {
    entries(entry.kind()).put(entry.id(), entry);
    entry
        .plugin()
        .add(
            new PluginReport.Provided(
                entry.kind(),
                entry.id(),
                entry.description().spiVersion(),
                entry.description().summary()));
  }

  private static Diagnostic ambiguous(Entry entry, List<Entry> rivals) {
    List<String> places = rivals.stream().map(rival -> rival.plugin().location()).toList();
    return Diagnostic.error(
        "%s offer the same %s".formatted(String.join(" and ", places), entry.guard().owner()),
        "Remove all but one of them");
  }

  private static Diagnostic later(Entry entry, Entry first) {
    return Diagnostic.error(
        "%s is not used for %s, which %s offers already"
            .formatted(entry.plugin().location(), entry.guard().owner(), first.plugin().location()),
        "Give the provider another id, or remove the plugin that you do not want");
  }

  private Map<String, Entry> entries(ProviderKind<?> kind) {
    return Objects.requireNonNull(entries.get(kind));
  }

  /** Return the ids of a kind, in order. */
  List<String> ids(ProviderKind<?> kind) {
    return List.copyOf(entries(kind).keySet());
  }

  /** Return the providers of a kind, in order of id. */
  Collection<Entry> of(ProviderKind<?> kind) {
    return entries(kind).values();
  }

  /** Return the provider of a kind and id, if one can be chosen. */
  Optional<Entry> find(ProviderKind<?> kind, String id) {
    return Optional.ofNullable(entries(kind).get(id));
  }

  /** Return the reasons why providers of a kind and id cannot be chosen. */
  List<Diagnostic> refusals(ProviderKind<?> kind, String id) {
    return refusals.stream()
        .filter(refusal -> refusal.kind() == kind && refusal.id().equals(id))
        .map(Refusal::reason)
        .distinct()
        .toList();
  }
}
