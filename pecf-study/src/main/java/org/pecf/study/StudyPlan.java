package org.pecf.study;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.construct.EnsembleRequest;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.plugin.ProviderKind;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.study.StudySettings.Output;

/**
 * The trainings of a study, and the outputs that show them. Two outputs that need the same training
 * share it.
 */
final class StudyPlan {
  /**
   * One row of a table or one line of a figure.
   *
   * @param name its name in the paper's tables
   * @param label its name in our tables
   * @param cell the id of the training that it shows
   */
  record Entry(String name, String label, String cell) {}

  /** The settings of nu and sigma that the paper compares. */
  static final List<double[]> NU_SIGMA =
      List.of(
          new double[] {10, 1}, new double[] {10, 0.1}, new double[] {1, 1}, new double[] {1, 0.1});

  private final StudyBase base;
  private final StudySettings settings;
  private final PluginCatalog catalog;
  private final Map<String, TrainingRequest> cells = new LinkedHashMap<>();
  private final Map<Map<String, String>, String> byIdentity = new LinkedHashMap<>();
  private final Map<Output, List<Entry>> entries = new EnumMap<>(Output.class);
  private final List<String> notes = new ArrayList<>();

  private StudyPlan(StudyBase base, StudySettings settings, PluginCatalog catalog) {
    this.base = base;
    this.settings = settings;
    this.catalog = catalog;
  }

  /** Plan a study. */
  static StudyPlan of(StudyBase base, StudySettings settings, PluginCatalog catalog) {
    StudyPlan plan = new StudyPlan(base, settings, catalog);
    // This comes first, so that a training has the same id whichever outputs are asked for.
    for (Method method : Method.values()) {
      plan.request(method)
          .ifPresent(
              request -> plan.byIdentity.putIfAbsent(RequestIdentity.of(request), method.id()));
    }
    if (settings.outputs().contains(Output.RECALL)) {
      plan.recall();
    }
    if (settings.outputs().contains(Output.D)) {
      plan.dimensions();
    }
    if (settings.outputs().contains(Output.NU_SIGMA)) {
      plan.weightings();
    }
    if (settings.outputs().contains(Output.ROUNDS)) {
      for (Method method : List.of(Method.PECF, Method.L2BOOST, Method.BAGGING, Method.BOOSTED)) {
        plan.method(Output.ROUNDS, method);
      }
    }
    if (settings.outputs().contains(Output.ALPHA)) {
      plan.alphas();
    }
    if (settings.outputs().contains(Output.EM)) {
      plan.mixtures();
    }
    return plan;
  }

  /** Return the trainings of the first seed by id, in the order to do them. */
  Map<String, TrainingRequest> cells() {
    return Collections.unmodifiableMap(cells);
  }

  /** Return the entries of an output. */
  List<Entry> entries(Output output) {
    return entries.getOrDefault(output, List.of());
  }

  /** Return the id of the training of a method, which another one may share. */
  String cell(Method method) {
    return entries(Output.RECALL).stream()
        .filter(entry -> entry.name().equals(method.id()))
        .map(Entry::cell)
        .findFirst()
        .orElse(method.id());
  }

  /** Return notes on everything that was left out. */
  List<String> notes() {
    return Collections.unmodifiableList(notes);
  }

  private void recall() {
    for (Method method : Method.values()) {
      method(Output.RECALL, method);
    }
  }

  private void method(Output output, Method method) {
    if (settings.methods().contains(method)) {
      Optional<TrainingRequest> request = request(method);
      if (request.isPresent()) {
        show(output, method.id(), label(method), method.id(), request.get());
      } else {
        notes.add(
            String.format(
                "%s is left out: %s.",
                method.label(),
                method
                    .filter()
                    .map(id -> "filter " + id + " is not installed")
                    .orElse("it needs a setting of its own, which names its members")));
      }
    }
  }

  private String label(Method method) {
    return switch (method) {
      case RAND_EM, L2_EM ->
          method.label() + ", K=" + request(method).orElseThrow().ensemble().em().components();
      case CAPACITY ->
          "WMF, d="
              + request(method).orElseThrow().ensemble().filters().get(0).options().get("rank");
      default -> method.label();
    };
  }

  private int rank() {
    return Integer.parseInt(pecf().ensemble().filters().get(0).options().get("rank"));
  }

  private int members() {
    return 1 + pecf().ensemble().rounds();
  }

  private Optional<TrainingRequest> request(Method method) {
    return base.own(method).or(() -> common(method));
  }

  /** Return the request of PECF, with a setting of its own if it has one. */
  private TrainingRequest pecf() {
    return base.own(Method.PECF).orElse(base.pecf());
  }

