package org.pecf.engine.plugin;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;

/** Tell what a catalog has besides what the engine itself provides, which must be there too. */
final class BesideTheEngine {
  private BesideTheEngine() {}

  /** Return the reports other than the engine's own. */
  static List<PluginReport> plugins(PluginCatalog catalog) {
    return without(PluginCatalog.builtIn().plugins(), catalog.plugins());
  }

  /** Return the ids other than the engine's own, in the catalog's order. */
  static List<String> ids(PluginCatalog catalog, ProviderKind<?> kind) {
    return without(PluginCatalog.builtIn().ids(kind), catalog.ids(kind));
  }

  private static <T> List<T> without(List<T> own, List<T> all) {
    assertTrue(all.containsAll(own), () -> "the engine's own " + own + " in " + all);
    List<T> others = new ArrayList<>(all);
    others.removeAll(own);
    return others;
  }
}
