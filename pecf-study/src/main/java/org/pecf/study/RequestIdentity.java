package org.pecf.study;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.pecf.api.PecfException;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.request.ComputeRequest;
import org.pecf.engine.request.RequestOptions;
import org.pecf.engine.request.TrainingRequest;

/** The options of a request that its metrics depend on. */
final class RequestIdentity {
  private RequestIdentity() {}

  /**
   * Return the options: texts by key. The place of the data, threads and memory are left out, for
   * metrics do not depend on them.
   */
  static Map<String, String> of(TrainingRequest request) {
    Map<String, String> texts = new LinkedHashMap<>(request.ensemble().texts());
    texts.put("split", request.split().toString());
    texts.put("seed", Long.toString(request.seed()));
    texts.putAll(EvaluationRequest.SCHEMA.texts(request.evaluation()));
    texts.putAll(ComputeRequest.SCHEMA.texts(request.compute()));
    texts.keySet().removeAll(List.of("threads", "memory"));
    return texts;
  }

  /** Return the options in one line. */
  static String text(TrainingRequest request) {
    return line(of(request));
  }

  /**
   * Return whether options that were kept are those of a request. Options that did not exist when
   * they were kept count as given with their present defaults.
   *
   * @param kept the text of a request, maybe of an older version
   */
  static boolean same(String kept, TrainingRequest request, PluginCatalog catalog) {
    if (kept.equals(text(request))) {
      return true;
    }
    Map<String, String> texts = new LinkedHashMap<>();
    for (String option : kept.split(" ", -1)) {
      String[] parts = option.split("=", 2);
      texts.put(parts[0], parts[parts.length - 1]);
    }
    try {
      return text(new RequestOptions(texts).trial(catalog)).equals(text(request));
    } catch (PecfException e) {
      // An option that is no longer known.
      return false;
    }
  }

  /** Return the options of the ensemble in one line. */
  static String ensemble(TrainingRequest request) {
    return line(request.ensemble().texts());
  }

  private static String line(Map<String, String> texts) {
    return texts.entrySet().stream()
        .map(option -> option.getKey() + "=" + option.getValue())
        .collect(Collectors.joining(" "));
  }
}
