package org.pecf.study;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.construct.EmSettings;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.plugin.ProviderKind;
import org.pecf.engine.run.TrainingRequest;

/**
 * List what a study trains, and which exhibit shows which of it. Two exhibits that need the same
 * training share it.
 */
final class StudyPlan {
  /**
   * Be one row of a table or one line of a figure.
   *
   * @param name what it is called in the paper's numbers
   * @param label what it is called in ours
   * @param cell the id of the training that it shows
   */
  record Entry(String name, String label, String cell) {}

  /** The settings of nu and sigma that the paper compares. */
  static final List<double[]> NU_SIGMA =
      List.of(
          new double[] {10, 1}, new double[] {10, 0.1}, new double[] {1, 1}, new double[] {1, 0.1});

  private final StudyBase base;
  private final StudyScope scope;
  private final PluginCatalog catalog;
  private final Map<String, TrainingRequest> cells = new LinkedHashMap<>();
  private final Map<String, String> bySignature = new LinkedHashMap<>();
  private final Map<Exhibit, List<Entry>> entries = new EnumMap<>(Exhibit.class);
  private final List<String> notes = new ArrayList<>();

  private StudyPlan(StudyBase base, StudyScope scope, PluginCatalog catalog) {
    this.base = base;
    this.scope = scope;
    this.catalog = catalog;
  }

  /** Plan a study. */
  static StudyPlan of(StudyBase base, StudyScope scope, PluginCatalog catalog) {
    StudyPlan plan = new StudyPlan(base, scope, catalog);
    // First of all, so that a training has the same id whichever exhibits are asked for.
    for (Method method : Method.values()) {
      plan.request(method)
          .ifPresent(request -> plan.bySignature.putIfAbsent(Signature.of(request), method.id()));
    }
    if (scope.exhibits().contains(Exhibit.RECALL)) {
      plan.recall();
    }
    if (scope.exhibits().contains(Exhibit.D)) {
      plan.dimensions();
    }
    if (scope.exhibits().contains(Exhibit.NU_SIGMA)) {
      plan.weightings();
    }
    if (scope.exhibits().contains(Exhibit.ROUNDS)) {
      for (Method method : List.of(Method.PECF, Method.L2BOOST, Method.BAGGING, Method.BOOSTED)) {
        plan.method(Exhibit.ROUNDS, method);
      }
    }
    if (scope.exhibits().contains(Exhibit.ALPHA)) {
      plan.alphas();
    }
    if (scope.exhibits().contains(Exhibit.EM)) {
      plan.mixtures();
    }
    return plan;
  }

  /** Return the trainings of the first seed by id, in the order to do them. */
  Map<String, TrainingRequest> cells() {
    return Collections.unmodifiableMap(cells);
  }

  /** Return what an exhibit shows. */
  List<Entry> entries(Exhibit exhibit) {
    return entries.getOrDefault(exhibit, List.of());
  }

  /** Return what was left out, and why. */
  List<String> notes() {
    return Collections.unmodifiableList(notes);
  }

  private void recall() {
    for (Method method : Method.values()) {
      method(Exhibit.RECALL, method);
    }
  }

  private void method(Exhibit exhibit, Method method) {
    if (scope.methods().contains(method)) {
      Optional<TrainingRequest> request = request(method);
      if (request.isPresent()) {
        show(exhibit, method.id(), label(method), method.id(), request.get());
      } else {
        notes.add(
            method.label()
                + " is left out: filter "
                + method.filter().orElseThrow()
                + " is not installed.");
      }
    }
  }

  private String label(Method method) {
    return switch (method) {
      case RAND_EM, L2_EM ->
          method.label() + ", K=" + request(method).orElseThrow().em().components();
      case CAPACITY ->
          "WMF, d=" + request(method).orElseThrow().filters().get(0).options().get("rank");
      default -> method.label();
    };
  }

  private int rank() {
    return Integer.parseInt(pecf().filters().get(0).options().get("rank"));
  }

  private int members() {
    return 1 + pecf().rounds();
  }

  private Optional<TrainingRequest> request(Method method) {
    return base.own(method).or(() -> common(method));
  }

  /** Return what PECF does here, with a setting of its own if it has one. */
  private TrainingRequest pecf() {
    return base.own(Method.PECF).orElse(base.pecf());
  }

