package org.pecf.engine.run;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.data.Part;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.RunEvent;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.evaluate.EvaluationReport;
import org.pecf.engine.evaluate.Evaluator;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.evaluate.Metrics;
import org.pecf.engine.resource.Workspace;

/**
 * The metrics of an ensemble beside those of simpler predictions on the same part: the popularity
 * of items, which needs no learning, and one filter: the member that is best by itself on the
 * validation part, or the first if there is none.
 *
 * @param part the part
 * @param reports the metrics by name of the prediction, the simplest first
 */
public record Comparison(Part part, Map<String, EvaluationReport> reports) implements RunEvent {
  public Comparison {
    reports = Collections.unmodifiableMap(new LinkedHashMap<>(reports));
  }

  /**
   * Measure simpler predictions on the last part that an ensemble was measured on.
   *
   * @return their metrics and those of the ensemble; empty if it was not measured
   */
  static Optional<Comparison> of(TrainingResult result, Workspace workspace) {
    Optional<Comparison> measured =
        result.reports().keySet().stream()
            .reduce((earlier, later) -> later)
            .map(part -> of(result, part, workspace));
    measured.ifPresent(workspace.listener()::on);
    return measured;
  }

  @Override
  public String summary() {
    return "compared with " + String.join(", ", reports.keySet()) + " on the " + part + " part";
  }

  private static Comparison of(TrainingResult result, Part part, Workspace workspace) {
    Ensemble ensemble = result.ensemble();
    Metrics metrics = Metrics.of(result.request().evaluation(), workspace.catalog());
    Map<String, EvaluationReport> reports = new LinkedHashMap<>();
    try (ComputeSession session =
            workspace.openUnannounced(ensemble.shape(), workspace.compute().path());
        FactorModel popularity = popularity(result.split().training(), workspace)) {
      reports.put(
          "popularity", measure(result, part, CellField.score(popularity), metrics, session));
      if (ensemble.size() > 1) {
        reports.put(
            "one filter",
            measure(result, part, bestMember(result, metrics, session), metrics, session));
      }
    }
    int members = ensemble.size();
    reports.put(members == 1 ? "one filter" : "ensemble of " + members, result.reports().get(part));
    return new Comparison(part, reports);
  }

  /** Return the prediction of the member that is best by itself on the validation part. */
  private static CellField bestMember(
      TrainingResult result, Metrics metrics, ComputeSession session) {
    List<CellField> members =
        result.ensemble().members().stream()
            .map(member -> CellField.score(member.model()))
            .toList();
    CellField best = members.get(0);
    if (result.split().validation().count() == 0) {
      return best;
    }
    MetricKey selected = result.request().ensemble().selection();
    MetricKey key =
        metrics.keys().contains(selected) ? selected : result.request().evaluation().usual();
    double reached = measure(result, Part.VALIDATION, best, metrics, session).value(key);
    for (CellField member : members.subList(1, members.size())) {
      double value = measure(result, Part.VALIDATION, member, metrics, session).value(key);
      if (key.better(value, reached)) {
        best = member;
        reached = value;
      }
    }
    return best;
  }

  private static EvaluationReport measure(
      TrainingResult result,
      Part part,
      CellField prediction,
      Metrics metrics,
      ComputeSession session) {
    return Evaluator.evaluate(
        prediction,
        result.split().part(part),
        metrics,
        result.request().ensemble().confidence(),
        session,
        () -> false);
  }

  /** Return a model of one factor that scores an item by its positives in training. */
  private static FactorModel popularity(SparseCells training, Workspace workspace) {
    FactorModel model =
        FactorModel.allocate(
            workspace.allocator(), new GridShape(training.users(), training.items()), 1);
    for (int user = 0; user < training.users(); user++) {
      model.users().set(user, 0, 1);
    }
    for (int item = 0; item < training.items(); item++) {
      model.items().set(item, 0, training.itemCount(item));
    }
    return model;
  }
}
