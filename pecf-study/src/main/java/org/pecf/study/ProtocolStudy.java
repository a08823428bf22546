package org.pecf.study;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.data.Part;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.GridShape;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.RunListener;
import org.pecf.data.DataRequest;
import org.pecf.data.split.MeasuredPart;
import org.pecf.data.split.SplitRule;
import org.pecf.engine.construct.EmSettings;
import org.pecf.engine.evaluate.CandidatePolicy;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.evaluate.Evaluator;
import org.pecf.engine.evaluate.Metric;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.request.ComputeRequest;
import org.pecf.engine.request.RequestOptions;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.engine.run.PreparedData;
import org.pecf.engine.run.TrainingResult;
import org.pecf.engine.run.TrainingRun;
import org.pecf.engine.run.Workspace;
import org.pecf.platform.plugin.PluginCatalog;

/**
 * A comparison of evaluation protocols on pure noise. Nothing can be learnt from noise, so recall
 * above chance is what a protocol gives for remembering the training cells. Every seed draws noise
 * of its own, divides it and trains L2Boost, which remembers more with every member.
 */
public final class ProtocolStudy {
  /** The name that asks for it in place of tables and figures of the paper. */
  public static final String NAME = "protocols";

  /** The data that is drawn. */
  public static final String DATA = "builtin:noise";

  /** The loader that draws it. */
  public static final String FORMAT = "synthetic";

  private final TrainingRequest request;
  private final int seeds;
  private final PluginCatalog catalog;
  private final RunListener listener;
  private final Cancellation cancellation;
  private final Path folder;
  private final int cutoff;
  private final Map<Protocol, ProtocolResult> results = new EnumMap<>(Protocol.class);
  private final List<Chance> memoriser = new ArrayList<>();
  private @Nullable GridShape shape;
  private long positives;
  private int done;

  /**
   * Plan the study.
   *
   * @param base the training and its noise; split and candidates are those of the protocols, and a
   *     path left to {@code auto} is the exact one
   * @param seeds how many seeds, from the base's on
   * @param catalog where plugins are found
   * @param listener is notified of all events
   * @param cancellation tells when to stop
   * @param folder where the report goes
   */
  public ProtocolStudy(
      StudyBase base,
      int seeds,
      PluginCatalog catalog,
      RunListener listener,
      Cancellation cancellation,
      Path folder) {
    this.request = exact(l2boost(base, catalog));
    this.seeds = seeds;
    this.catalog = catalog;
    this.listener = listener;
    this.cancellation = cancellation;
    this.folder = folder;
    this.cutoff = request.evaluation().cutoffs().get(0);
    for (Protocol protocol : Protocol.values()) {
      results.put(protocol, new ProtocolResult(protocol));
    }
  }

  /** Return the options that the study has instead of the usual defaults: texts by key. */
  public static Map<String, String> defaults(boolean quick) {
    Map<String, String> defaults = new LinkedHashMap<>();
    defaults.put("rounds", quick ? "5" : "30");
    defaults.put("rank", quick ? "40" : "10");
    defaults.put("lambda", "0.6");
    defaults.put("confidence", "1:0.1");
    defaults.put("shrinkage", "0.5");
    if (quick) {
      defaults.put(FORMAT + ".users", "300");
      defaults.put(FORMAT + ".items", "400");
    }
    return defaults;
  }

  /**
   * Return the base that options describe, on noise.
   *
   * @throws PecfException if an option is unknown, wrong or decided by the study
   */
  public static StudyBase base(RequestOptions options, boolean quick, PluginCatalog catalog) {
    options.refuse(
        List.of("split", "candidates", "select"), "in the study of protocols. Leave it out.");
    List<String> unused = new ArrayList<>(EmSettings.SCHEMA.keys());
    unused.addAll(List.of("nu", "sigma", "scaling"));
    options.refuse(unused, "in the study of protocols, which trains l2boost alone. Leave it out.");
    options.refuse(
        DataRequest.SCHEMA.keys(),
        "in the study of protocols, which draws noise. Leave it out; the setting "
            + FORMAT
            + ".users makes it larger.");
    options.refuse(
        List.of(FORMAT + ".seed"),
        "in the study of protocols, which draws noise from the seed. Leave it out.");
    return StudyBase.of(
        options.withDefaults(defaults(quick)).with(Map.of("data", DATA, "format", FORMAT)),
        catalog,
        Map.of());
  }

  /** Return where the report is in a folder. */
  public static Path report(Path folder) {
    return folder.resolve("protocols.md");
  }

  private static TrainingRequest l2boost(StudyBase base, PluginCatalog catalog) {
    StudyScope rounds =
        new StudyScope(Set.of(StudyOutput.ROUNDS), Set.of(Method.L2BOOST), 1, false);
    return Objects.requireNonNull(
        StudyPlan.of(base, rounds, catalog).cells().get(Method.L2BOOST.id()));
  }