  /** Return a method with the setting that methods have in common. */
  private Optional<TrainingRequest> common(Method method) {
    return Optional.ofNullable(
        switch (method) {
          case WMF -> preset(Construction.SINGLE).request();
          case CAPACITY ->
              preset(Construction.SINGLE)
                  .filterOption("rank", Integer.toString(rank() * members()))
                  .request();
          case L2BOOST -> preset(Construction.L2BOOST).alpha(base.step()).request();
          case PECF -> base.pecf();
          case BAGGING -> preset(Construction.BAGGING).request();
          case BOOSTED ->
              preset(Construction.BOOSTED)
                  .weighting(base.pecf().weighting())
                  .alpha(base.step())
                  .request();
          case RAND_EM -> mixture(EmSettings.Start.RANDOM);
          case L2_EM -> mixture(EmSettings.Start.L2BOOST);
          case BACCAMS, BPR, EASE, ITEM_KNN, POPULARITY -> {
            ProviderChoice filter = base.others().get(method.filter().orElseThrow());
            yield filter == null
                ? null
                : preset(Construction.SINGLE).filters(List.of(filter)).request();
          }
        });
  }

  /** Begin a request of another construction, with its own weighting and alpha. */
  private RequestDraft preset(Construction construction) {
    return new RequestDraft(base.pecf())
        .construction(construction)
        .weighting(catalog.complete(ProviderKind.WEIGHTING, construction.defaultWeighting()))
        .alpha(catalog.complete(ProviderKind.ALPHA, construction.defaultAlpha()));
  }

  private TrainingRequest mixture(EmSettings.Start start) {
    EmSettings em = base.pecf().em();
    return preset(Construction.EM)
        .em(new EmSettings(em.components(), start, em.deviation(), em.iterations(), em.tolerance()))
        .request();
  }

  /** Vary d as the paper does: 30, 50, 80 around 50. */
  private void dimensions() {
    double[] factors = scope.quick() ? new double[] {0.5, 1} : new double[] {0.6, 1, 1.6};
    for (Method method : List.of(Method.PECF, Method.L2BOOST)) {
      if (scope.methods().contains(method)) {
        for (double factor : factors) {
          String rank = Long.toString(Math.max(1, Math.round(factor * rank())));
          show(
              Exhibit.D,
              method.id() + " " + rank,
              method.label() + ", d=" + rank,
              method.id() + "-d-" + rank,
              new RequestDraft(request(method).orElseThrow()).filterOption("rank", rank).request());
        }
      }
    }
  }

  private void weightings() {
    if (scope.methods().contains(Method.PECF)) {
      for (double[] pair : scope.quick() ? NU_SIGMA.subList(0, 2) : NU_SIGMA) {
        String nu = plain(pair[0]);
        String sigma = plain(pair[1]);
        show(
            Exhibit.NU_SIGMA,
            nu + " " + sigma,
            "nu=" + nu + ", sigma=" + sigma,
            "pecf-nu-" + nu + "-sigma-" + sigma,
            new RequestDraft(pecf())
                .weighting(
                    pecf()
                        .weighting()
                        .with("nu", Double.toString(pair[0]))
                        .with("sigma", Double.toString(pair[1])))
                .request());
      }
    }
  }

  private void alphas() {
    if (scope.methods().contains(Method.PECF)) {
      List<String> strategies =
          scope.quick()
              ? List.of("fixed:0.4", "dynamic")
              : List.of("fixed:0.2", "fixed:0.4", "fixed:0.8", "dynamic", "uniform");
      for (String strategy : strategies) {
        String name = strategy.replace("fixed:", "");
        show(
            Exhibit.ALPHA,
            name,
            name.equals(strategy) ? name : "alpha = " + name,
            "pecf-alpha-" + name,
            new RequestDraft(pecf())
                .alpha(catalog.complete(ProviderKind.ALPHA, ProviderChoice.parse(strategy)))
                .request());
      }
    }
  }

  /** Compare by the number of components; PECF has the smaller ensembles as prefixes. */
  private void mixtures() {
    method(Exhibit.EM, Method.PECF);
    for (Method method : List.of(Method.RAND_EM, Method.L2_EM)) {
      if (scope.methods().contains(method)) {
        TrainingRequest mixture = request(method).orElseThrow();
        int most = mixture.em().components();
        TreeSet<Integer> sizes = new TreeSet<>(List.of(most));
        for (int size = 2; size < most && !scope.quick(); size *= 2) {
          sizes.add(size);
        }
        for (int size : sizes) {
          show(
              Exhibit.EM,
              Integer.toString(size),
              method.label(),
              method.id() + "-k-" + size,
              new RequestDraft(mixture).em(mixture.em().of(size)).request());
        }
      }
    }
  }

  private void show(
      Exhibit exhibit, String name, String label, String id, TrainingRequest request) {
    String cell = bySignature.computeIfAbsent(Signature.of(request), signature -> id);
    cells.putIfAbsent(cell, request);
    entries.computeIfAbsent(exhibit, none -> new ArrayList<>()).add(new Entry(name, label, cell));
  }

  /** Return a number without needless decimals. */
  static String plain(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
