package org.pecf.engine.run;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.pecf.engine.json.JsonText;
import org.pecf.engine.model.EngineVersion;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.plugin.ProviderKind;
import org.pecf.engine.request.TrainingRequest;

/** The things that the bits of a model depend on, as texts by key. */
final class RunIdentity {
  /** The only option that results do not depend on. */
  private static final String THREADS = "compute.threads";

  private RunIdentity() {}

  /** Return all options of a request that its result depends on. */
  static Map<String, String> options(TrainingRequest request) {
    Map<String, String> texts = new TreeMap<>();
    flatten("", JsonText.fields(request), texts);
    texts.remove(THREADS);
    return texts;
  }

  /** Return a filter's own options. */
  static String filter(ProviderChoice choice, PluginCatalog catalog) {
    ProviderChoice own = choice.without(ProviderKind.FILTER.engineOptions());
    return catalog.complete(ProviderKind.FILTER, own).toString();
  }

  /** Return the values that all separately trained members of a run depend on. */
  static Map<String, String> member(TrainingRequest request, PreparedData data) {
    Map<String, String> depends = new TreeMap<>(options(request));
    depends
        .keySet()
        .removeIf(key -> !key.matches("split|seed|compute[.](backend.*|path|weightError)"));
    depends.put("fingerprint", data.dataset().fingerprint());
    depends.put("pecf", EngineVersion.number());
    PluginCatalog catalog = data.workspace().catalog();
    put(depends, catalog, ProviderKind.BACKEND, data.workspace().backend(data.dataset().shape()));
    catalog.ids(ProviderKind.FILTER).forEach(id -> put(depends, catalog, ProviderKind.FILTER, id));
    return depends;
  }

  private static void flatten(String key, Object value, Map<String, String> texts) {
    if (value instanceof Map<?, ?> fields) {
      fields.forEach(
          (name, field) -> flatten(key.isEmpty() ? "" + name : key + "." + name, field, texts));
    } else if (value instanceof List<?> elements
        && elements.stream().anyMatch(element -> element instanceof Map)) {
      for (int k = 0; k < elements.size(); k++) {
        flatten(key + "." + (k + 1), elements.get(k), texts);
      }
    } else {
      texts.put(key, String.valueOf(value));
    }
  }

  /** Return the version of PECF and of the plugin of every provider that a run uses. */
  static Map<String, String> versions(TrainingRequest request, PreparedData data) {
    Map<String, String> versions = plugins(request, data);
    versions.put("pecf", EngineVersion.number());
    return versions;
  }

  /** Return the version of the plugin of every provider that a run uses, by kind and id. */
  static Map<String, String> plugins(TrainingRequest request, PreparedData data) {
    PluginCatalog catalog = data.workspace().catalog();
    Map<String, String> versions = new TreeMap<>();
    data.dataset().loaders().forEach(id -> put(versions, catalog, ProviderKind.LOADER, id));
    put(versions, catalog, ProviderKind.BACKEND, data.workspace().backend(data.dataset().shape()));
    request
        .ensemble()
        .filters()
        .forEach(choice -> put(versions, catalog, ProviderKind.FILTER, choice.id()));
    put(versions, catalog, ProviderKind.WEIGHTING, request.ensemble().weighting().id());
    put(versions, catalog, ProviderKind.ALPHA, request.ensemble().alpha().id());
    return versions;
  }

  private static void put(
      Map<String, String> versions, PluginCatalog catalog, ProviderKind<?> kind, String id) {
    versions.put(kind.word() + " " + id, catalog.origin(kind, id).version().orElse("unknown"));
  }
}
