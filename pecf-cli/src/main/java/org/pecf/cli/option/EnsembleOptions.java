package org.pecf.cli.option;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.construct.EmSettings;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.evaluate.Metric;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.split.Confidence;
import org.pecf.engine.split.SplitRule;
import picocli.CommandLine.Option;

/** Take the options that say which ensemble to grow. Null is what was not said. */
@Section("Ensemble")
public final class EnsembleOptions {
  @Option(
      names = "--split",
      paramLabel = "HOW",
      description =
          "How data is divided: positives:3:1:1, leave-one-out, temporal, files, paper (all cells,"
              + " zeros included, 3:1:1) or none (all data is for training, nothing is measured)"
              + " (default: positives:3:1:1).")
  String split;

  @Option(
      names = "--construction",
      paramLabel = "NAME",
      description =
          "How members come together: single, progressive, bagging, l2boost, boosted or em"
              + " (default: progressive).")
  String construction;

  @Option(
      names = "--filter",
      paramLabel = "ID,...",
      description = "The base filters, used in turn (default: wmf).")
  String filter;

  @Option(
      names = "--rounds",
      converter = WholeNumber.class,
      paramLabel = "N",
      description = "How many members are added to the first at most (default: 4).")
  Integer rounds;

  @Option(
      names = "--patience",
      converter = WholeNumber.class,
      paramLabel = "N",
      description =
          "Stop after so many rounds without a better validation metric (default: 0, never).")
  Integer patience;

  @Option(
      names = "--select",
      paramLabel = "METRIC",
      description =
          "The validation metric that --patience goes by (default: recall at the first cutoff).")
  String select;