  /** Return a method with the setting that methods have in common. */
  private Optional<TrainingRequest> common(Method method) {
    EnsembleRequest common = base.pecf().ensemble();
    Optional<EnsembleRequest> ensemble =
        Optional.ofNullable(
            switch (method) {
              case WMF -> preset(Construction.SINGLE);
              case CAPACITY ->
                  preset(Construction.SINGLE)
                      .withFilterOption("rank", Integer.toString(rank() * members()));
              case L2BOOST -> preset(Construction.L2BOOST).withAlpha(base.step());
              case PECF -> common;
              case BAGGING -> preset(Construction.BAGGING);
              case GREEDY, STACKED -> null;
              case RANKBOOST ->
                  common.withWeighting(
                      catalog.complete(ProviderKind.WEIGHTING, ProviderChoice.of("rankboost")));
              case BOOSTED ->
                  common.withConstruction(Construction.BOOSTED, common.weighting(), base.step());
              case RAND_EM -> preset(Construction.EM).with(Map.of("em-start", "random"));
              case L2_EM -> preset(Construction.EM).with(Map.of("em-start", "l2boost"));
              case BACCAMS,
                  BPR,
                  EASE,
                  ITEM_KNN,
                  USER_KNN,
                  RP3BETA,
                  LLORMA,
                  CCCF,
                  ENS_NMF,
                  POPULARITY -> {
                ProviderChoice filter = base.others().get(method.filter().orElseThrow());
                yield filter == null
                    ? null
                    : preset(Construction.SINGLE).withFilters(List.of(filter));
              }
            });
    return ensemble.map(base.pecf()::withEnsemble);
  }

  /** Return the common ensemble by another construction, with its own weighting and alpha. */
  private EnsembleRequest preset(Construction construction) {
    return base.pecf()
        .ensemble()
        .withConstruction(
            construction,
            catalog.complete(ProviderKind.WEIGHTING, construction.defaultWeighting()),
            catalog.complete(ProviderKind.ALPHA, construction.defaultAlpha()));
  }

  /** Vary d as the paper does: 30, 50, 80 around 50. */
  private void dimensions() {
    double[] factors = settings.quick() ? new double[] {0.5, 1} : new double[] {0.6, 1, 1.6};
    for (Method method : List.of(Method.PECF, Method.L2BOOST)) {
      if (settings.methods().contains(method)) {
        for (double factor : factors) {
          String rank = Long.toString(Math.max(1, Math.round(factor * rank())));
          show(
              Output.D,
              method.id() + " " + rank,
              method.label() + ", d=" + rank,
              method.id() + "-d-" + rank,
              changed(
                  request(method).orElseThrow(),
                  ensemble -> ensemble.withFilterOption("rank", rank)));
        }
      }
    }
  }

  private void weightings() {
    if (settings.methods().contains(Method.PECF)) {
      for (double[] pair : settings.quick() ? NU_SIGMA.subList(0, 2) : NU_SIGMA) {
        String nu = plain(pair[0]);
        String sigma = plain(pair[1]);
        show(
            Output.NU_SIGMA,
            nu + " " + sigma,
            "nu=" + nu + ", sigma=" + sigma,
            "pecf-nu-" + nu + "-sigma-" + sigma,
            changed(
                pecf(),
                ensemble ->
                    ensemble.withWeighting(
                        ensemble
                            .weighting()
                            .with("nu", Double.toString(pair[0]))
                            .with("sigma", Double.toString(pair[1])))));
      }
    }
  }

  private void alphas() {
    if (settings.methods().contains(Method.PECF)) {
      List<String> strategies =
          settings.quick()
              ? List.of("fixed:0.4", "dynamic")
              : List.of("fixed:0.2", "fixed:0.4", "fixed:0.8", "dynamic", "uniform");
      for (String strategy : strategies) {
        String name = strategy.replace("fixed:", "");
        show(
            Output.ALPHA,
            name,
            name.equals(strategy) ? name : "alpha = " + name,
            "pecf-alpha-" + name,
            changed(
                pecf(),
                ensemble ->
                    ensemble.withAlpha(
                        catalog.complete(ProviderKind.ALPHA, ProviderChoice.parse(strategy)))));
      }
    }
  }

  /** Compare by the number of components; PECF has the smaller ensembles as prefixes. */
  private void mixtures() {
    method(Output.EM, Method.PECF);
    for (Method method : List.of(Method.RAND_EM, Method.L2_EM)) {
      if (settings.methods().contains(method)) {
        TrainingRequest mixture = request(method).orElseThrow();
        int most = mixture.ensemble().em().components();
        TreeSet<Integer> sizes = new TreeSet<>(List.of(most));
        for (int size = 2; size < most && !settings.quick(); size *= 2) {
          sizes.add(size);
        }
        for (int size : sizes) {
          show(
              Output.EM,
              Integer.toString(size),
              method.label(),
              method.id() + "-k-" + size,
              changed(
                  mixture,
                  ensemble -> ensemble.with(Map.of("components", Integer.toString(size)))));
        }
      }
    }
  }

  private static TrainingRequest changed(
      TrainingRequest request, UnaryOperator<EnsembleRequest> change) {
    return request.withEnsemble(change.apply(request.ensemble()));
  }

  private void show(Output output, String name, String label, String id, TrainingRequest request) {
    String cell = byIdentity.computeIfAbsent(RequestIdentity.of(request), identity -> id);
    cells.putIfAbsent(cell, request);
    entries.computeIfAbsent(output, none -> new ArrayList<>()).add(new Entry(name, label, cell));
  }

  /** Return a number without needless decimals. */
  static String plain(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
