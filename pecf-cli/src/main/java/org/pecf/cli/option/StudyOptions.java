package org.pecf.cli.option;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.pecf.engine.study.StudyScope;
import picocli.CommandLine.Option;

/** Take the options that say how much of a study is done. Null is what was not said. */
@Section("Study")
public final class StudyOptions {
  @Option(
      names = "--quick",
      description = "Try the study in short: small filters, few rounds, few settings, one seed.")
  boolean quick;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "Repeat everything with so many seeds, from --seed on (default: 3).")
  Integer seeds;

  @Option(
      names = "--only",
      paramLabel = "NAME,...",
      description =
          "Only these tables and figures (recall, d, nu-sigma, rounds, alpha, em, rho) and methods"
              + " (pecf, wmf, l2boost, ...).")
  String only;

  /** Say how much is done. */
  public StudyScope scope() {
    List<String> names =
        only == null ? List.of() : Arrays.stream(only.split(",", -1)).map(String::strip).toList();
    return StudyScope.of(names, Values.atLeast("--seeds", seeds, 1, quick ? 1 : 3), quick);
  }

  /** Return the options of the base setting unless others are said: values by name. */
  public Map<String, String> defaults() {
    Map<String, String> defaults = new LinkedHashMap<>();
    defaults.put("rounds", quick ? "2" : "15");
    if (quick) {
      defaults.put("rank", "8");
      defaults.put("iterations", "3");
      defaults.put("em-iterations", "3");
      defaults.put("components", "2");
    } else {
      defaults.put("components", "8");
    }
    return defaults;
  }
}
