package org.pecf.cli.option;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.study.Method;
import org.pecf.study.ProtocolStudy;
import org.pecf.study.StudyScope;
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
      converter = WholeNumber.class,
      paramLabel = "N",
      description = "Repeat everything with so many seeds, from --seed on (default: 3).")
  Integer seeds;

  @Option(
      names = "--only",
      paramLabel = "NAME,...",
      description =
          "Only these tables and figures (recall, d, nu-sigma, rounds, alpha, em, rho) and methods"
              + " (pecf, wmf, l2boost, ...); or protocols: what ways to evaluate give on noise.")
  String only;

  @Option(
      names = "--tuned",
      paramLabel = "METHOD=FILE",
      description =
          "Train a method with the setting of this file, such as tune's best.yaml, instead of the"
              + " common one; repeatable.")
  List<String> tuned = new ArrayList<>();

  /** Say which methods have a setting of their own. */
  public Map<Method, TrainingRequest> tuned(PluginCatalog catalog) {
    Map<Method, TrainingRequest> settings = new LinkedHashMap<>();
    for (String text : tuned) {
      int equals = text.indexOf('=');
      if (equals < 1) {
        throw Values.bad(
            "--tuned "
                + text
                + ": write a method and a file, such as --tuned wmf=search/best.yaml");
      }
      Method method = Method.of(text.substring(0, equals).strip());
      String file = text.substring(equals + 1).strip();
      TrainingRequest request = TrainingOptions.read(Path.of(file)).trial(catalog);
      method.check(request, file);
      settings.put(method, request);
    }
    return settings;
  }

  private List<String> names() {
    return only == null
        ? List.of()
        : Arrays.stream(only.split(",", -1)).map(String::strip).toList();
  }

  /** Say how much is done. */
  public StudyScope scope() {
    return StudyScope.of(names(), seeds(), quick);
  }

  /** Say how many seeds there are. */
  public int seeds() {
    return Values.atLeast("--seeds", seeds, 1, quick ? 1 : 3);
  }

  /** Return whether protocols are compared, not methods. */
  public boolean protocols() {
    boolean asked = names().contains(ProtocolStudy.NAME);
    if (asked && (names().size() > 1 || !tuned.isEmpty())) {
      throw Values.bad(
          "--only protocols is a study of its own, on noise. Leave --tuned out, and name other"
              + " tables, figures and methods in another run");
    }
    return asked;
  }

  /** Return the options and settings of the study of protocols unless others are said. */
  public Map<String, String> protocolDefaults() {
    Map<String, String> defaults = new LinkedHashMap<>();
    defaults.put("rounds", quick ? "5" : "30");
    defaults.put("rank", quick ? "40" : "10");
    defaults.put("lambda", "0.6");
    defaults.put("confidence", "1:0.1");
    defaults.put("shrinkage", "0.5");
    if (quick) {
      defaults.put(ProtocolStudy.FORMAT + ".users", "300");
      defaults.put(ProtocolStudy.FORMAT + ".items", "400");
    }
    return defaults;
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