  @Option(
      names = "--rank",
      paramLabel = "D",
      description = "How many factors a filter has: sets the filters' option 'rank'.")
  String rank;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      description = "How many sweeps a filter trains: sets the filters' option 'iterations'.")
  String iterations;

  @Option(
      names = "--lambda",
      paramLabel = "X",
      description = "How strongly factors are held small: sets the filters' option 'lambda'.")
  String lambda;

  @Option(
      names = "--confidence",
      paramLabel = "P:Z",
      description = "How much a positive and a zero count (default: 1:0.01).")
  String confidence;

  @Option(
      names = "--weighting",
      paramLabel = "ID",
      description = "How cells are weighted for the next member (default: by the construction).")
  String weighting;

  @Option(
      names = "--nu",
      paramLabel = "X",
      description = "Sets the weighting scheme's option 'nu'.")
  String nu;

  @Option(
      names = "--sigma",
      paramLabel = "X",
      description = "Sets the weighting scheme's option 'sigma'.")
  String sigma;

  @Option(
      names = "--scaling",
      paramLabel = "HOW",
      description = "Sets the weighting scheme's option 'scaling'.")
  String scaling;

  @Option(
      names = "--alpha",
      paramLabel = "ID",
      description =
          "How much a new member counts: dynamic, fixed:0.4 or uniform (default: by the"
              + " construction).")
  String alpha;

  @Option(
      names = "--shrinkage",
      paramLabel = "S",
      description =
          "How much a new member of l2boost or boosted counts: the same as --alpha fixed:S.")
  String shrinkage;

  @Option(
      names = "--chains",
      converter = WholeNumber.class,
      paramLabel = "N",
      description = "Average so many independently started ensembles (default: 1).")
  Integer chains;

  @Option(
      names = "--components",
      converter = WholeNumber.class,
      paramLabel = "K",
      description = "How many filters construction em fits together (default: 4).")
  Integer components;

  @Option(
      names = "--em-start",
      paramLabel = "HOW",
      description = "Where the components of em come from: random or l2boost (default: random).")
  String emStart;

  @Option(
      names = "--em-iterations",
      converter = WholeNumber.class,
      paramLabel = "N",
      description = "How many E- and M-steps at most (default: 10).")
  Integer emIterations;

  @Option(
      names = "--em-deviation",
      converter = FiniteNumber.class,
      paramLabel = "X",
      description = "The deviation of ratings from predictions in em (default: estimated).")
  Double emDeviation;

  @Option(
      names = "--em-tolerance",
      converter = FiniteNumber.class,
      paramLabel = "X",
      description =
          "Stop em when the log-likelihood gains less than this fraction (default: 0.0001).")
  Double emTolerance;

  @Option(
      names = "--seed",
      converter = LargeWholeNumber.class,
      paramLabel = "N",
      description = "The root of all randomness (default: 1).")
  Long seed;

  /** Return the options that stand for the same-named ones of filters: values by key. */
  Map<String, String> filterOptions() {
    return said(new String[] {"rank", "iterations", "lambda"}, rank, iterations, lambda);
  }

  /** Return the options that stand for the same-named ones of the weighting: values by key. */
  Map<String, String> weightingOptions() {
    return said(new String[] {"nu", "sigma", "scaling"}, nu, sigma, scaling);
  }

  private static Map<String, String> said(String[] keys, String... values) {
    Map<String, String> said = new LinkedHashMap<>();
    for (int i = 0; i < keys.length; i++) {
      if (values[i] != null) {
        said.put(keys[i], values[i]);
      }
    }
    return said;
  }

  List<String> filterTexts() {
    return Arrays.stream((filter == null ? "wmf" : filter).split(",", -1))
        .map(String::strip)
        .toList();
  }

  Construction construction() {
    return Construction.named(construction == null ? "progressive" : construction);
  }

  /** Refuse options that would have no effect, for their giver believes that they have. */
  void checkEffect() {
    Map<String, String> roundOptions =
        said(
            new String[] {"rounds", "patience", "weighting", "nu", "sigma", "scaling", "alpha"},
            text(rounds),
            text(patience),
            weighting,
            nu,
            sigma,
            scaling,
            alpha);
    Map<String, String> emOptions = emOptions();
    if (construction() == Construction.SINGLE) {
      refuse(
          roundOptions,
          "with --construction single, which trains one filter only. Leave one of them out");
    }
    if (construction() == Construction.EM) {
      refuse(
          roundOptions,
          "with --construction em, which fits all filters together. Leave one of them out");
    } else {
      refuse(emOptions, "without --construction em. Leave it out, or add that");
    }
    if (shrinkage != null && (alpha != null || !construction().fitsResiduals())) {
      throw Values.bad(
          "--shrinkage goes with --construction l2boost or boosted, and not with --alpha. Leave it"
              + " out");
    }
  }

  private Map<String, String> emOptions() {
    return said(
        new String[] {"components", "em-start", "em-iterations", "em-deviation", "em-tolerance"},
        text(components),
        emStart,
        text(emIterations),
        text(emDeviation),
        text(emTolerance));
  }

  /** Return whether training itself goes by the selected metric. */
  boolean selectsRounds() {
    return patience != null && patience > 0;
  }

  /** Refuse a metric to go by where nothing goes by it. */
  void checkSelection() {
    if (select != null && !selectsRounds()) {
      throw Values.bad("--select has no meaning without --patience. Add --patience 2, for example");
    }
  }

  /** Refuse what a study of many methods decides for itself. */
  void checkStudy() {
    refuse(
        said(
            new String[] {
              "construction",
              "filter",
              "weighting",
              "alpha",
              "em-start",
              "patience",
              "select",
              "chains"
            },
            construction,
            filter,
            weighting,
            alpha,
            emStart,
            text(patience),
            select,
            text(chains)),
        "in a study, which compares methods of its own. Leave it out");
  }

  /** Refuse what the study of protocols decides for itself or does without. */
  void checkProtocols() {
    refuse(
        said(new String[] {"split"}, split),
        "with --only protocols, which compares splits. Leave it out");
    String unused = "with --only protocols, which trains l2boost alone. Leave it out";
    refuse(weightingOptions(), unused);
    refuse(emOptions(), unused);
  }

  private static void refuse(Map<String, String> said, String because) {
    for (String key : said.keySet()) {
      throw Values.bad("--" + key + " has no meaning " + because);
    }
  }

  private static String text(Number number) {
    return number == null ? null : number.toString();
  }

  EmSettings em() {
    EmSettings standard = EmSettings.DEFAULT;
    return new EmSettings(
        components == null ? standard.components() : components,
        emStart == null
            ? standard.start()
            : Values.choice("--em-start", emStart, EmSettings.Start.values()),
        emDeviation == null ? standard.deviation() : OptionalDouble.of(emDeviation),
        emIterations == null ? standard.iterations() : emIterations,
        emTolerance == null ? standard.tolerance() : emTolerance);
  }

  /** Return the alpha strategy as text, or null for the construction's own. */
  String alphaText() {
    return shrinkage == null ? alpha : "fixed:" + shrinkage;
  }

  /**
   * Return how data is divided.
   *
   * @param presplit whether it comes in parts
   */
  SplitRule split(boolean presplit) {
    if (split != null) {
      return SplitRule.parse(split);
    }
    return presplit ? SplitRule.parse("files") : SplitRule.usual();
  }

  Confidence confidence() {
    return Confidence.parse(confidence == null ? "1:0.01" : confidence);
  }

  MetricKey selection(EvaluationRequest evaluation) {
    return select == null
        ? new MetricKey(Metric.RECALL, evaluation.cutoffs().get(0))
        : MetricKey.parse(select);
  }
}