  private static TrainingRequest exact(TrainingRequest request) {
    ComputeRequest compute = request.compute();
    return compute.path() == ComputationPath.AUTO
        ? request.withCompute(compute.withPath(ComputationPath.DENSE))
        : request;
  }

  /**
   * Do everything, and write the report: protocols.md, protocols.json, the figure and a page, which
   * shows progress until then.
   *
   * @return the report as Markdown
   * @throws PecfException with {@link ErrorCode#CANCELLED} if asked to stop
   */
  public String run() {
    boolean complete = false;
    try {
      String report = runWhole();
      complete = true;
      return report;
    } finally {
      if (!complete) {
        StudyFiles.delete(folder.resolve(StudyReport.PAGE));
      }
    }
  }

  private String runWhole() {
    Map<SplitRule, Set<Protocol>> trainings = new LinkedHashMap<>();
    for (Protocol protocol : Protocol.values()) {
      trainings
          .computeIfAbsent(protocol.split(), none -> EnumSet.noneOf(Protocol.class))
          .add(protocol);
    }
    int all = seeds * trainings.size();
    long began = System.nanoTime();
    listener.on(new StudyStarted(all));
    writePage(all, began);
    for (int number = 0; number < seeds; number++) {
      TrainingRequest seeded = seeded(request.seed() + number);
      Workspace workspace = new Workspace(catalog, request.compute(), listener, cancellation);
      try (PreparedData data = PreparedData.load(seeded.data(), workspace)) {
        shape = data.dataset().shape();
        positives = data.dataset().positives().count();
        for (Map.Entry<SplitRule, Set<Protocol>> training : trainings.entrySet()) {
          long start = System.nanoTime();
          train(seeded, training.getKey(), training.getValue(), data);
          double seconds = (System.nanoTime() - start) / 1e9;
          listener.on(finished(training.getKey(), seeded.seed(), seconds, all));
          writePage(all, began);
        }
      }
    }
    return new ProtocolReport(
            request,
            Objects.requireNonNull(shape),
            positives,
            seeds,
            results,
            Chance.average(memoriser))
        .write(folder);
  }

  private void writePage(int all, long began) {
    double seconds = (System.nanoTime() - began) / 1e9;
    ProtocolReport.writePage(folder, new StudyState(done, all, StudyState.Stage.RUNNING, seconds));
  }

  /** Draw data, split and starts from one seed. */
  private TrainingRequest seeded(long seed) {
    DataRequest drawn =
        request.data().withFormat(request.data().format().with("seed", Long.toString(seed)));
    return request.withData(drawn).withSeed(seed);
  }

  private void train(
      TrainingRequest seeded, SplitRule rule, Set<Protocol> protocols, PreparedData data) {
    cancellation.check();
    EvaluationRequest onTheWay =
        new EvaluationRequest(List.of(cutoff), CandidatePolicy.usual(rule));
    TrainingRequest divided = seeded.withProtocol(rule, onTheWay);
    try (TrainingResult result = TrainingRun.execute(divided, data, EnumSet.noneOf(Part.class));
        ComputeSession session = data.workspace().open(data.dataset().shape())) {
      if (!result.complete()) {
        throw PecfException.cancelled();
      }
      MeasuredPart test = result.split().part(Part.TEST);
      Map<Protocol, List<Double>> recalls = new EnumMap<>(Protocol.class);
      for (int count = 1; count <= result.ensemble().size(); count++) {
        CellField prediction = result.ensemble().prediction(count);
        session.keep(prediction);
        for (Protocol protocol : protocols) {
          double recall =
              Evaluator.evaluate(
                      prediction,
                      test,
                      new EvaluationRequest(List.of(cutoff), protocol.candidates()),
                      divided.ensemble().confidence(),
                      session,
                      cancellation)
                  .value(new MetricKey(Metric.RECALL, cutoff));
          recalls.computeIfAbsent(protocol, none -> new ArrayList<>()).add(recall);
        }
      }
      recalls.forEach(
          (protocol, recall) ->
              Objects.requireNonNull(results.get(protocol))
                  .add(recall, Chance.of(test, protocol.candidates(), cutoff)));
      if (protocols.contains(Protocol.TRAINED_ZEROS)) {
        memoriser.add(Chance.amongUntrained(test, cutoff));
      }
    }
  }

  private JobFinished finished(SplitRule rule, long seed, double seconds, int all) {
    return new JobFinished(
        rule.toString().replace(':', '-') + "-seed-" + seed,
        String.format(Locale.ROOT, "trained and measured in %.1f s", seconds),
        ++done,
        all,
        false);
  }
}
