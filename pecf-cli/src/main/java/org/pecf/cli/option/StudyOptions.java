package org.pecf.cli.option;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.study.Method;
import org.pecf.study.ProtocolStudy;
import org.pecf.study.StudyScope;
import picocli.CommandLine.Option;

/** The options about how much of a study is done. */
@Section(Sections.STUDY)
public final class StudyOptions {
  @Option(
      names = "--quick",
      description = "Try the study in short: small filters, few rounds, few settings, one seed.")
  boolean quick;

  @Option(
      names = "--seeds",
      converter = WholeNumber.class,
      paramLabel = "N",
      description =
          "Repeat everything with this many seeds, from --seed on (default: 3; 1 with --quick).")
  Optional<Integer> seeds = Optional.empty();

  @Option(
      names = "--only",
      paramLabel = "NAME,...",
      description =
          "Only these tables and figures (recall, d, nu-sigma, rounds, alpha, em, rho) and methods"
              + " (pecf, wmf, l2boost, ...); or protocols: what ways to evaluate give on noise.")
  Optional<String> only = Optional.empty();

  @Option(
      names = "--tuned",
      paramLabel = "METHOD=FILE",
      description =
          "Train a method with the setting of this file, such as tune's best.yaml, instead of the"
              + " common one; repeatable.")
  List<String> tuned = new ArrayList<>();

  /** Return the methods that have a setting of their own. */
  public Map<Method, TrainingRequest> tuned(PluginCatalog catalog) {
    Map<Method, TrainingRequest> settings = new LinkedHashMap<>();
    for (String text : tuned) {
      int equals = text.indexOf('=');
      if (equals < 1) {
        throw PecfException.badOption(
            "--tuned %s does not name a method and a file. Write for example --tuned"
                + " wmf=search/best.yaml.",
            text);
      }
      Method method = Method.of(text.substring(0, equals).strip());
      String file = text.substring(equals + 1).strip();
      TrainingRequest request = ConfigFile.read(Path.of(file)).training().trial(catalog);
      method.check(request, file);
      settings.put(method, request);
    }
    return settings;
  }

  private List<String> names() {
    return only.map(text -> Arrays.stream(text.split(",", -1)).map(String::strip).toList())
        .orElse(List.of());
  }

  /** Return how much of the study is done. */
  public StudyScope scope() {
    return StudyScope.of(names(), seeds(), quick);
  }

  /** Return the number of seeds. */
  public int seeds() {
    return OptionValues.atLeast("--seeds", seeds, 1, quick ? 1 : 3);
  }

  /** Return whether protocols are compared, not methods. */
  public boolean protocols() {
    boolean asked = names().contains(ProtocolStudy.NAME);
    if (asked && (names().size() > 1 || !tuned.isEmpty())) {
      throw PecfException.badOption(
          "--only protocols is a study of its own, on noise. Leave --tuned out, and name other"
              + " tables, figures and methods in another run.");
    }
    return asked;
  }

  /** Return whether the study is tried in short. */
  public boolean quick() {
    return quick;
  }
}
